import type { Deps } from "#src/deps.ts";
import type { Level } from "#src/domain/validation/finding.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { checkCurrent, tagOf } from "#src/kernel/etag.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import type { RuleSet } from "#src/ports/rule_book.ts";
import { announceRules } from "./announce.ts";
import { hasRule } from "../judging/rule_list.ts";
import { dayOf } from "../judging/severity.ts";
import { type Author, judging } from "./judging_now.ts";
import { activate, insertOverride, lockRegistry, withdrawOverride } from "./store.ts";

type Needs = Pick<Deps, "clock" | "db" | "live" | "rules">;

const DAY = 86_400_000;
/** A deviation that nobody looks at again for longer is no longer a decision. */
const LONGEST_DAYS = 366;

interface IfMatch {
  readonly ifMatch?: string | undefined;
}

/** The version judges from `from` (today when absent) until the day another one takes effect. */
export async function activateVersion(
  deps: Needs,
  { id, version, from, ifMatch }: IfMatch & {
    id: string;
    version: string;
    from?: string | undefined;
  },
  by: Author,
): Promise<{ effectiveFrom: string }> {
  const versions = versionsOf(deps, id);
  if (!versions.some((it) => it.manifest.version === version)) {
    throw notFound("Rule set", `${id} ${version}`);
  }
  const at = deps.clock.now();
  const effectiveFrom = from ?? dayOf(at);
  const { username } = by;
  await deps.db.transaction(async (tx) => {
    await checkUnchanged(deps, tx, { id, ifMatch });
    await activate(tx, { id, version, from: effectiveFrom, by: username, at });
    await announceRules(deps, tx, { id, version });
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "rule_set.activated",
      target: id,
      before: judging(deps, id),
      after: { version, effectiveFrom },
    });
  });
  await deps.rules.reload();
  return { effectiveFrom };
}

interface OverrideInput {
  readonly rule: string;
  readonly level: Level | "OFF";
  readonly reason: string;
  readonly expires: Date;
}

/** Judges one rule of a set otherwise from now on; it takes the place of an earlier decision on the same rule. */
export async function overrideRule(
  deps: Needs,
  { id, rule, level, reason, expires, ifMatch }: OverrideInput & IfMatch & { id: string },
  by: Author,
): Promise<number> {
  const versions = versionsOf(deps, id);
  for (const set of versions) await set.ready();
  if (!versions.some((set) => hasRule(set.model(), rule))) {
    throw new AppError("refused", say`The rule set ${id} has no rule ${rule}`);
  }
  const now = deps.clock.now();
  checkExpiry(expires, now);
  const override = {
    ruleSet: id,
    rule,
    level,
    author: by.username,
    reason,
    expiresAt: expires,
    createdAt: now,
  };
  const stored = await deps.db.transaction(async (tx) => {
    await checkUnchanged(deps, tx, { id, ifMatch });
    const { replaced, number } = await insertOverride(tx, override);
    await announceRules(deps, tx, { id });
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "rule_override.set",
      target: `${id} ${rule}`,
      before: replaced,
      after: { level, reason, expiresAt: expires },
    });
    return number;
  });
  await deps.rules.reload();
  return stored;
}

export async function withdrawRuleOverride(
  deps: Needs,
  { id, rule, ifMatch }: IfMatch & { id: string; rule: string },
  by: Author,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await checkUnchanged(deps, tx, { id, ifMatch });
    const at = deps.clock.now();
    const before = await withdrawOverride(tx, { ruleSet: id, rule, by: by.username, at });
    if (!before) throw notFound("Override", `${id} ${rule}`);
    await announceRules(deps, tx, { id });
    const target = `${id} ${rule}`;
    const event = "rule_override.withdrawn";
    await recordAudit({ ...deps, db: tx }, { actor: by, event, target, before });
  });
  await deps.rules.reload();
}

/** Throws AppError `stale` where the rule set is not what the caller has seen of it. */
async function checkUnchanged({ rules }: Needs, tx: Db, { id, ifMatch }: IfMatch & { id: string }) {
  await lockRegistry(tx);
  const current = tagOf(await rules.storedRevision(tx, id));
  checkCurrent(ifMatch, { current, what: say`The rule set ${id}` });
}

function versionsOf({ rules }: Needs, id: string): readonly RuleSet[] {
  const versions = rules.sets().filter((it) => it.manifest.id === id);
  if (versions.length === 0) throw notFound("Rule set", id);
  return versions;
}

function checkExpiry(expires: Date, now: Date): void {
  if (expires <= now) throw new AppError("invalid", say`expires: ${expires.toISOString()} is over`);
  if (expires.getTime() - now.getTime() > LONGEST_DAYS * DAY) {
    throw new AppError(
      "invalid",
      say`expires: ${expires.toISOString()} is further away than the ${LONGEST_DAYS} days an override may last`,
    );
  }
}
