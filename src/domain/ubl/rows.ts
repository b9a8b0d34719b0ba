import { formatDecimal, parseDecimal, sum, ZERO } from "#src/kernel/decimal.ts";
import type { InvoiceDocument, InvoiceLine, VatCategory } from "./model.ts";

/** One invoice line as stored and listed; numbers are decimal text. */
interface InvoiceLineRow {
  /** BT-126 when every line of the document has its own whole number, else the position, from 1. */
  readonly lineId: number;
  /** Item name (BT-153), else its description (BT-154). */
  readonly description: string | undefined;
  /** Identifier given by the seller, else by the buyer, else the standard one. */
  readonly itemId: string | undefined;
  readonly quantity: string | undefined;
  readonly unit: string | undefined;
  readonly unitPrice: string | undefined;
  readonly lineAmount: string | undefined;
  /** Sum of the line's allowances (BT-136); charges are not deducted. */
  readonly allowance: string;
  readonly currency: string | undefined;
  readonly taxCategory: string | undefined;
  readonly taxRate: string | undefined;
  /** Reason stated on the line, else in the VAT breakdown for the same category and rate; may be empty. */
  readonly taxExemption: string;
}

/** One entry of the VAT breakdown as stored and listed; numbers are decimal text. */
export interface VatRow {
  /** Position in the document, from 1. */
  readonly sequence: number;
  readonly taxCategory: string | undefined;
  readonly taxRate: string | undefined;
  readonly taxableAmount: string | undefined;
  readonly taxAmount: string | undefined;
  readonly currency: string | undefined;
  /** Exemption reason (BT-120), else its code (BT-121), else empty. */
  readonly taxExemption: string;
}

/**
 * Checks whether a line counts in the totals: a group repeats the amounts of its parts, and an information line
 * has none.
 */
export function isCounted({ kind }: Pick<InvoiceLine, "kind">): boolean {
  return kind === undefined || kind === "DETAIL";
}

/** Returns the recorded lines of an invoice; they are numbered by position unless each has its own number. */
export function toLineRows(invoice: InvoiceDocument): InvoiceLineRow[] {
  const ids = lineIds(invoice.lines);
  return invoice.lines.map((line, index) => ({
    lineId: ids[index] ?? index + 1,
    description: line.item.name ?? line.item.description,
    itemId: line.item.sellerId ?? line.item.buyerId ?? line.item.standardId?.value,
    quantity: line.quantity,
    unit: line.unit,
    unitPrice: line.price.net,
    lineAmount: line.netAmount,
    allowance: getAllowance(line),
    currency: line.currency,
    taxCategory: line.vat.code,
    taxRate: line.vat.rate,
    taxExemption: getExemption(line.vat) || exemptionInBreakdown(invoice, line.vat),
  }));
}

/** Returns the recorded VAT breakdown (BG-23). */
export function toVatRows(invoice: InvoiceDocument): VatRow[] {
  return invoice.vatBreakdown.map((subtotal, index) => ({
    sequence: index + 1,
    taxCategory: subtotal.vat.code,
    taxRate: subtotal.vat.rate,
    taxableAmount: subtotal.taxableAmount,
    taxAmount: subtotal.taxAmount,
    currency: subtotal.currency,
    taxExemption: getExemption(subtotal.vat),
  }));
}

function getAllowance(line: InvoiceLine): string {
  const amounts = line.allowances.map(({ amount = "0" }) => parseDecimal(amount) ?? ZERO);
  return formatDecimal(sum(amounts));
}

function lineIds(lines: readonly InvoiceLine[]): readonly number[] {
  const ids = lines.flatMap((line) => /^\d{1,9}$/.test(line.id ?? "") ? [Number(line.id)] : []);
  return new Set(ids).size === lines.length ? ids : [];
}

function getExemption(vat: VatCategory): string {
  return vat.exemptionReason ?? vat.exemptionCode ?? "";
}

function exemptionInBreakdown(invoice: InvoiceDocument, vat: VatCategory): string {
  const same = invoice.vatBreakdown.find((subtotal) =>
    subtotal.vat.code === vat.code && Number(subtotal.vat.rate ?? 0) === Number(vat.rate ?? 0)
  );
  return same ? getExemption(same.vat) : "";
}
