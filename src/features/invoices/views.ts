import { asc, eq } from "drizzle-orm";
import { findings, invoiceLines, invoiceVat, lifecycleEvents } from "#drizzle/schema/mod.ts";
import { paymentAmounts } from "#src/domain/cdar/mod.ts";
import type { RateAmount } from "#src/domain/invoice/collected_amounts.ts";
import { statusLabel } from "#src/domain/invoice/status.ts";
import { withMessage } from "#src/domain/validation/finding.ts";
import type { Language } from "#src/kernel/language.ts";
import { shown } from "#src/kernel/sentences/kept.ts";
import type { Db } from "#src/ports/db.ts";

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

/** The VAT breakdown of an invoice (BG-23), one row a category and rate; amounts in its currency. */
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

/** Every status an invoice ever had, the first one first, each with who set it. */
export async function historyOfInvoice(db: Db, invoiceId: number, language: Language) {
  const rows = await db.select().from(lifecycleEvents).where(
    eq(lifecycleEvents.invoiceId, invoiceId),
  )
    .orderBy(asc(lifecycleEvents.seq));
  return rows.map((it) => ({
    sequence: it.seq,
    statusCode: it.statusCode,
    ...labels(it.statusCode, language),
    message: shown(language, it, "message"),
    createdAt: it.occurredAt.toISOString().slice(0, 19),
    reasonCode: it.reasonCode,
    actionCode: it.actionCode,
    source: it.source,
    amounts: [...paymentsIn(it.data)],
  }));
}

/** What was paid or collected, by VAT rate: a person's word is kept as they gave it, the PA's with its reasons. */
export function paymentsIn(data: Record<string, unknown> | null): readonly RateAmount[] {
  if (Array.isArray(data?.["amounts"])) return data["amounts"];
  return Array.isArray(data?.["reasons"]) ? paymentAmounts({ reasons: data["reasons"] }) : [];
}

/** One page of the findings of an invoice, and how many it has. */
export async function findingsOfInvoice(
  db: Db,
  invoiceId: number,
  { page, pageSize, language }: { page: number; pageSize: number; language: Language },
) {
  const mine = eq(findings.invoiceId, invoiceId);
  const rows = await db.select().from(findings).where(mine).orderBy(asc(findings.seq))
    .limit(pageSize).offset((page - 1) * pageSize);
  return {
    errors: rows.map((it) => findingView(it, language)),
    total: await db.$count(findings, mine),
  };
}

export function findingView(row: typeof findings.$inferSelect, language: Language) {
  const it = withMessage(row, language);
  return {
    level: it.level,
    source: it.source,
    rule: it.rule,
    message: it.message,
    messageFr: it.messageFr,
    messageEn: it.messageEn,
    businessTerm: it.businessTerm,
    location: it.location,
    line: it.line,
    column: it.column,
    value: it.value,
    expected: it.expected,
    evaluated: it.evaluated,
    sourceField: it.sourceField,
  };
}

export function labels(code: string, language: Language) {
  return { statusLabel: statusLabel(code, language), statusLabelEn: statusLabel(code, "en") };
}

/** Amounts have at most six decimals and fewer than sixteen digits, so the shortest JSON number is the exact text. */
export function number(text: string | number | null): number | null {
  return text === null ? null : Number(text);
}
