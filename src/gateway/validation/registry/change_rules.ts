import type { Deps } from "#src/deps.ts";
import type { Level } from "#src/domain/validation/finding.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { checkCurrent, toEtag } from "#src/kernel/etag.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import type { RuleSet } from "#src/ports/rule_book.ts";
import { announceRules } from "./announce.ts";
import { hasRule } from "../judging/rule_list.ts";
import { toFrenchDay } from "../judging/severity.ts";
import { type Author, findVersionInForce } from "./version_in_force.ts";
import { activate, insertOverride, lockRegistry, withdrawOverride } from "./store.ts";

type ChangeRulesDeps = Pick<Deps, "clock" | "db" | "live" | "rules">;

const DAY = 86_400_000;
/** Longest validity of an override; a longer one would escape review. */
const MAX_DAYS = 366;

interface IfMatch {
  readonly ifMatch?: string | undefined;
}

/** Puts the version in force from `from` (by default today) until another one takes effect. */
export async function activateVersion(
  deps: ChangeRulesDeps,
  { id, version, from, ifMatch }: IfMatch & {
    id: string;
    version: string;
    from?: string | undefined;
  },
  by: Author,
): Promise<{ effectiveFrom: string }> {
  const versions = getVersions(deps, id);
  if (!versions.some((it) => it.manifest.version === version)) {
    throw notFound("Rule set", `${id} ${version}`);
  }
  const at = deps.clock.now();
  const effectiveFrom = from ?? toFrenchDay(at);
  const { username } = by;
  await deps.db.transaction(async (tx) => {
    await checkUnchanged(deps, tx, { id, ifMatch });
    await activate(tx, { id, version, from: effectiveFrom, by: username, at });
    await announceRules(deps, tx, { id, version });
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "rule_set.activated",
      target: id,
      before: findVersionInForce(deps, id),
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

/** Overrides the level of one rule of a set; replaces an earlier override of that rule. */
export async function overrideRule(
  deps: ChangeRulesDeps,
  { id, rule, level, reason, expires, ifMatch }: OverrideInput & IfMatch & { id: string },
  by: Author,
): Promise<number> {
  const versions = getVersions(deps, id);
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
  deps: ChangeRulesDeps,
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

/** Throws AppError `stale` when the rule set has changed since the caller read it. */
async function checkUnchanged(
  { rules }: ChangeRulesDeps,
  tx: Db,
  { id, ifMatch }: IfMatch & { id: string },
) {
  await lockRegistry(tx);
  const current = toEtag(await rules.storedRevision(tx, id));
  checkCurrent(ifMatch, { current, what: say`The rule set ${id}` });
}

function getVersions({ rules }: ChangeRulesDeps, id: string): readonly RuleSet[] {
  const versions = rules.sets().filter((it) => it.manifest.id === id);
  if (versions.length === 0) throw notFound("Rule set", id);
  return versions;
}

function checkExpiry(expires: Date, now: Date): void {
  if (expires <= now) throw new AppError("invalid", say`expires: ${expires.toISOString()} is over`);
  if (expires.getTime() - now.getTime() > MAX_DAYS * DAY) {
    throw new AppError(
      "invalid",
      say`expires: ${expires.toISOString()} is further away than the ${MAX_DAYS} days an override may last`,
    );
  }
}
