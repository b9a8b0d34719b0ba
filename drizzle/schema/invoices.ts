import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";
import type { StoredAttention } from "#src/domain/invoice/attention.ts";
import type { TreatmentCode, TreatmentDetails } from "#src/domain/treatment/mod.ts";
import type { Level } from "#src/domain/validation/finding.ts";
import { beginning, getGravity, signAmount, wordsIn } from "./expressions.ts";

const amount = () => p.numeric({ precision: 24, scale: 6 });

/**
 * One row per ERP document. The ERP's three-part key is unique; amounts are exact, with at most six decimals.
 */
export const invoices = p.pgTable("invoices", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  doc: p.text().notNull(),
  dct: p.text().notNull(),
  kco: p.text().notNull(),
  direction: p.text().$type<"issued" | "received">().notNull().default("issued"),
  template: p.text(),
  ublNumber: p.text(),
  issueDate: p.date({ mode: "string" }),
  dueDate: p.date({ mode: "string" }),
  invoiceType: p.text(),
  processType: p.text(),
  currency: p.text(),
  totalHT: amount(),
  totalTTC: amount(),
  amountDue: amount(),
  totalVat: amount(),
  /** BT-6; null in rows older than this column, as is `taxTotal`. */
  taxCurrency: p.text(),
  /** BT-111: total of VAT in `taxCurrency`. */
  taxTotal: amount(),
  supplierRef: p.text(),
  supplierSiren: p.text(),
  supplierName: p.text(),
  customerRef: p.text(),
  customerName: p.text(),
  orderRef: p.text(),
  contractRef: p.text(),
  status: p.text().notNull(),
  /** Time when the status became true, as reported by its source. */
  statusAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** Number of the latest submission; 0 before the first. */
  generation: p.integer().notNull().default(0),
  reasonCode: p.text(),
  /** The PA's flow id of the accepted submission. */
  paUuid: p.text(),
  jobNumber: p.text(),
  /** Sort key of the name: its beginning in lower case without accents. */
  customerSort: p.text(),
  /** Words for `search`, also of the lines, separated by blanks: lower case, without accents. */
  searchText: p.text().notNull().default(""),
  /** Rule sets and versions that validated the invoice, and whether all rules could be evaluated. */
  verdict: p.jsonb().$type<Record<string, unknown>>(),
  /** Tax treatment; null in rows older than this column. */
  treatment: p.text().$type<TreatmentCode>(),
  treatmentDetails: p.jsonb().$type<TreatmentDetails>(),
  /** VAT becomes due when the payment is received; null if unknown. */
  vatOnReceipt: p.boolean(),
  /**
   * Sum of the amounts collected (212) of a sale, or paid (211) of a purchase, in the invoice's currency; null
   * if no event stated an amount.
   */
  settledAmount: amount(),
  /** First time at which a PA confirmed the deposit (10). */
  depositedAt: p.timestamp({ withTimezone: true }),
  /** Last `processingRule` and `processingRuleSource` from the PA. */
  paRule: p.text(),
  paRuleSource: p.text(),
  /** Points that wait for a person; null where none wait. */
  attention: p.text().array().$type<readonly StoredAttention[]>(),
  /** `statusAt` of the status that a person marked as handled; another time marks an earlier status. */
  handledStatusAt: p.timestamp({ withTimezone: true }),
  /** Time, user and comment of this mark; null for marks older than these columns. */
  handledAt: p.timestamp({ withTimezone: true }),
  handledBy: p.text(),
  handledComment: p.text(),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  updatedAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
}, (t) => [
  p.uniqueIndex("invoices_key").on(t.doc, t.dct, t.kco),
  // Lifecycle messages may identify an invoice by its number only.
  p.index("invoices_by_number").on(t.ublNumber, t.id),
  // The direction in these two indexes spares reading the invoices that have the other.
  p.index("invoices_by_issue_date").on(t.issueDate, t.id, t.direction),
  p.index("invoices_of_status").on(t.status, t.issueDate, t.id, t.direction),
  p.index("invoices_by_due_date").on(t.dueDate, t.issueDate, t.id),
  p.index("invoices_by_total_ttc").on(t.totalTTC, t.id),
  p.index("invoices_by_signed_total").on(signAmount(t.totalTTC, t.invoiceType), t.id),
  p.index("invoices_by_created").on(t.createdAt, t.id),
  // The few that wait for a person, whatever their order.
  p.index("invoices_attention").on(t.issueDate, t.id)
    .where(sql`attention is not null or treatment = 'UNDECIDED'`),
  p.index("invoices_words").using("gin", wordsIn(t.searchText)),
]);

const invoiceId = () =>
  p.bigint({ mode: "number" }).notNull().references(() => invoices.id, { onDelete: "cascade" });

export const invoiceLines = p.pgTable("invoice_lines", {
  invoiceId: invoiceId(),
  seq: p.integer().notNull(),
  lineId: p.integer().notNull(),
  description: p.text(),
  itemId: p.text(),
  quantity: amount(),
  unit: p.text(),
  unitPrice: p.numeric({ precision: 28, scale: 10 }),
  lineAmount: amount(),
  allowance: amount(),
  currency: p.text(),
  taxCategory: p.text(),
  taxRate: p.numeric({ precision: 12, scale: 6 }),
  taxExemption: p.text(),
}, (t) => [p.primaryKey({ columns: [t.invoiceId, t.seq] })]);

