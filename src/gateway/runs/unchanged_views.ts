import { and, count, eq, inArray } from "drizzle-orm";
import { invoices, runItems } from "#drizzle/schema/mod.ts";
import { FAILED_STATUSES } from "#src/domain/invoice/status.ts";
import type { Db } from "#src/ports/db.ts";

/** Counts the unchanged invoices of each run whose present status is a failure. */
export async function countUnchangedFailed(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (!ids.length) return new Map();
  const rows = await db.select({ id: runItems.runId, n: count() }).from(runItems)
    .innerJoin(invoices, isInvoiceOfItem).where(and(
      inArray(runItems.runId, [...ids]),
      eq(runItems.state, "unchanged"),
      inArray(invoices.status, [...FAILED_STATUSES]),
    )).groupBy(runItems.runId);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

/** Joins the invoice that an item names by its key. */
export const isInvoiceOfItem = and(
  eq(invoices.doc, runItems.doc),
  eq(invoices.dct, runItems.dct),
  eq(invoices.kco, runItems.kco),
);
