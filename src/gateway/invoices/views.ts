import { asc, eq, type SQL, sql } from "drizzle-orm";
import { findings, invoiceVat, lifecycleEvents } from "#drizzle/schema/mod.ts";
import { paymentAmounts } from "#src/domain/cdar/mod.ts";
import type { RateAmount } from "#src/domain/invoice/collected_amounts.ts";
import { computeOpen } from "#src/domain/invoice/collectable.ts";
import { paidLabel } from "#src/domain/invoice/paid_label.ts";
import { statusLabel } from "#src/domain/invoice/status.ts";
import { ourRole } from "#src/domain/treatment/mod.ts";
import { markCauses } from "#src/domain/validation/causes.ts";
import { withMessage } from "#src/domain/validation/finding.ts";
import { formatDecimal } from "#src/kernel/decimal.ts";
import type { Language } from "#src/kernel/language.ts";
import { readColumns } from "#src/kernel/i18n/kept.ts";
import type { Db } from "#src/ports/db.ts";
import type { InvoiceRow } from "./store.ts";

/** Selects the key of the invoice with this id, formatted as `formatInvoiceKey` does. */
export function selectInvoiceKey(id: SQL): SQL {
  return sql`(select concat_ws('-', doc, dct, kco) from invoices where invoices.id = ${id})`;
}

/** Returns the VAT breakdown (BG-23), one row for each category and rate. Amounts are in the invoice's currency. */
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

/** Returns the history of an invoice, the oldest status first, each with its source. */
export async function historyOfInvoice(db: Db, invoiceId: number, language: Language) {
  const rows = await db.select().from(lifecycleEvents).where(
    eq(lifecycleEvents.invoiceId, invoiceId),
  )
    .orderBy(asc(lifecycleEvents.seq));
  return rows.map((it) => ({
    sequence: it.seq,
    statusCode: it.statusCode,
    ...labels(it.statusCode, language),
    message: readColumns(language, it, "message"),
    createdAt: it.occurredAt.toISOString().slice(0, 19),
    reasonCode: it.reasonCode,
    actionCode: it.actionCode,
    source: it.source,
    amounts: [...paymentsIn(it.data)],
  }));
}

/** Returns paid or collected amounts by VAT rate: as a person entered them, or from the reasons of the PA's message. */
export function paymentsIn(data: Record<string, unknown> | null): readonly RateAmount[] {
  if (Array.isArray(data?.["amounts"])) return data["amounts"];
  return Array.isArray(data?.["reasons"]) ? paymentAmounts({ reasons: data["reasons"] }) : [];
}

/** Returns one page of an invoice's findings by cause, and their total number. */
export async function findingsOfInvoice(
  db: Db,
  invoiceId: number,
  { page, pageSize, language }: { page: number; pageSize: number; language: Language },
) {
  const mine = eq(findings.invoiceId, invoiceId);
  const rows = await db.select().from(findings).where(mine).orderBy(asc(findings.seq))
    .limit(pageSize).offset((page - 1) * pageSize);
  return {
    errors: markCauses(rows).map(({ followsFrom, ...it }) => ({
      ...findingView(it, language),
      followsFrom,
    })),
    total: await db.$count(findings, mine),
  };
}

/** Returns the name of an invoice's status; refunds, part payments and payments taken back have their own. */
export function nameStatus(row: InvoiceRow, language: Language): string {
  const paid = paidLabel({
    ...row,
    role: ourRole(row),
    settledAmount: number(row.settledAmount),
    openAmount: Number(formatDecimal(computeOpen(row))),
  });
  return paid?.[language] ?? statusLabel(row.status, language);
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

/** Converts an amount. It has at most six decimals and under sixteen digits, so its JSON number is exact. */
export function number(text: string | number | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text);
}
