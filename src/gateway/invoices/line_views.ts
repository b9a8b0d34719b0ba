import { asc, eq } from "drizzle-orm";
import { invoiceLines } from "#drizzle/schema/mod.ts";
import type { Deps } from "#src/deps.ts";
import type { AllowanceCharge, InvoiceLine } from "#src/domain/ubl/mod.ts";
import { formatDecimal, parseDecimal, sum, ZERO } from "#src/kernel/decimal.ts";
import type { Db } from "#src/ports/db.ts";
import { readStoredDocument } from "./stored_document.ts";
import { number } from "./views.ts";

/** Lists the recorded lines, each with the details that only the stored document holds. */
export async function linesOfInvoice(
  deps: Pick<Deps, "db" | "rules">,
  invoiceId: number,
  options: { readonly signal?: AbortSignal | undefined } = {},
) {
  const rows = await recordedLines(deps.db, invoiceId);
  const document = await readStoredDocument(deps, invoiceId, options);
  const lines = document?.lines.length === rows.length ? document.lines : [];
  return rows.map((row, index) => ({ ...row, ...lineDetails(lines[index]) }));
}

async function recordedLines(db: Db, invoiceId: number) {
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

function lineDetails(line: InvoiceLine | undefined) {
  const { price, delivery, period } = line ?? {};
  const address = delivery?.address;
  return {
    documentLineId: line?.id ?? "",
    parentLineId: line?.parent ?? "",
    lineKind: line?.kind ?? "",
    baseQuantity: number(price?.baseQuantity),
    baseUnit: price?.baseUnit ?? "",
    grossPrice: number(price?.gross),
    priceDiscount: number(price?.discount),
    charge: number(line && total(line.charges)),
    allowances: line?.allowances.map(adjustmentView) ?? [],
    charges: line?.charges.map(adjustmentView) ?? [],
    orderRef: line?.order ?? "",
    orderLineRef: line?.orderLine ?? "",
    despatchRef: line?.despatchAdvice ?? "",
    receivingRef: line?.receivingAdvice ?? "",
    deliveryDate: delivery?.date ?? "",
    deliveryPlace: [delivery?.partyName, address?.city ?? delivery?.locationId?.value]
      .filter((it) => it !== undefined).join(", "),
    periodStart: period?.start ?? "",
    periodEnd: period?.end ?? "",
    note: line?.note ?? "",
  };
}

function total(adjustments: readonly AllowanceCharge[]): string {
  return formatDecimal(
    sum(adjustments.map(({ amount = "0" }) => parseDecimal(amount) ?? ZERO)),
  );
}

function adjustmentView(it: AllowanceCharge) {
  return {
    amount: number(it.amount),
    baseAmount: number(it.baseAmount),
    percentage: number(it.percentage),
    reason: it.reason ?? "",
    reasonCode: it.reasonCode ?? "",
  };
}
