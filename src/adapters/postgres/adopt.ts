// Adopts databases of the versions before 0.1.0, whose migrations the baseline replaces. Remove it with release 0.2.0.
import { sql } from "drizzle-orm";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";

/** Applied migrations: SHA-256 by version. */
type Applied = ReadonlyMap<string, string>;

const BASELINE = "0001";
/** Migration with the number of the baseline in the versions before 0.1.0. */
const FOUNDATION = "55786fe7b5b413890063b6c6a7323ce0cece98549dccc7e2e5e3934da54c6b5d";
/** Last migration before 0.1.0. Its schema is the baseline with one more table and other indexes of invoices. */
const LAST = "0800";
const LAST_SHA256 = "02f33bdfb9494f03b4bcf5c2017a05fabae34e18c97532c84b313b509667516a";

/** Returns whether a version before 0.1.0 made this database. */
export function isBeforeBaseline(applied: Applied): boolean {
  return applied.get(BASELINE) === FOUNDATION;
}

/**
 * Returns the applied migrations without those that the baseline replaces. Throws AppError `conflict` if some of these
 * are missing.
 */
export function sinceBaseline(applied: Applied): Applied {
  if (!isBeforeBaseline(applied)) return applied;
  const version = [...applied.keys()].sort().at(-1) ?? BASELINE;
  if (version === LAST && applied.get(LAST) === LAST_SHA256) return new Map();
  throw new AppError(
    "conflict",
    say`This database is at version ${version}, which this release cannot migrate: start the last version before 0.1.0 once, which migrates it to ${LAST}, then start this one`,
  );
}

const INDEXES = [
  sql`drop index if exists invoices_by_amount_due, invoices_by_customer, invoices_by_issue_date, invoices_by_supplier,
    invoices_by_total_ht, invoices_by_type, invoices_of_company, invoices_of_direction, invoices_of_status`,
  sql`create index invoices_by_issue_date on invoices (issue_date, id, direction)`,
  sql`create index invoices_of_status on invoices (status, issue_date, id, direction)`,
];

/** Turns the schema of the last migration before 0.1.0 into that of the baseline, which the caller records. */
export async function adoptBaseline(tx: Db): Promise<void> {
  await tx.execute(sql`drop table if exists invoice_counts`);
  for (const statement of INDEXES) await tx.execute(statement);
  await tx.execute(sql`delete from schema_migrations`);
}
