import { Buffer } from "node:buffer";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import {
  findings as findingRows,
  invoiceDocuments,
  invoices,
  lifecycleEvents,
} from "#drizzle/schema/mod.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import { arrayOf } from "#src/sql/array_of.ts";
import { insertRows } from "#src/sql/insert_rows.ts";
import { wordsOf } from "#src/kernel/text.ts";
import type { Db } from "#src/ports/db.ts";

/** An invoice as it is stored. */
export type InvoiceRow = typeof invoices.$inferSelect;
export type InvoiceFields = Omit<typeof invoices.$inferInsert, "id" | "createdAt" | "updatedAt">;

type EventFields = Omit<
  typeof lifecycleEvents.$inferInsert,
  "invoiceId" | "seq" | "createdAt"
>;

function byKey({ doc, dct, kco }: InvoiceKey) {
  return and(eq(invoices.doc, doc), eq(invoices.dct, dct), eq(invoices.kco, kco));
}

/** By its ERP key; undefined when there is none. */
export async function findInvoice(db: Db, key: InvoiceKey): Promise<InvoiceRow | undefined> {
  const [row] = await db.select().from(invoices).where(byKey(key));
  return row;
}

/** Those of these ids that exist. */
export async function findInvoices(db: Db, keys: readonly InvoiceKey[]): Promise<InvoiceRow[]> {
  if (!keys.length) return [];
  const wanted = sql.join(keys.map(({ doc, dct, kco }) => sql`(${doc}, ${dct}, ${kco})`), sql`, `);
  return await db.select().from(invoices)
    .where(sql`(${invoices.doc}, ${invoices.dct}, ${invoices.kco}) in (${wanted})`);
}

/** The business units, or cost centres, that the ERP's documents of these invoices name. */
export async function businessUnits(
  db: Db,
  invoiceIds: readonly number[],
): Promise<Map<number, string>> {
  if (!invoiceIds.length) return new Map();
  const unit = sql<
    string | null
  >`substring(content from '<(?:BusinessUnit|CostCenter)[A-Za-z]*_ID[0-9]+>([^<]*)<')`;
  const rows = await db.select({ id: invoiceDocuments.invoiceId, unit }).from(invoiceDocuments)
    .where(and(
      inArray(invoiceDocuments.invoiceId, [...invoiceIds]),
      eq(invoiceDocuments.kind, "erp"),
    ));
  return new Map(rows.flatMap((it) => it.unit === null ? [] : [[it.id, it.unit] as const]));
}

/** Holds the row until the transaction ends, so that two changes cannot cross. */
export async function lockInvoice(tx: Db, key: InvoiceKey): Promise<InvoiceRow | undefined> {
  const [row] = await tx.select().from(invoices).where(byKey(key)).for("update");
  return row;
}

/** Holds several, in the order of their ids so that two who want the same wait for each other in turn. */
export async function lockInvoicesById(
  tx: Db,
  ids: readonly number[],
): Promise<Map<number, InvoiceRow>> {
  if (!ids.length) return new Map();
  const rows = await tx.select().from(invoices).where(isAmong(ids))
    .orderBy(invoices.id).for("update");
  return new Map(rows.map((it) => [it.id, it]));
}

/** Holds the row until the transaction ends. */
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

/** Holds every invoice with one of these numbers, in the order of their ids. */
export async function lockInvoicesByNumber(
  tx: Db,
  numbers: readonly string[],
): Promise<InvoiceRow[]> {
  if (!numbers.length) return [];
  return await tx.select().from(invoices).where(inArray(invoices.ublNumber, [...numbers]))
    .orderBy(invoices.id).for("update");
}

/** Sets fields of a row the caller has locked. */
export async function updateInvoice(
  tx: Db,
  id: number,
  fields: Partial<InvoiceFields>,
): Promise<void> {
  await tx.update(invoices).set({ ...fields, updatedAt: sql`now()` }).where(eq(invoices.id, id));
}

/** Sets the same fields of several rows the caller has locked. */
export async function updateInvoices(
  tx: Db,
  ids: readonly number[],
  fields: Partial<InvoiceFields>,
): Promise<void> {
  await tx.update(invoices).set({ ...fields, updatedAt: sql`now()` }).where(isAmong(ids));
}

