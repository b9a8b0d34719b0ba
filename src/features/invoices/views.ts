import { and, asc, count, desc, eq, gte, ilike, like, lte, or, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import {
  findings,
  invoiceLines,
  invoices,
  invoiceVat,
  lifecycleEvents,
} from "#drizzle/schema/mod.ts";
import { type Language, statusLabel } from "#src/domain/invoice/status.ts";
import type { Level } from "#src/domain/validation/finding.ts";
import { folded, likeAnywhere } from "#src/kernel/text.ts";
import type { Db } from "#src/ports/db.ts";

export const INVOICE_SORT = {
  fedoc: invoices.doc,
  fedct: invoices.dct,
  kco: invoices.kco,
  ublNumber: invoices.ublNumber,
  issueDate: invoices.issueDate,
  dueDate: invoices.dueDate,
  invoiceType: invoices.invoiceType,
  totalHT: invoices.totalHT,
  totalTTC: invoices.totalTTC,
  amountDue: invoices.amountDue,
  customerRef: invoices.customerRef,
  customerName: invoices.customerName,
  currency: invoices.currency,
  status: invoices.status,
  createdAt: invoices.createdAt,
} as const satisfies Record<string, PgColumn>;

export interface Page {
  readonly page: number;
  readonly pageSize: number;
  readonly sortDir: "asc" | "desc";
}

export interface InvoiceFilter {
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly ublNumber?: string | undefined;
  readonly customer?: string | undefined;
  readonly direction?: "issued" | "received" | undefined;
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
}

export async function listInvoices(
  db: Db,
  { filter, page, sortBy, language }: {
    filter: InvoiceFilter;
    page: Page;
    sortBy: keyof typeof INVOICE_SORT;
    language: Language;
  },
) {
  const where = matching(filter);
  const rows = await db.select().from(invoices).where(where)
    .orderBy(ordered(INVOICE_SORT[sortBy], page), ordered(invoices.id, page))
    .limit(page.pageSize).offset((page.page - 1) * page.pageSize);
  const [all] = await db.select({ total: count() }).from(invoices).where(where);
  return { invoices: rows.map((row) => summary(row, language)), total: all?.total ?? 0 };
}

export async function countByStatus(
  db: Db,
  filter: Pick<InvoiceFilter, "dateFrom" | "dateTo">,
  language: Language,
) {
  const rows = await db.select({ status: invoices.status, count: count() }).from(invoices)
    .where(matching(filter)).groupBy(invoices.status).orderBy(asc(invoices.status));
  return rows.map((row) => ({ ...row, ...labels(row.status, language) }));
}

export async function linesOfInvoice(db: Db, invoiceId: number) {
  const rows = await db.select().from(invoiceLines).where(eq(invoiceLines.invoiceId, invoiceId))
    .orderBy(asc(invoiceLines.seq));
  return rows.map((it) => ({
    lineId: it.lineId,
    description: it.description ?? "",
    itemId: it.itemId ?? "",
    quantity: number(it.quantity),
    unit: it.unit ?? "",
    unitPrice: number(it.unitPrice),
    lineAmount: number(it.lineAmount),
    allowance: number(it.allowance),
    currency: it.currency ?? "",
    taxCategory: it.taxCategory ?? "",
    taxRate: number(it.taxRate),
    taxExemption: it.taxExemption ?? "",
  }));
}

export async function vatOfInvoice(db: Db, invoiceId: number) {
  const rows = await db.select().from(invoiceVat).where(eq(invoiceVat.invoiceId, invoiceId))
    .orderBy(asc(invoiceVat.seq));
  return rows.map((it) => ({
    sequence: it.seq,
    taxCategory: it.taxCategory ?? "",
    taxRate: number(it.taxRate),
    taxableAmount: number(it.taxableAmount),
    taxAmount: number(it.taxAmount),
    currency: it.currency ?? "",
    taxExemption: it.taxExemption ?? "",
  }));
}

export async function historyOfInvoice(db: Db, invoiceId: number, language: Language) {
  const rows = await db.select().from(lifecycleEvents).where(
    eq(lifecycleEvents.invoiceId, invoiceId),
  )
    .orderBy(asc(lifecycleEvents.seq));
  return rows.map((it) => ({
    sequence: it.seq,
    statusCode: it.statusCode,
    ...labels(it.statusCode, language),
    message: it.message,
    createdAt: it.occurredAt.toISOString().slice(0, 19),
    reasonCode: it.reasonCode,
    actionCode: it.actionCode,
    source: it.source,
  }));
}

export async function findingsOfInvoice(db: Db, invoiceId: number) {
  const rows = await db.select().from(findings).where(eq(findings.invoiceId, invoiceId)).orderBy(
    asc(findings.seq),
  );
  return rows.map(findingView);
}

export const FINDING_SORT = {
  id: findings.id,
  doc: findings.doc,
  dct: findings.dct,
  kco: findings.kco,
  seqn: findings.seq,
  level: findings.level,
  source: findings.source,
  rule: findings.rule,
  message: findings.message,
} as const satisfies Record<string, PgColumn>;

/** Findings of every document, also of those that could not be recorded. */
export async function listFindings(
  db: Db,
  { search, level, page, sortBy }: {
    search?: string | undefined;
    level?: Level | undefined;
    page: Page;
    sortBy: keyof typeof FINDING_SORT;
  },
) {
  const text = search ? likeAnywhere(search) : undefined;
  const where = and(
    level && eq(findings.level, level),
    text
      ? or(ilike(findings.doc, text), ilike(findings.rule, text), ilike(findings.message, text))
      : undefined,
  );
  const rows = await db.select().from(findings).where(where)
    .orderBy(ordered(FINDING_SORT[sortBy], page), ordered(findings.id, page))
    .limit(page.pageSize).offset((page.page - 1) * page.pageSize);
  const [all] = await db.select({ total: count() }).from(findings).where(where);
  const errors = rows.map((row) => ({
    doc: row.doc,
    dct: row.dct,
    kco: row.kco,
    seqn: row.seq,
    ...findingView(row),
  }));
  return { errors, total: all?.total ?? 0 };
}

function findingView(it: typeof findings.$inferSelect) {
  return {
    level: it.level,
    source: it.source,
    rule: it.rule,
    message: it.message,
    messageEn: it.messageEn,
    businessTerm: it.businessTerm,
    location: it.location,
    line: it.line,
    column: it.column,
    value: it.value,
    expected: it.expected,
    sourceField: it.sourceField,
  };
}

function matching(filter: InvoiceFilter): SQL | undefined {
  const customer = filter.customer ? likeAnywhere(filter.customer) : undefined;
  return and(
    filter.search ? like(invoices.searchText, likeAnywhere(folded(filter.search))) : undefined,
    filter.status ? eq(invoices.status, filter.status) : undefined,
    filter.direction ? eq(invoices.direction, filter.direction) : undefined,
    filter.ublNumber ? ilike(invoices.ublNumber, likeAnywhere(filter.ublNumber)) : undefined,
    customer
      ? or(ilike(invoices.customerName, customer), ilike(invoices.customerRef, customer))
      : undefined,
    filter.dateFrom ? gte(invoices.issueDate, filter.dateFrom) : undefined,
    filter.dateTo ? lte(invoices.issueDate, filter.dateTo) : undefined,
  );
}

function ordered(column: PgColumn, { sortDir }: Page): SQL {
  return sortDir === "asc" ? asc(column) : desc(column);
}

function summary(it: typeof invoices.$inferSelect, language: Language) {
  return {
    fedoc: it.doc,
    fedct: it.dct,
    kco: it.kco,
    ublNumber: it.ublNumber ?? "",
    issueDate: it.issueDate ?? "",
    invoiceType: it.invoiceType ?? "",
    totalHT: number(it.totalHT),
    totalTTC: number(it.totalTTC),
    amountDue: number(it.amountDue),
    customerRef: it.customerRef ?? "",
    customerName: it.customerName ?? "",
    currency: it.currency ?? "",
    status: it.status,
    ...labels(it.status, language),
    direction: it.direction,
    dueDate: it.dueDate ?? "",
  };
}

function labels(code: string, language: Language) {
  return { statusLabel: statusLabel(code, language), statusLabelEn: statusLabel(code, "en") };
}

/** Amounts have at most six decimals and fewer than sixteen digits, so the shortest JSON number is the exact text. */
function number(text: string | null): number | null {
  return text === null ? null : Number(text);
}
