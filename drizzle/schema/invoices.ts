import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";
import type { Level } from "#src/domain/validation/finding.ts";
import { beginning, byBytes, gravityOf, nameKey, wordsIn } from "./expressions.ts";

const amount = () => p.numeric({ precision: 24, scale: 6 });

/** One row per ERP document. The ERP's three-part key is unique; amounts are exact and at most six decimals. */
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
  supplierRef: p.text(),
  supplierSiren: p.text(),
  supplierName: p.text(),
  customerRef: p.text(),
  customerName: p.text(),
  orderRef: p.text(),
  contractRef: p.text(),
  status: p.text().notNull(),
  /** When the status became true, by whoever set it. */
  statusAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** Number of the latest sending; 0 before the first. */
  generation: p.integer().notNull().default(0),
  reasonCode: p.text(),
  /** The PA's flow id of the accepted generation. */
  paUuid: p.text(),
  jobNumber: p.text(),
  /** The name as it is sorted: lower case, accents removed, its beginning. */
  customerSort: p.text(),
  /** The words `search` looks for, separated by blanks: lower case, accents removed. */
  searchText: p.text().notNull().default(""),
  /** The rule sets and versions that judged it, and whether all rules could be evaluated. */
  verdict: p.jsonb().$type<Record<string, unknown>>(),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  updatedAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
}, (t) => [
  p.uniqueIndex("invoices_key").on(t.doc, t.dct, t.kco),
  // A lifecycle message names an invoice by its number, too.
  p.index("invoices_by_number").on(t.ublNumber, t.id),
  p.index("invoices_by_issue_date").on(t.issueDate, t.id),
  p.index("invoices_by_due_date").on(t.dueDate, t.issueDate, t.id),
  p.index("invoices_by_type").on(beginning(t.invoiceType), t.issueDate, t.id),
  p.index("invoices_by_total_ht").on(t.totalHT, t.id),
  p.index("invoices_by_total_ttc").on(t.totalTTC, t.id),
  p.index("invoices_by_amount_due").on(t.amountDue, t.id),
  // The status is told without reading the invoices that have another.
  p.index("invoices_by_customer_ref")
    .on(t.direction, beginning(t.customerRef), t.issueDate, t.id, t.status),
  p.index("invoices_by_customer").on(t.direction, t.customerSort, t.issueDate, t.id, t.status),
  p.index("invoices_by_supplier")
    .on(t.direction, nameKey(t.supplierName), t.issueDate, t.id, t.status),
  p.index("invoices_by_currency").on(beginning(t.currency), t.issueDate, t.id),
  p.index("invoices_by_created").on(t.createdAt, t.id),
  p.index("invoices_of_status").on(t.status, t.issueDate, t.id),
  // Of a filter beside a status, of several statuses merged; a status has those of one company, type or direction side by side.
  p.index("invoices_of_status_and_company").on(t.status, t.kco, t.issueDate, t.id),
  p.index("invoices_of_status_and_dct").on(t.status, t.dct, t.issueDate, t.id),
  p.index("invoices_of_status_and_direction").on(t.status, t.direction, t.issueDate, t.id),
  p.index("invoices_of_status_by_total").on(t.status, t.totalTTC, t.id),
  p.index("invoices_of_direction").on(t.direction, t.issueDate, t.id),
  p.index("invoices_of_company").on(t.kco, t.issueDate, t.id),
  p.index("invoices_of_dct").on(t.dct, t.issueDate, t.id),
  p.index("invoices_words").using("gin", wordsIn(t.searchText)),
]);

/** How many invoices there are; a trigger of `invoices` counts, each connection in rows of its own (`slot`). */
export const invoiceCounts = p.pgTable("invoice_counts", {
  direction: p.text().$type<"issued" | "received">().notNull(),
  status: p.text().notNull(),
  slot: p.integer().notNull(),
  n: p.bigint({ mode: "number" }).notNull(),
}, (t) => [p.primaryKey({ columns: [t.direction, t.status, t.slot] })]);

/** The same of each company and type, of what is to be paid and what is not. */
export const invoiceGroupCounts = p.pgTable("invoice_group_counts", {
  kco: p.text().notNull(),
  dct: p.text().notNull(),
  direction: p.text().$type<"issued" | "received">().notNull(),
  status: p.text().notNull(),
  slot: p.integer().notNull(),
  n: p.bigint({ mode: "number" }).notNull(),
  /** As `is_payable` says of its type and of what is due. */
  payable: p.boolean().notNull(),
}, (t) => [
  p.primaryKey({ columns: [t.kco, t.dct, t.direction, t.status, t.payable, t.slot] }),
  p.index("invoice_group_counts_of_dct").on(t.dct, t.direction, t.status, t.payable),
]);

/**
 * The values invoices are sorted by that many share, and which companies, types and directions have them, or had, in what is to be paid
 * and what is not: triggers of `invoices` add what is new, and nothing is ever removed. A row may be there twice.
 */