function isAmong(ids: readonly number[]) {
  return sql`${invoices.id} = any(${arrayOf(ids)}::bigint[])`;
}

const ROWS_PER_INSERT = 500;

/** Of an invoice, or of a document that never became one. */
export async function insertFindings(
  tx: Db,
  { findings, invoiceId, key, runId }: {
    findings: readonly Finding[];
    invoiceId?: number;
    /** As much of it as is known. */
    key?: Partial<InvoiceKey> | undefined;
    runId?: string | undefined;
  },
): Promise<void> {
  const rows = findings.map((finding, index) => ({
    ...finding,
    ...key,
    invoiceId,
    runId,
    seq: index + 1,
    searchText: findingWords(finding, key),
  }));
  for (const part of parts(rows)) await tx.insert(findingRows).values(part);
}

/** The words by which a search finds a finding. */
export function findingWords(
  { rule, messageFr, messageEn, businessTerm }: Finding,
  key: Partial<InvoiceKey> | undefined,
): string {
  return wordsOf(key?.doc, rule, businessTerm, messageFr, messageEn).join(" ");
}

/** Replaces the one finding of a source by another; `undefined` only deletes it. */
export async function replaceFinding(
  db: Db,
  { invoiceId, source, finding }: {
    invoiceId: number;
    source: string;
    finding: Finding | undefined;
  },
): Promise<void> {
  const mine = and(eq(findingRows.invoiceId, invoiceId), eq(findingRows.source, source));
  if (!finding) return void await db.delete(findingRows).where(mine);
  await db.transaction(async (tx) => {
    await tx.delete(findingRows).where(mine);
    const [key] = await tx.select({ doc: invoices.doc, dct: invoices.dct, kco: invoices.kco }).from(
      invoices,
    )
      .where(eq(invoices.id, invoiceId));
    const seq =
      sql`(select coalesce(max(seq), 0) + 1 from findings where invoice_id = ${invoiceId})`;
    const searchText = findingWords(finding, key);
    await tx.insert(findingRows).values({ ...finding, ...key, invoiceId, seq, searchText });
  });
}

/** Whether the document an invoice has now holds what forbids its sending; by its findings, whatever status says. */
export async function hasFatalFinding(db: Db, invoiceId: number): Promise<boolean> {
  const rows = await db.select({ id: findingRows.id }).from(findingRows)
    .where(and(eq(findingRows.invoiceId, invoiceId), eq(findingRows.level, "FATAL"))).limit(1);
  return rows.length > 0;
}

/** Appends to the history with contiguous numbers; the invoice's row must be locked. */
export async function appendEvents(
  tx: Db,
  invoiceId: number,
  events: readonly EventFields[],
): Promise<void> {
  const last = sql<
    number
  >`(select coalesce(max(seq), 0) from lifecycle_events where invoice_id = ${invoiceId})`;
  await tx.insert(lifecycleEvents).values(
    events.map((event, index) => ({ ...event, invoiceId, seq: sql`${last} + ${index + 1}` })),
  );
}

export type HistoryRow = EventFields & { readonly invoiceId: number };

/** As `appendEvents`, for several invoices, whose rows are all locked. */
export async function appendHistory(tx: Db, rows: readonly HistoryRow[]): Promise<void> {
  const added = new Map<number, number>();
  const values = rows.map((row) => {
    const seq = (added.get(row.invoiceId) ?? 0) + 1;
    added.set(row.invoiceId, seq);
    return { ...row, seq };
  });
  const computed = {
    seq:
      "r.seq + coalesce((select max(seq) from lifecycle_events where invoice_id = r.invoice_id), 0)",
  };
  for (const part of parts(values)) await insertRows(tx, lifecycleEvents, part, { computed });
}