export const invoiceVat = p.pgTable("invoice_vat", {
  invoiceId: invoiceId(),
  seq: p.integer().notNull(),
  taxCategory: p.text(),
  taxRate: p.numeric({ precision: 12, scale: 6 }),
  taxableAmount: amount(),
  taxAmount: amount(),
  currency: p.text(),
  taxExemption: p.text(),
  /** Copied from `invoices`, so that sums of a year need no join; null in rows older than these columns. */
  direction: p.text().$type<"issued" | "received">(),
  issueDate: p.date({ mode: "string" }),
}, (t) => [
  p.primaryKey({ columns: [t.invoiceId, t.seq] }),
  // Holds all summed columns, so that the rows themselves are not read.
  p.index("invoice_vat_of_direction").on(
    t.direction,
    t.issueDate,
    t.currency,
    t.taxRate,
    t.taxableAmount,
    t.taxAmount,
  ),
]);

/** Append-only events. `seq` is contiguous per invoice; each PA event is recorded once. */
export const lifecycleEvents = p.pgTable("lifecycle_events", {
  invoiceId: invoiceId(),
  seq: p.integer().notNull(),
  statusCode: p.text().notNull(),
  message: p.text().notNull().default(""),
  messageFr: p.text(),
  reasonCode: p.text(),
  actionCode: p.text(),
  /** Origin: `pipeline`, `pa` or `operator:<user>`. */
  source: p.text().notNull(),
  /**
   * True if the event changed the status or its details and was announced; null in rows older than this
   * column.
   */
  announced: p.boolean(),
  /** The PA's own id of the event. */
  paEventId: p.text(),
  data: p.jsonb().$type<Record<string, unknown>>(),
  /** Time of the event, as reported by its source; `createdAt` is when it was recorded. */
  occurredAt: p.timestamp({ withTimezone: true }).notNull(),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
}, (t) => [
  p.primaryKey({ columns: [t.invoiceId, t.seq] }),
  p.uniqueIndex("lifecycle_pa_event").on(t.invoiceId, t.paEventId),
  p.index("lifecycle_by_time").on(t.occurredAt, t.statusCode, t.source, t.invoiceId),
]);

/** Findings of stored invoices, and of documents that never became one (then `doc dct kco` may be empty). */
export const findings = p.pgTable("findings", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  invoiceId: p.bigint({ mode: "number" }).references(() => invoices.id, { onDelete: "cascade" }),
  runId: p.uuid(),
  doc: p.text().notNull().default(""),
  dct: p.text().notNull().default(""),
  kco: p.text().notNull().default(""),
  seq: p.integer().notNull(),
  level: p.text().$type<Level>().notNull(),
  source: p.text().notNull(),
  rule: p.text().notNull(),
  messageFr: p.text("message").notNull(),
  messageEn: p.text().notNull(),
  businessTerm: p.text(),
  location: p.text().notNull().default(""),
  line: p.integer().notNull().default(0),
  column: p.integer("col").notNull().default(0),
  value: p.text(),
  expected: p.text(),
  sourceField: p.text(),
  /** False if the rule could not be evaluated, so its result is unknown. */
  evaluated: p.boolean().notNull().default(true),
  /** Words for `search` in both languages, separated by blanks: lower case, without accents. */
  searchText: p.text().notNull().default(""),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
}, (t) => [
  p.index("findings_of_invoice").on(t.invoiceId, t.seq),
  p.index("findings_of_no_invoice").on(t.doc, t.dct, t.kco).where(sql`invoice_id is null`),
  p.index("findings_by_doc").on(beginning(t.doc), t.id),
  p.index("findings_by_dct").on(beginning(t.dct), t.id),
  p.index("findings_by_kco").on(beginning(t.kco), t.id),
  p.index("findings_by_seq").on(t.seq, t.id),
  p.index("findings_by_gravity").on(getGravity(t.level), t.id),
  p.index("findings_by_source").on(beginning(t.source), t.id),
  p.index("findings_by_rule").on(beginning(t.rule), t.id),
  p.index("findings_by_message").on(beginning(t.messageFr), t.id),
  p.index("findings_by_message_en").on(beginning(t.messageEn), t.id),
  p.index("findings_by_created").on(t.createdAt, t.id),
  p.index("findings_of_run").on(t.runId, t.id),
  p.index("findings_words").using("gin", wordsIn(t.searchText)),
]);

/**
 * Documents of an invoice by kind: UBL or CII, the Factur-X file that contains it (base64), the ERP document,
 * a rendering (base64).
 */
export const invoiceDocuments = p.pgTable("invoice_documents", {
  invoiceId: invoiceId(),
  kind: p.text().$type<"ubl" | "cii" | "factur-x" | "erp" | "pdf">().notNull(),
  content: p.text().notNull(),
  /**
   * Base64 of the original bytes if encoding the text gives others: a byte order mark, big-endian UTF-16.
   */
  original: p.text(),
  sha256: p.text().notNull(),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
}, (t) => [p.primaryKey({ columns: [t.invoiceId, t.kind] })]);
