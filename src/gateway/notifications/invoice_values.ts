import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import type { InvoiceValues } from "#src/domain/notification/mod.ts";
import { businessUnits, findInvoices, type InvoiceRow } from "#src/gateway/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";

export interface FoundInvoice {
  readonly direction: "issued" | "received";
  readonly values: InvoiceValues;
}

/**
 * Returns the placeholder values of invoices, by invoice id. The business unit is included on request only, because it
 * needs a search.
 */
export async function invoiceValues(
  db: Db,
  keys: readonly InvoiceKey[],
  { businessUnit }: { businessUnit: boolean },
): Promise<Map<string, FoundInvoice>> {
  const rows = await findInvoices(db, keys);
  const units = businessUnit ? await businessUnits(db, rows.map((it) => it.id)) : new Map();
  return new Map(rows.map((row) => [
    formatInvoiceKey(row),
    { direction: row.direction, values: getValues(row, units.get(row.id) ?? null) },
  ]));
}

function getValues(
  { verdict: _verdict, searchText: _text, customerSort: _sort, ...row }: InvoiceRow,
  logBusinessUnit: string | null,
): InvoiceValues {
  return {
    ...row,
    fedoc: row.doc,
    fedct: row.dct,
    logPaUuid: row.paUuid,
    logStatusAt: row.statusAt,
    logBusinessUnit,
  };
}
