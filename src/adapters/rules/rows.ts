import { and, eq, isNull, sql } from "drizzle-orm";
import { ruleOverrides, ruleSets } from "#drizzle/schema/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";
import type { ReleaseFiles, RuleOverride } from "#src/ports/rule_book.ts";

export type RuleSetRow = Awaited<ReturnType<typeof readRows>>[number];

/** Everything but the files, which are read once per version. */
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

export async function readFiles(db: Db, id: string, version: string): Promise<ReleaseFiles> {
  const [row] = await db.select({ files: ruleSets.files }).from(ruleSets)
    .where(and(eq(ruleSets.id, id), eq(ruleSets.version, version)));
  if (!row?.files) {
    throw new AppError("not_found", say`The files of ${id} ${version} are not stored`);
  }
  return row.files;
}

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

/** Differs whenever anything a process keeps of the registry has changed. */
export async function readRevision(db: Db): Promise<string> {
  const result = await db.execute(sql`select
    (select coalesce(md5(string_agg(concat_ws('|', id, version, sha256, active, effective_from, activated_at), ';'
       order by id, version)), '') from rule_sets) ||
    (select coalesce(max(id), 0) || '-' || count(*) from rule_overrides where withdrawn_at is null) as revision`);
  return rowsOf<{ revision: string }>(result)[0]?.revision ?? "";
}
