import { and, eq, inArray, ne, sql } from "drizzle-orm";
import {
  findings,
  invoiceDocuments,
  invoiceLines,
  invoices,
  invoiceVat,
} from "#drizzle/schema/mod.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { SAMPLE_COMPANY } from "#src/domain/invoice/sample.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { insertRows } from "#src/platform/lists/insert_rows.ts";
import type { InvoiceFields, InvoiceRow } from "./store.ts";

const ROWS_PER_INSERT = 500;

/** Locks the rows until the transaction ends, in the order of their ids so that no deadlock occurs. */
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

/** Returns true for a record (9907) of an ERP document that could not be transformed into an invoice. */
export function isRejectedPiece({ verdict, status }: InvoiceRow): boolean {
  return verdict === null && status === STATUS.validationFailed;
}

/** Inserts invoices and returns their ids by key. A key that already exists, even since a moment ago, has no id. */
export async function insertInvoices(
  tx: Db,
  rows: readonly InvoiceFields[],
): Promise<Map<string, number>> {
  if (!rows.length) return new Map();
  const inserted = await insertRows(tx, invoices, rows, {
    tail: "on conflict (doc, dct, kco) do nothing returning id, doc, dct, kco",
  });
  return new Map(
    getRows<InvoiceKey & { id: string }>(inserted).map((
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

/** Deletes the findings of ERP documents without an invoice, which are now recorded as invoices. */
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

/** Returns the digests of the files to send, by invoice id: the Factur-X file if stored, otherwise the XML. */
export async function sentDigests(
  db: Db,
  invoiceIds: readonly number[],
): Promise<Map<number, string>> {
  if (!invoiceIds.length) return new Map();
  const { invoiceId, kind, sha256 } = invoiceDocuments;
  const rows = await db.select({ invoiceId, kind, sha256 }).from(invoiceDocuments)
    .where(and(
      inArray(invoiceId, [...invoiceIds]),
      inArray(kind, ["factur-x", "ubl", "cii"]),
    ));
  const xml = rows.filter((it) => it.kind !== "factur-x");
  const hybrid = rows.filter((it) => it.kind === "factur-x");
  return new Map([...xml, ...hybrid].map((it) => [it.invoiceId, it.sha256]));
}

/** Returns true if the installation has an invoice that is no sample. */
export async function hasRealInvoice(db: Db): Promise<boolean> {
  const rows = await db.select({ id: invoices.id }).from(invoices)
    .where(ne(invoices.kco, SAMPLE_COMPANY)).limit(1);
  return rows.length > 0;
}

/** Key of the lock that loading and removing hold. */
const LOCK = 728_151;

/** Makes loading and removing wait for each other until the transaction ends. */
export async function lockSamples(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
}

/** Deletes the sample invoices with their lines, findings, documents and histories. Resolves to their number. */
export async function deleteSamples(tx: Db): Promise<number> {
  const gone = await tx.delete(invoices).where(eq(invoices.kco, SAMPLE_COMPANY))
    .returning({ id: invoices.id });
  return gone.length;
}

/** Sets the time at which sample invoices count as recorded. */
export async function backdateInvoices(tx: Db, ids: readonly number[], at: Date): Promise<void> {
  await tx.update(invoices).set({ createdAt: at }).where(inArray(invoices.id, [...ids]));
}
