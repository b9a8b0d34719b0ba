import { and, count, eq, inArray, type SQL, sql } from "drizzle-orm";
import { invoices, runItems } from "#drizzle/schema/mod.ts";
import { FAILED_STATUSES } from "#src/domain/invoice/status.ts";
import type { Db } from "#src/ports/db.ts";

/** True for an invoice whose last submission is blocked. Few are: the database reads them once for all invoices. */
export const IS_BLOCKED: SQL<boolean> = sql`((invoices.id, invoices.generation) in (
  select submissions.invoice_id, submissions.generation from submissions where submissions.state = 'parked'))`;

/** True for an invoice that did not arrive: its status is a failure, or its submission is blocked. */
export const HAS_FAILED: SQL<boolean> = sql`(${
  inArray(invoices.status, [...FAILED_STATUSES])
} or ${IS_BLOCKED})`;

/** Counts the unchanged invoices of each run that failed before and were not corrected. */
export async function countUnchangedFailed(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (!ids.length) return new Map();
  const rows = await db.select({ id: runItems.runId, n: count() }).from(runItems)
    .innerJoin(invoices, isInvoiceOfItem).where(and(
      inArray(runItems.runId, [...ids]),
      eq(runItems.state, "unchanged"),
      HAS_FAILED,
    )).groupBy(runItems.runId);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

/** Joins the invoice that an item names by its key. */
export const isInvoiceOfItem = and(
  eq(invoices.doc, runItems.doc),
  eq(invoices.dct, runItems.dct),
  eq(invoices.kco, runItems.kco),
);
