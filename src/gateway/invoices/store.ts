import { Buffer } from "node:buffer";
import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import {
  findings as findingRows,
  invoiceDocuments,
  invoices,
  lifecycleEvents,
} from "#drizzle/schema/mod.ts";
import type { StoredAttention } from "#src/domain/invoice/attention.ts";
import { SAMPLE_COMPANY } from "#src/domain/invoice/sample.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import { differsFromPa } from "#src/domain/treatment/mod.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import { insertRows } from "#src/platform/lists/insert_rows.ts";
import { splitWords } from "#src/kernel/text.ts";
import { type Db, formatArray, getRows } from "#src/ports/db.ts";

/** Stored invoice. */
export type InvoiceRow = typeof invoices.$inferSelect;
export type InvoiceFields = Omit<typeof invoices.$inferInsert, "id" | "createdAt" | "updatedAt">;

type EventFields = Omit<
  typeof lifecycleEvents.$inferInsert,
  "invoiceId" | "seq" | "createdAt"
>;

function byKey({ doc, dct, kco }: InvoiceKey) {
  return and(eq(invoices.doc, doc), eq(invoices.dct, dct), eq(invoices.kco, kco));
}

/** Finds an invoice by its ERP key. */
export async function findInvoice(db: Db, key: InvoiceKey): Promise<InvoiceRow | undefined> {
  const [row] = await db.select().from(invoices).where(byKey(key));
  return row;
}

/** Finds the invoices of these keys that exist. */
export async function findInvoices(db: Db, keys: readonly InvoiceKey[]): Promise<InvoiceRow[]> {
  if (!keys.length) return [];
  const wanted = sql.join(keys.map(({ doc, dct, kco }) => sql`(${doc}, ${dct}, ${kco})`), sql`, `);
  return await db.select().from(invoices)
    .where(sql`(${invoices.doc}, ${invoices.dct}, ${invoices.kco}) in (${wanted})`);
}

/** Returns the business units or cost centres in the ERP documents of these invoices, by invoice id. */
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

/** Locks the row until the transaction ends. */
export async function lockInvoice(tx: Db, key: InvoiceKey): Promise<InvoiceRow | undefined> {
  const [row] = await tx.select().from(invoices).where(byKey(key)).for("update");
  return row;
}

/** Locks several rows, in the order of their ids so that no deadlock occurs. */
export async function lockInvoicesById(
  tx: Db,
  ids: readonly number[],
): Promise<Map<number, InvoiceRow>> {
  if (!ids.length) return new Map();
  const rows = await tx.select().from(invoices).where(isAmong(ids))
    .orderBy(invoices.id).for("update");
  return new Map(rows.map((it) => [it.id, it]));
}

/** Locks the row until the transaction ends. */
export async function lockInvoiceById(tx: Db, id: number): Promise<InvoiceRow | undefined> {
  const [row] = await tx.select().from(invoices).where(eq(invoices.id, id)).for("update");
  return row;
}

/** Finds the invoices of a number and seller. Several exist only if companies use the same number. */
export async function findByNumber(
  db: Db,
  { number, supplierSiren }: { number: string; supplierSiren: string | undefined },
): Promise<InvoiceRow[]> {
  const seller = supplierSiren ? eq(invoices.supplierSiren, supplierSiren) : undefined;
  return await db.select().from(invoices).where(and(eq(invoices.ublNumber, number), seller));
}

/** Locks the invoices with these numbers, in the order of their ids so that no deadlock occurs. */
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

/** Rule under which a PA filed a flow. `source` tells if its sender declared it (`Input`) or the PA computed it. */
export interface PaFiling {
  readonly rule: string | undefined;
  readonly source: string | undefined;
}

/**
 * Stores the rules under which the PA filed invoices, by their ids. Rows with the same rule are not written. An issued
 * invoice that we declared under another rule then waits for a person.
 */
export async function recordFilings(
  tx: Db,
  filings: ReadonlyMap<number, PaFiling>,
): Promise<void> {
  if (!filings.size) return;
  const all = [...filings.values()];
  const texts = (values: readonly (string | undefined)[]) =>
    sql`${sql.param(values.map((it) => it?.slice(0, MAX_RULE_LENGTH) ?? null))}::text[]`;
  const written = await tx.execute(sql`
    update invoices set pa_rule = it.rule, pa_rule_source = it.source, updated_at = now()
    from unnest(${formatArray([...filings.keys()])}::bigint[], ${
    texts(all.map((it) => it.rule))
  }, ${texts(all.map((it) => it.source))}) as it (id, rule, source)
    where invoices.id = it.id
      and (pa_rule, pa_rule_source) is distinct from (it.rule, it.source)
    returning invoices.id, direction, treatment, pa_rule as "paRule", attention`);
  for (const it of getRows<Filed>(written)) {
    const rest = (it.attention ?? []).filter((point) => point !== "filed-differently");
    const isOpen = it.direction === "issued" && differsFromPa(it.treatment, it.paRule);
    const attention = isOpen ? [...rest, "filed-differently" as const] : rest;
    if (attention.length !== (it.attention?.length ?? 0)) {
      await updateInvoice(tx, Number(it.id), { attention: attentionColumn(attention) });
    }
  }
}

type Filed =
  & Pick<InvoiceRow, "attention" | "direction" | "paRule" | "treatment">
  & { readonly id: string };

/** Returns points of attention as their column stores them: null instead of an empty list. */
export function attentionColumn(
  attention: readonly StoredAttention[],
): readonly StoredAttention[] | null {
  return attention.length ? attention : null;
}

