import { and, count, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import { invoices, runItems, runs } from "#drizzle/schema/mod.ts";
import { FAILED_STATUSES } from "#src/domain/invoice/status.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Db } from "#src/ports/db.ts";

/** True for an invoice whose last submission is blocked. Few are: the database reads them once for all invoices. */
export const IS_BLOCKED: SQL<boolean> = sql`((invoices.id, invoices.generation) in (
  select submissions.invoice_id, submissions.generation from submissions where submissions.state = 'parked'))`;

/** True for an invoice that did not arrive: its status is a failure, or its submission is blocked. */
export const HAS_FAILED: SQL<boolean> = sql`(${
  inArray(invoices.status, [...FAILED_STATUSES])
} or ${IS_BLOCKED})`;

/**
 * True for a failed item whose invoice no longer fails. The PA may have had the invoice of an item that could not be
 * processed, or that did not replace it. Such an item is corrected only if a later file replaced that invoice.
 */
export const IS_CORRECTED: SQL<boolean> = sql`(coalesce(not ${HAS_FAILED}, false) and (
  run_items.state in ('rejected', 'send_failed', 'blocked')
  or run_items.state = 'undecided' and invoices.treatment is distinct from 'UNDECIDED'
  or run_items.state in ('failed', 'conflict') and exists (select 1 from invoice_documents
    where invoice_id = invoices.id and created_at > run_items.finished_at)))`;

/**
 * Selects why an invoice fails now: the answer to its blocked submission, its first blocking finding, or the message of
 * its status. Null without one.
 */
export function selectFailure(language: Language): SQL<string | null> {
  const isFrench = language === "fr";
  const answer = sql.raw(isFrench ? "coalesce(last_error_fr, last_error)" : "last_error");
  const finding = sql.raw(isFrench ? "message" : "message_en");
  const event = sql.raw(isFrench ? "coalesce(message_fr, message)" : "message");
  return sql`nullif(case
    when ${IS_BLOCKED} then (select ${answer} from submissions
      where invoice_id = invoices.id and submissions.generation = invoices.generation)
    when invoices.status = '9907' then (select ${finding} from findings
      where invoice_id = invoices.id and level in ('FATAL', 'ERROR') order by level = 'ERROR', seq limit 1)
    else (select ${event} from lifecycle_events
      where invoice_id = invoices.id and status_code = invoices.status order by seq desc limit 1)
    end, '')`;
}

/** Counts the failed invoices of each run that were corrected since, by outcome. Previews record none. */
export async function countCorrected(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Partial<Record<ItemState, number>>>> {
  const counts = new Map<string, Partial<Record<ItemState, number>>>();
  if (!ids.length) return counts;
  const rows = await db.select({ id: runItems.runId, state: runItems.state, n: count() })
    .from(runItems).innerJoin(runs, eq(runs.id, runItems.runId))
    .innerJoin(invoices, isInvoiceOfItem).where(and(
      inArray(runItems.runId, [...ids]),
      inArray(runItems.state, [
        "rejected",
        "send_failed",
        "blocked",
        "undecided",
        "failed",
        "conflict",
      ]),
      eq(runs.preview, false),
      ne(runs.mode, "UBL_VALIDATE"),
      IS_CORRECTED,
    )).groupBy(runItems.runId, runItems.state);
  for (const { id, state, n } of rows) counts.set(id, { ...counts.get(id), [state]: n });
  return counts;
}

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
