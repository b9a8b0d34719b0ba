import { and, eq, sql } from "drizzle-orm";
import {
  findings as findingRows,
  invoiceDocuments,
  invoiceLines,
  invoices,
  invoiceVat,
  lifecycleEvents,
} from "#drizzle/schema/mod.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import type { Db } from "#src/ports/db.ts";

export type InvoiceRow = typeof invoices.$inferSelect;
export type InvoiceFields = Omit<typeof invoices.$inferInsert, "id" | "createdAt" | "updatedAt">;
export type LineFields = Omit<typeof invoiceLines.$inferInsert, "invoiceId">;
export type VatFields = Omit<typeof invoiceVat.$inferInsert, "invoiceId">;
export type EventFields = Omit<typeof lifecycleEvents.$inferInsert, "invoiceId" | "seq" | "createdAt">;

export function byKey({ doc, dct, kco }: InvoiceKey) {
  return and(eq(invoices.doc, doc), eq(invoices.dct, dct), eq(invoices.kco, kco));
}

export async function findInvoice(db: Db, key: InvoiceKey): Promise<InvoiceRow | undefined> {
  const [row] = await db.select().from(invoices).where(byKey(key));
  return row;
}

/** Holds the row until the transaction ends, so that two changes cannot cross. */
export async function lockInvoice(tx: Db, key: InvoiceKey): Promise<InvoiceRow | undefined> {
  const [row] = await tx.select().from(invoices).where(byKey(key)).for("update");
  return row;
}

export async function lockInvoiceById(tx: Db, id: number): Promise<InvoiceRow | undefined> {
  const [row] = await tx.select().from(invoices).where(eq(invoices.id, id)).for("update");
  return row;
}

/** Every invoice of that number from that seller; more than one only when companies share a number. */
export async function findByNumber(
  db: Db,
  { number, supplierSiren }: { number: string; supplierSiren: string | undefined },
): Promise<InvoiceRow[]> {
  const seller = supplierSiren ? eq(invoices.supplierSiren, supplierSiren) : undefined;
  return await db.select().from(invoices).where(and(eq(invoices.ublNumber, number), seller));
}

/** Undefined when the key is taken, also by a transaction that committed a moment ago. */
export async function insertInvoice(tx: Db, fields: InvoiceFields): Promise<number | undefined> {
  const [row] = await tx.insert(invoices).values(fields)
    .onConflictDoNothing({ target: [invoices.doc, invoices.dct, invoices.kco] }).returning({ id: invoices.id });
  return row?.id;
}

export async function updateInvoice(tx: Db, id: number, fields: Partial<InvoiceFields>): Promise<void> {
  await tx.update(invoices).set({ ...fields, updatedAt: sql`now()` }).where(eq(invoices.id, id));
}

export interface InvoiceContent {
  readonly lines: readonly LineFields[];
  readonly vat: readonly VatFields[];
  readonly findings: readonly Finding[];
  readonly documents: readonly { kind: "ubl" | "erp" | "pdf"; content: string; sha256: string }[];
}

const ROWS_PER_INSERT = 500;

/** What hangs on an invoice besides its history, put in place of what was there. */
export async function replaceContent(
  tx: Db,
  { id, key, runId }: { id: number; key: InvoiceKey; runId?: string | undefined },
  { content, fresh }: { content: InvoiceContent; fresh: boolean },
): Promise<void> {
  if (!fresh) {
    for (const table of [invoiceLines, invoiceVat, findingRows, invoiceDocuments]) {
      await tx.delete(table).where(eq(table.invoiceId, id));
    }
  }
  for (const part of parts(content.lines)) await tx.insert(invoiceLines).values(part.map((it) => ({ ...it, invoiceId: id })));
  for (const part of parts(content.vat)) await tx.insert(invoiceVat).values(part.map((it) => ({ ...it, invoiceId: id })));
  await insertFindings(tx, { findings: content.findings, invoiceId: id, key, runId });
  await tx.insert(invoiceDocuments).values(content.documents.map((it) => ({ ...it, invoiceId: id })));
}

/** Of an invoice, or of a document that never became one. */
export async function insertFindings(
  tx: Db,
  { findings, invoiceId, key, runId }: {
    findings: readonly Finding[];
    invoiceId?: number;
    key?: InvoiceKey | undefined;
    runId?: string | undefined;
  },
): Promise<void> {
  const rows = findings.map((finding, index) => ({ ...finding, ...key, invoiceId, runId, seq: index + 1 }));
  for (const part of parts(rows)) await tx.insert(findingRows).values(part);
}

/** Appends to the history with contiguous numbers; the invoice's row must be locked. */
export async function appendEvents(tx: Db, invoiceId: number, events: readonly EventFields[]): Promise<void> {
  const last = sql<number>`(select coalesce(max(seq), 0) from lifecycle_events where invoice_id = ${invoiceId})`;
  await tx.insert(lifecycleEvents).values(
    events.map((event, index) => ({ ...event, invoiceId, seq: sql`${last} + ${index + 1}` })),
  );
}

export async function isRecorded(tx: Db, invoiceId: number, paEventId: string): Promise<boolean> {
  const rows = await tx.select({ seq: lifecycleEvents.seq }).from(lifecycleEvents)
    .where(and(eq(lifecycleEvents.invoiceId, invoiceId), eq(lifecycleEvents.paEventId, paEventId)));
  return rows.length > 0;
}

export async function findDocument(db: Db, invoiceId: number, kind: "ubl" | "erp" | "pdf") {
  const [row] = await db.select({ content: invoiceDocuments.content, sha256: invoiceDocuments.sha256 })
    .from(invoiceDocuments).where(and(eq(invoiceDocuments.invoiceId, invoiceId), eq(invoiceDocuments.kind, kind)));
  return row;
}

function* parts<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) yield rows.slice(at, at + ROWS_PER_INSERT);
}
