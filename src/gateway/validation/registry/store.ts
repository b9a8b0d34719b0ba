import { and, eq, isNull, sql } from "drizzle-orm";
import { ruleOverrides, ruleSets } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { RuleOverride } from "#src/ports/rule_book.ts";
import type { Manifest, ReleaseFiles } from "#src/ports/rule_manifest.ts";

const LOCK = 728_161; // any number, the same in every process

/** Locks the registry, so that decisions on rules are made one after the other. */
export async function lockRegistry(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
}

interface NewRelease {
  readonly manifest: Manifest;
  readonly files: ReleaseFiles;
  readonly sha256: string;
  readonly active: boolean;
  readonly by: string;
  readonly at: Date;
}

/** Inserts a version; returns the digest of an existing one instead of writing. */
export async function insertRelease(tx: Db, release: NewRelease): Promise<string | undefined> {
  const { manifest, files, sha256, active, by, at } = release;
  const { id, version } = manifest;
  const values = { id, version, manifest, files, sha256, active, installedBy: by, installedAt: at };
  const shippedOnly = {
    target: [ruleSets.id, ruleSets.version],
    set: { ...values, activatedAt: null },
  };
  const rows = await tx.insert(ruleSets).values(values)
    .onConflictDoUpdate({ ...shippedOnly, setWhere: isNull(ruleSets.manifest) })
    .returning({ id: ruleSets.id });
  if (rows.length > 0) return undefined;
  const [row] = await tx.select({ sha256: ruleSets.sha256 }).from(ruleSets)
    .where(and(eq(ruleSets.id, id), eq(ruleSets.version, version)));
  return row?.sha256 ?? "";
}

/** Puts a version in force from this day on; inserts a row for a shipped one. */
export async function activate(
  tx: Db,
  { id, version, from, by, at }: {
    id: string;
    version: string;
    from: string;
    by: string;
    at: Date;
  },
): Promise<void> {
  const state = { active: true, effectiveFrom: from, activatedAt: at, activatedBy: by };
  await tx.insert(ruleSets).values({ id, version, installedBy: by, installedAt: at, ...state })
    .onConflictDoUpdate({ target: [ruleSets.id, ruleSets.version], set: state });
}

type NewOverride = Omit<RuleOverride, "id">;

/** Inserts an override and replaces the current one of the same rule. Returns its number and the replaced override. */
export async function insertOverride(
  tx: Db,
  override: NewOverride,
): Promise<{ number: number; replaced: StandingOverride | undefined }> {
  const { ruleSet, rule, author: by, createdAt: at } = override;
  const replaced = await withdrawOverride(tx, { ruleSet, rule, by, at });
  const [row] = await tx.insert(ruleOverrides).values(override).returning({ id: ruleOverrides.id });
  return { number: row?.id ?? 0, replaced };
}

export type StandingOverride = Pick<
  typeof ruleOverrides.$inferSelect,
  "author" | "expiresAt" | "level" | "reason"
>;

/** Withdraws the current override; returns undefined when it does not exist. */
export async function withdrawOverride(
  tx: Db,
  { ruleSet, rule, by, at }: { ruleSet: string; rule: string; by: string; at: Date },
): Promise<StandingOverride | undefined> {
  const { author, expiresAt, level, reason } = ruleOverrides;
  const rows = await tx.update(ruleOverrides).set({ withdrawnBy: by, withdrawnAt: at })
    .where(and(
      eq(ruleOverrides.ruleSet, ruleSet),
      eq(ruleOverrides.rule, rule),
      isNull(ruleOverrides.withdrawnAt),
    )).returning({ author, expiresAt, level, reason });
  return rows[0];
}
