import type { Deps } from "#src/deps.ts";
import {
  collectPlaceholders,
  type NotificationRule,
  readRule,
} from "#src/domain/notification/mod.ts";
import { type OwnedTemplate, ownedTemplates, versionOfType } from "#src/platform/templates/mod.ts";

/** A rule as its author saved it. */
export interface LoadedRule {
  readonly rule: NotificationRule;
  readonly properties: Readonly<Record<string, string>>;
  readonly owner: string | null;
  readonly placeholders: ReadonlySet<string>;
}

export interface RuleCache extends Disposable {
  /** The enabled rules, read again after any was saved, in this process or another. */
  current(): Promise<readonly LoadedRule[]>;
}

const TYPE = "notification-rule";

/** Caches the enabled rules. Checks their version with each use, so that a rule saved a moment ago is always seen. */
export function newRuleCache({ db, live, log }: Pick<Deps, "db" | "live" | "log">): RuleCache {
  let kept: { version: string; rules: readonly LoadedRule[] } | undefined;
  const unsubscribe = live.subscribe((event) => {
    if (event.type === "template.saved") kept = undefined;
  });
  return {
    async current() {
      const version = await versionOfType(db, TYPE);
      if (kept?.version === version) return kept.rules;
      const rules = (await ownedTemplates(db, TYPE)).flatMap((it) => loadRule(it, log) ?? []);
      kept = { version, rules };
      log.info("notification.rules.loaded", { rules: rules.length });
      return rules;
    },
    [Symbol.dispose]: unsubscribe,
  };
}

function loadRule(
  { name, properties, owner }: OwnedTemplate,
  log: Deps["log"],
): LoadedRule | undefined {
  const read = readRule({ name, properties });
  if (!read.ok) {
    log.error("notification.rule.unreadable", { rule: name, reason: read.problems.join("; ") });
    return undefined;
  }
  const { rule } = read;
  return rule.enabled
    ? { rule, properties, owner, placeholders: collectPlaceholders(rule) }
    : undefined;
}
