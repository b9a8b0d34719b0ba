import { and, eq, isNull, sql } from "drizzle-orm";
import { ruleOverrides, ruleSets } from "#drizzle/schema/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import type { RuleOverride } from "#src/ports/rule_book.ts";
import type { ReleaseFiles } from "#src/ports/rule_manifest.ts";

/** An installed version, or the day of activation of a shipped one. */
export type RuleSetRow = Awaited<ReturnType<typeof readRows>>[number];

/** Reads everything but the files, which are read once per version. */
export async function readRows(db: Db) {
  return await db.select({
    id: ruleSets.id,
    version: ruleSets.version,
    manifest: ruleSets.manifest,
    sha256: ruleSets.sha256,
    active: ruleSets.active,
    effectiveFrom: ruleSets.effectiveFrom,
    activatedAt: ruleSets.activatedAt,
    activatedBy: ruleSets.activatedBy,
    installedBy: ruleSets.installedBy,
    installedAt: ruleSets.installedAt,
  }).from(ruleSets);
}

/** Reads the files of an installed version. Throws `not_found` if none are stored. */
export async function readFiles(db: Db, id: string, version: string): Promise<ReleaseFiles> {
  const [row] = await db.select({ files: ruleSets.files }).from(ruleSets)
    .where(and(eq(ruleSets.id, id), eq(ruleSets.version, version)));
  if (!row?.files) {
    throw new AppError("not_found", say`The files of ${id} ${version} are not stored`);
  }
  return row.files;
}

/** Reads every override, expired ones included. */
export async function readOverrides(db: Db): Promise<RuleOverride[]> {
  return await db.select({
    id: ruleOverrides.id,
    ruleSet: ruleOverrides.ruleSet,
    rule: ruleOverrides.rule,
    level: ruleOverrides.level,
    author: ruleOverrides.author,
    reason: ruleOverrides.reason,
    expiresAt: ruleOverrides.expiresAt,
    createdAt: ruleOverrides.createdAt,
  }).from(ruleOverrides).where(isNull(ruleOverrides.withdrawnAt)).orderBy(ruleOverrides.id);
}

/**
 * Returns a revision for each rule set with stored data, by id; it changes with anything that a process caches of
 * the set.
 */
export async function readRevisions(db: Db): Promise<ReadonlyMap<string, string>> {
  const result = await db.execute(sql`
    select id, md5(string_agg(part, ';' order by part)) as revision from (
      select id, concat_ws('|', version, sha256, active, effective_from, activated_at) as part from rule_sets
      union all
      select rule_set, concat_ws('|', 'override', id) from rule_overrides where withdrawn_at is null
    ) as parts group by id order by id`);
  const rows = getRows<{ id: string; revision: string }>(result);
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}
