import type { Deps } from "#src/deps.ts";
import type { Level } from "#src/domain/validation/finding.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { RuleSet } from "#src/ports/rule_book.ts";
import { announceRules } from "./announce.ts";
import { hasRule } from "../judging/rule_list.ts";
import { dayOf } from "../judging/severity.ts";
import { activate, insertOverride, withdrawOverride } from "./store.ts";

type Needs = Pick<Deps, "clock" | "db" | "live" | "rules">;

const DAY = 86_400_000;
/** A deviation that nobody looks at again for longer is no longer a decision. */
const LONGEST_DAYS = 366;

/** The version judges from `from` (today when absent) until the day another one takes effect. */
export async function activateVersion(
  deps: Needs,
  { id, version, from }: { id: string; version: string; from?: string | undefined },
  by: string,
): Promise<{ effectiveFrom: string }> {
  if (!versionsOf(deps, id).some((it) => it.manifest.version === version)) {
    throw notFound("Rule set", `${id} ${version}`);
  }
  const at = deps.clock.now();
  const effectiveFrom = from ?? dayOf(at);
  await deps.db.transaction(async (tx) => {
    await activate(tx, { id, version, from: effectiveFrom, by, at });
    await announceRules(deps, tx, { id, version });
  });
  await deps.rules.reload();
  return { effectiveFrom };
}

export interface OverrideInput {
  readonly rule: string;
  readonly level: Level | "OFF";
  readonly reason: string;
  readonly expires: Date;
}

/** Judges one rule of a set otherwise from now on; it takes the place of an earlier decision on the same rule. */
export async function overrideRule(
  deps: Needs,
  { id, rule, level, reason, expires }: OverrideInput & { id: string },
  by: string,
): Promise<number> {
  const versions = versionsOf(deps, id);
  if (!versions.some((set) => hasRule(set.model(), rule))) {
    throw new AppError("refused", say`The rule set ${id} has no rule ${rule}`);
  }
  const now = deps.clock.now();
  checkExpiry(expires, now);
  const override = {
    ruleSet: id,
    rule,
    level,
    author: by,
    reason,
    expiresAt: expires,
    createdAt: now,
  };
  const stored = await deps.db.transaction(async (tx) => {
    const number = await insertOverride(tx, override);
    await announceRules(deps, tx, { id });
    return number;
  });
  await deps.rules.reload();
  return stored;
}

export async function withdrawRuleOverride(
  deps: Needs,
  { id, rule }: { id: string; rule: string },
  by: string,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const at = deps.clock.now();
    if (!await withdrawOverride(tx, { ruleSet: id, rule, by, at })) {
      throw notFound("Override", `${id} ${rule}`);
    }
    await announceRules(deps, tx, { id });
  });
  await deps.rules.reload();
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
