import { asc, inArray, sql } from "drizzle-orm";
import { savedQueries } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export interface SavedQuery {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly sql: string;
}

export async function listQueries(db: Db): Promise<SavedQuery[]> {
  return await db.select({
    key: savedQueries.key,
    label: savedQueries.label,
    description: savedQueries.description,
    sql: savedQueries.sql,
  }).from(savedQueries).orderBy(asc(savedQueries.key));
}

const LOCK = 728_131; // any number, the same in every process

/** Locks the queries against other saves until the transaction ends. */
export async function lockQueries(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
}

/** New keys are their own label. */
export async function upsertQueries(
  tx: Db,
  rows: readonly { key: string; sql: string }[],
  updatedBy: string,
): Promise<void> {
  if (!rows.length) return;
  await tx.insert(savedQueries).values(rows.map((it) => ({ ...it, label: it.key, updatedBy })))
    .onConflictDoUpdate({
      target: savedQueries.key,
      set: { sql: sql`excluded.sql`, updatedBy, updatedAt: sql`now()` },
    });
}

export async function removeQueries(tx: Db, keys: readonly string[]): Promise<void> {
  if (keys.length) await tx.delete(savedQueries).where(inArray(savedQueries.key, [...keys]));
}