/** Of these events of the PA the ones in a history already, as `<invoice id> <event id>`. */
export async function recordedEvents(
  tx: Db,
  events: readonly { invoice: { id: number }; event: { paEventId?: string | undefined } }[],
): Promise<Set<string>> {
  const named = events.flatMap(({ invoice, event }) =>
    event.paEventId === undefined ? [] : [{ id: invoice.id, event: event.paEventId }]
  );
  if (!named.length) return new Set();
  const rows = await tx.select({ id: lifecycleEvents.invoiceId, event: lifecycleEvents.paEventId })
    .from(lifecycleEvents)
    .where(and(
      inArray(lifecycleEvents.invoiceId, [...new Set(named.map((it) => it.id))]),
      inArray(lifecycleEvents.paEventId, [...new Set(named.map((it) => it.event))]),
    ));
  return new Set(rows.map((it) => `${it.id} ${it.event}`));
}

/** Where an invoice stands after some events. */
export interface Standing {
  readonly id: number;
  readonly status: string;
  readonly statusAt: Date;
  readonly reasonCode: string | null;
  readonly paUuid?: string;
  /** Something of it is to be written. */
  readonly touched: boolean;
}

export async function updateStandings(tx: Db, standings: readonly Standing[]): Promise<void> {
  if (!standings.length) return;
  const texts = (value: (it: Standing) => string | null | undefined) =>
    sql`${sql.param(standings.map((it) => value(it) ?? null))}`;
  await tx.execute(sql`
    update invoices set status = it.status, status_at = it.status_at, reason_code = it.reason_code,
      pa_uuid = coalesce(it.pa_uuid, invoices.pa_uuid), updated_at = now()
    from unnest(${arrayOf(standings.map((it) => it.id))}::bigint[], ${
    texts((it) => it.status)
  }::text[], ${texts((it) => it.statusAt.toISOString())}::timestamptz[],
      ${texts((it) => it.reasonCode)}::text[], ${texts((it) => it.paUuid)}::text[])
      as it (id, status, status_at, reason_code, pa_uuid)
    where invoices.id = it.id`);
}

/** The invoice's own XML, in whichever syntax it is. */
export async function findInvoiceXml(db: Db, invoiceId: number) {
  return await findDocument(db, invoiceId, "ubl") ?? await findDocument(db, invoiceId, "cii");
}

/** The Factur-X file an invoice is sent as or was received in; undefined for one that is XML alone. */
export async function findFacturX(
  db: Db,
  invoiceId: number,
): Promise<{ bytes: Uint8Array; sha256: string } | undefined> {
  const found = await findDocument(db, invoiceId, "factur-x");
  return found && { bytes: Buffer.from(found.content, "base64"), sha256: found.sha256 };
}

/** What the ERP's report said of an invoice; undefined for one that did not come from there. */
export async function findErpPiece(db: Db, invoiceId: number) {
  return await findDocument(db, invoiceId, "erp");
}

type DocumentKind = typeof invoiceDocuments.$inferSelect["kind"];

async function findDocument(db: Db, invoiceId: number, kind: DocumentKind) {
  const [row] = await db.select({
    content: invoiceDocuments.content,
    original: invoiceDocuments.original,
    sha256: invoiceDocuments.sha256,
  })
    .from(invoiceDocuments).where(
      and(eq(invoiceDocuments.invoiceId, invoiceId), eq(invoiceDocuments.kind, kind)),
    );
  return row;
}

function* parts<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    yield rows.slice(at, at + ROWS_PER_INSERT);
  }
}

/** The history of an invoice, in the order it was recorded. */
export async function eventsOf(db: Db, invoiceId: number) {
  return await db.select({
    statusCode: lifecycleEvents.statusCode,
    reasonCode: lifecycleEvents.reasonCode,
    message: lifecycleEvents.message,
    occurredAt: lifecycleEvents.occurredAt,
  }).from(lifecycleEvents).where(eq(lifecycleEvents.invoiceId, invoiceId))
    .orderBy(lifecycleEvents.seq);
}

/** When the oldest invoice of ours that waits for the PA's answer was sent. */
export async function oldestPending(db: Db): Promise<Date | undefined> {
  const [row] = await db.select({ at: invoices.statusAt }).from(invoices)
    .where(and(eq(invoices.status, STATUS.pending), eq(invoices.direction, "issued")))
    .orderBy(asc(invoices.statusAt)).limit(1);
  return row?.at;
}
