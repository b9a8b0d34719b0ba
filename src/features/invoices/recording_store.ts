import { inArray, sql } from "drizzle-orm";
import {
  findings,
  invoiceDocuments,
  invoiceLines,
  invoices,
  invoiceVat,
} from "#drizzle/schema/mod.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";
import { insertRows } from "#src/sql/insert_rows.ts";
import type { InvoiceFields, InvoiceRow } from "./store.ts";

const ROWS_PER_INSERT = 500;

/** Holds the rows until the transaction ends; in the order of their ids, so that two holders cannot wait for each other. */
export async function lockInvoices(
  tx: Db,
  keys: readonly InvoiceKey[],
): Promise<Map<string, InvoiceRow>> {
  if (!keys.length) return new Map();
  const wanted = sql.join(keys.map(({ doc, dct, kco }) => sql`(${doc}, ${dct}, ${kco})`), sql`, `);
  const rows = await tx.select().from(invoices)
    .where(sql`(${invoices.doc}, ${invoices.dct}, ${invoices.kco}) in (${wanted})`)
    .orderBy(invoices.id).for("update");
  return new Map(rows.map((it) => [formatInvoiceKey(it), it]));
}

/**
 * As `lockInvoices`, of those only that were recorded as rejected (9907) because no invoice could be made of their
 * ERP piece.
 */
export async function lockRejectedPieces(
  tx: Db,
  keys: readonly InvoiceKey[],
): Promise<Map<string, InvoiceRow>> {
  const rows = await lockInvoices(tx, keys);
  return new Map(
    [...rows].filter(([, it]) => it.verdict === null && it.status === STATUS.validationFailed),
  );
}

/** Ids by key; a key that is taken, also by a transaction that committed a moment ago, has none. */
export async function insertInvoices(
  tx: Db,
  rows: readonly InvoiceFields[],
): Promise<Map<string, number>> {
  if (!rows.length) return new Map();
  const inserted = await insertRows(tx, invoices, rows, {
    tail: "on conflict (doc, dct, kco) do nothing returning id, doc, dct, kco",
  });
  return new Map(
    rowsOf<InvoiceKey & { id: string }>(inserted).map((
      it,
    ) => [formatInvoiceKey(it), Number(it.id)]),
  );
}

/** Deletes lines, VAT rows, findings and documents of invoices; their history stays. */
export async function removeContent(tx: Db, invoiceIds: readonly number[]): Promise<void> {
  if (!invoiceIds.length) return;
  for (const table of [invoiceLines, invoiceVat, findings, invoiceDocuments]) {
    await tx.delete(table).where(inArray(table.invoiceId, [...invoiceIds]));
  }
}

/** Deletes findings of documents that could not be made an invoice, now that they are one. */
export async function removeOrphanFindings(tx: Db, keys: readonly InvoiceKey[]): Promise<void> {
  if (!keys.length) return;
  const now = sql.join(keys.map(({ doc, dct, kco }) => sql`(${doc}, ${dct}, ${kco})`), sql`, `);
  await tx.delete(findings).where(
    sql`${findings.invoiceId} is null and (${findings.doc}, ${findings.dct}, ${findings.kco}) in (${now})`,
  );
}

export interface ContentRows {
  readonly lines: readonly (typeof invoiceLines.$inferInsert)[];
  readonly vat: readonly (typeof invoiceVat.$inferInsert)[];
  readonly findings: readonly (typeof findings.$inferInsert)[];
  readonly documents: readonly (typeof invoiceDocuments.$inferInsert)[];
}

/** Inserts lines, VAT rows, findings and documents of any number of invoices in few statements. */
export async function insertContent(tx: Db, rows: ContentRows): Promise<void> {
  for (const part of parts(rows.lines)) await insertRows(tx, invoiceLines, part);
  for (const part of parts(rows.vat)) await insertRows(tx, invoiceVat, part);
  for (const part of parts(rows.findings)) await insertRows(tx, findings, part);
  for (const part of parts(rows.documents)) await tx.insert(invoiceDocuments).values(part);
}

function* parts<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    yield rows.slice(at, at + ROWS_PER_INSERT);
  }
}