/** Stored characters of a rule that a PA names; published rules have at most thirteen. */
const MAX_RULE_LENGTH = 40;

function isAmong(ids: readonly number[]) {
  return sql`${invoices.id} = any(${formatArray(ids)}::bigint[])`;
}

const ROWS_PER_INSERT = 500;

/** Inserts the findings of an invoice, or of a document that could not be recorded as one. */
export async function insertFindings(
  tx: Db,
  { findings, invoiceId, key, runId }: {
    findings: readonly Finding[];
    invoiceId?: number;
    /** Known parts of the key. */
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

/** Returns the words by which a search finds a finding. */
export function findingWords(
  { rule, messageFr, messageEn, businessTerm }: Finding,
  key: Partial<InvoiceKey> | undefined,
): string {
  return splitWords(key?.doc, rule, businessTerm, messageFr, messageEn).join(" ");
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

/** Returns true if a finding of the present document forbids its submission, whatever the status. */
export async function hasFatalFinding(db: Db, invoiceId: number): Promise<boolean> {
  const rows = await db.select({ id: findingRows.id }).from(findingRows)
    .where(and(eq(findingRows.invoiceId, invoiceId), eq(findingRows.level, "FATAL"))).limit(1);
  return rows.length > 0;
}

/** Returns those of the invoices that have a fatal finding. */
export async function findFatal(db: Db, invoiceIds: readonly number[]): Promise<Set<number>> {
  if (!invoiceIds.length) return new Set();
  const rows = await db.selectDistinct({ id: findingRows.invoiceId }).from(findingRows)
    .where(and(inArray(findingRows.invoiceId, [...invoiceIds]), eq(findingRows.level, "FATAL")));
  return new Set(rows.flatMap((it) => it.id ?? []));
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

/** Appends to the histories of several invoices, as `appendEvents` does. All their rows must be locked. */
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

/** Returns the PA's events that are already in a history, as `<invoice id> <event id>`. */
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

/** State of an invoice after some events. */
export interface Standing {
  readonly id: number;
  readonly status: string;
  readonly statusAt: Date;
  readonly reasonCode: string | null;
  readonly paUuid?: string;
  readonly attention: readonly StoredAttention[];
  /** Sum of the amounts collected or paid; null if none is known. */
  readonly settledAmount: string | null;
  readonly depositedAt: Date | null;
  /** True if the row must be written. */
  readonly touched: boolean;
}

export async function updateStandings(tx: Db, standings: readonly Standing[]): Promise<void> {
  if (!standings.length) return;
  const texts = (value: (it: Standing) => string | null | undefined) =>
    sql`${sql.param(standings.map((it) => value(it) ?? null))}`;
  await tx.execute(sql`
    update invoices set status = it.status, status_at = it.status_at, reason_code = it.reason_code,
      pa_uuid = coalesce(it.pa_uuid, invoices.pa_uuid),
      attention = string_to_array(it.attention, ','), settled_amount = it.settled_amount,
      deposited_at = it.deposited_at, updated_at = now()
    from unnest(${formatArray(standings.map((it) => it.id))}::bigint[], ${
    texts((it) => it.status)
  }::text[], ${texts((it) => it.statusAt.toISOString())}::timestamptz[],
      ${texts((it) => it.reasonCode)}::text[], ${texts((it) => it.paUuid)}::text[],
      ${texts((it) => it.attention.join() || null)}::text[],
      ${texts((it) => it.settledAmount)}::numeric[],
      ${texts((it) => it.depositedAt?.toISOString())}::timestamptz[])
      as it (id, status, status_at, reason_code, pa_uuid, attention, settled_amount, deposited_at)
    where invoices.id = it.id`);
}

/** Finds the invoice's own XML, UBL or CII. */
export async function findInvoiceXml(db: Db, invoiceId: number) {
  return await findDocument(db, invoiceId, "ubl") ?? await findDocument(db, invoiceId, "cii");
}

/** Finds the Factur-X file of an invoice; undefined if the invoice is XML alone. */
export async function findFacturX(
  db: Db,
  invoiceId: number,
): Promise<{ bytes: Uint8Array; sha256: string } | undefined> {
  const found = await findDocument(db, invoiceId, "factur-x");
  return found && { bytes: Buffer.from(found.content, "base64"), sha256: found.sha256 };
}

/** Finds the ERP document of an invoice; undefined if the invoice does not come from the ERP. */
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

/** Returns the history of an invoice in the order of recording. */
export async function readEvents(db: Db, invoiceId: number) {
  return await db.select({
    statusCode: lifecycleEvents.statusCode,
    reasonCode: lifecycleEvents.reasonCode,
    message: lifecycleEvents.message,
    occurredAt: lifecycleEvents.occurredAt,
    data: lifecycleEvents.data,
  }).from(lifecycleEvents).where(eq(lifecycleEvents.invoiceId, invoiceId))
    .orderBy(lifecycleEvents.seq);
}

/** Returns the moment from which the oldest issued invoice waits for the PA's answer. */
export async function oldestPending(db: Db): Promise<Date | undefined> {
  const [row] = await db.select({ at: invoices.statusAt }).from(invoices)
    .where(
      and(
        eq(invoices.status, STATUS.pending),
        eq(invoices.direction, "issued"),
        ne(invoices.kco, SAMPLE_COMPANY),
      ),
    )
    .orderBy(asc(invoices.statusAt)).limit(1);
  return row?.at;
}