export const invoiceValues = p.pgTable("invoice_values", {
  sortBy: p.text().notNull(),
  value: p.text().notNull(),
  direction: p.text().$type<"issued" | "received">().notNull(),
  kco: p.text().notNull(),
  dct: p.text().notNull(),
  payable: p.boolean().notNull(),
}, (t) => [
  p.index("invoice_values_in_order").on(t.sortBy, t.value, t.direction, t.kco, t.dct, t.payable),
  p.index("invoice_values_of_names")
    .on(t.sortBy, byBytes(t.value), t.direction, t.kco, t.dct, t.payable)
    .where(sql`sort_by in ('customerName', 'supplierName')`),
  p.index("invoice_values_of_company")
    .on(t.kco, t.sortBy, t.value, t.direction, t.dct, t.payable)
    .where(sql`sort_by not in ('customerName', 'supplierName')`),
  p.index("invoice_values_of_names_of_company")
    .on(t.kco, t.sortBy, byBytes(t.value), t.direction, t.dct, t.payable)
    .where(sql`sort_by in ('customerName', 'supplierName')`),
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
  /** As in `invoices`, for sums of a year that join nothing; null in rows written by a version before these columns. */
  direction: p.text().$type<"issued" | "received">(),
  issueDate: p.date({ mode: "string" }),
}, (t) => [
  p.primaryKey({ columns: [t.invoiceId, t.seq] }),
  // Of all the columns that are summed, so that the rows themselves are not read.
  p.index("invoice_vat_of_direction").on(
    t.direction,
    t.issueDate,
    t.currency,
    t.taxRate,
    t.taxableAmount,
    t.taxAmount,
  ),
]);

/** Append-only; `seq` is contiguous per invoice, a PA event is recorded once. */
export const lifecycleEvents = p.pgTable("lifecycle_events", {
  invoiceId: invoiceId(),
  seq: p.integer().notNull(),
  statusCode: p.text().notNull(),
  message: p.text().notNull().default(""),
  messageFr: p.text(),
  reasonCode: p.text(),
  actionCode: p.text(),
  /** Who caused it: `pipeline`, `pa`, `operator:<user>`. */
  source: p.text().notNull(),
  /** It changed the status, or what is said of it, and was announced; null in rows older than this column. */
  announced: p.boolean(),
  /** The PA's own id of the event. */
  paEventId: p.text(),
  data: p.jsonb().$type<Record<string, unknown>>(),
  /** When it happened, by whoever set it; `createdAt` is when it was recorded. */
  occurredAt: p.timestamp({ withTimezone: true }).notNull(),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
}, (t) => [
  p.primaryKey({ columns: [t.invoiceId, t.seq] }),
  p.uniqueIndex("lifecycle_pa_event").on(t.invoiceId, t.paEventId),
  p.index("lifecycle_by_time").on(t.occurredAt, t.statusCode, t.source, t.invoiceId),
]);

/** Findings of stored invoices and of documents that never became one (then `doc dct kco` may be empty). */
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
  /** False where the rule could not be evaluated: what it asks may hold, or not. */
  evaluated: p.boolean().notNull().default(true),
  /** The words `search` looks for, in both languages: lower case, accents removed, separated by blanks. */
  searchText: p.text().notNull().default(""),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
}, (t) => [
  p.index("findings_of_invoice").on(t.invoiceId, t.seq),
  p.index("findings_of_no_invoice").on(t.doc, t.dct, t.kco).where(sql`invoice_id is null`),
  p.index("findings_by_doc").on(beginning(t.doc), t.id),
  p.index("findings_by_dct").on(beginning(t.dct), t.id),
  p.index("findings_by_kco").on(beginning(t.kco), t.id),
  p.index("findings_by_seq").on(t.seq, t.id),
  p.index("findings_by_gravity").on(gravityOf(t.level), t.id),
  p.index("findings_by_source").on(beginning(t.source), t.id),
  p.index("findings_by_rule").on(beginning(t.rule), t.id),
  p.index("findings_by_message").on(beginning(t.messageFr), t.id),
  p.index("findings_by_message_en").on(beginning(t.messageEn), t.id),
  p.index("findings_by_created").on(t.createdAt, t.id),
  p.index("findings_of_run").on(t.runId, t.id),
  p.index("findings_words").using("gin", wordsIn(t.searchText)),
]);

/**
 * The documents of an invoice by kind: the invoice in UBL or CII, the Factur-X file that holds it (base64), the ERP piece it came
 * from, a rendering (base64).
 */
export const invoiceDocuments = p.pgTable("invoice_documents", {
  invoiceId: invoiceId(),
  kind: p.text().$type<"ubl" | "cii" | "factur-x" | "erp" | "pdf">().notNull(),
  content: p.text().notNull(),
  /** Base64 of the bytes it came in, where writing the text anew gives others: a byte order mark, big-endian UTF-16. */
  original: p.text(),
  sha256: p.text().notNull(),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
}, (t) => [p.primaryKey({ columns: [t.invoiceId, t.kind] })]);
