import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { ourRole, type TreatmentCode } from "#src/domain/treatment/mod.ts";
import {
  add,
  type Decimal,
  formatDecimal,
  negate,
  parseDecimal,
  toFixed,
  ZERO,
} from "#src/kernel/decimal.ts";
import { isInTotal } from "./counted.ts";

/** Facts that decide the side and the sign of summed invoices. */
interface Summed {
  /** `yyyy-MM` */
  readonly month: string;
  readonly direction: "issued" | "received";
  readonly invoiceType: string | null;
  /** True if the total of each invoice is negative already, as some systems write credit notes. */
  readonly isNegative: boolean;
  readonly treatment: TreatmentCode | null;
  readonly invoices: number;
  readonly base: string | null;
  readonly vat: string | null;
}

/** VAT entries in EUR of counted invoices, summed by category and rate. */
export interface SummedVat extends Summed {
  readonly category: string | null;
  /** Percent. */
  readonly rate: string | null;
  /** VAT becomes due with the payment. */
  readonly isOnReceipt: boolean;
}

/** Counted invoices in another currency, summed. */
export interface SummedForeign extends Summed {
  readonly currency: string;
  /** Number of invoices that state their VAT in EUR (BT-111), and that VAT. */
  readonly statedInvoices: number;
  readonly statedVat: string | null;
}

/** VAT of one treatment, category and rate. Amounts are decimal texts in EUR; credit notes are subtracted. */
export interface VatLine {
  readonly treatment: TreatmentCode;
  /** False if the VAT is shown apart and not in the total. */
  readonly isInTotal: boolean;
  readonly category: string;
  readonly rate: string;
  readonly invoices: number;
  readonly base: string;
  readonly vat: string;
  /** Part of `vat` that becomes due with the payment. */
  readonly vatOnReceipt: string;
}

/** Invoices in one other currency; `base` and `vat` are in that currency and in no total. */
export interface ForeignLine {
  readonly currency: string;
  readonly treatment: TreatmentCode;
  readonly isInTotal: boolean;
  readonly invoices: number;
  readonly base: string;
  readonly vat: string;
  readonly statedInvoices: number;
  /** VAT in EUR that the invoices state; part of the side's `vat` if `isInTotal`. */
  readonly statedVat: string;
}

/** VAT of sales or of purchases. */
export interface VatSide {
  /** Taxable amounts in EUR of the lines in the total. */
  readonly base: string;
  /** VAT in EUR: of the lines in the total, and stated by invoices in other currencies. */
  readonly vat: string;
  /** Part of the lines in the total that becomes due with the payment. */
  readonly vatOnReceipt: string;
  readonly lines: VatLine[];
  readonly foreign: ForeignLine[];
}

export interface VatFigures {
  readonly sales: VatSide;
  readonly purchases: VatSide;
  /** VAT collected less VAT deductible. */
  readonly balance: string;
}

type Side = "purchases" | "sales";

/** Computes collected and deductible VAT from summed entries. */
export function computeVat(
  vat: readonly SummedVat[],
  foreign: readonly SummedForeign[],
): VatFigures {
  const sales = computeSide("sales", { vat, foreign });
  const purchases = computeSide("purchases", { vat, foreign });
  const balance = add(read(sales.vat), negate(read(purchases.vat)));
  return { sales, purchases, balance: write(balance) };
}

/** Computes the figures of each month that has entries, in order. */
export function computeMonths(
  vat: readonly SummedVat[],
  foreign: readonly SummedForeign[],
): (VatFigures & { readonly month: string })[] {
  const months = [...new Set([...vat, ...foreign].map((it) => it.month))].toSorted();
  return months.map((month) => {
    const isOfMonth = (it: Summed) => it.month === month;
    return { month, ...computeVat(vat.filter(isOfMonth), foreign.filter(isOfMonth)) };
  });
}

function computeSide(
  side: Side,
  { vat, foreign }: {
    readonly vat: readonly SummedVat[];
    readonly foreign: readonly SummedForeign[];
  },
): VatSide {
  const own = vat.filter((it) => sideOf(it) === side);
  const lines = groupBy(own, lineKey).map((group) => toLine(side, group)).toSorted(inOrder);
  const others = groupBy(
    foreign.filter((it) => sideOf(it) === side),
    (it) => `${it.currency} ${treatmentOf(it)}`,
  ).map((group) => toForeign(side, group));
  const counted = lines.filter((it) => it.isInTotal);
  const stated = others.filter((it) => it.isInTotal).map((it) => it.statedVat);
  return {
    base: write(addAll(counted.map((it) => it.base))),
    vat: write(addAll([...counted.map((it) => it.vat), ...stated])),
    vatOnReceipt: write(addAll(counted.map((it) => it.vatOnReceipt))),
    lines,
    foreign: others.toSorted((a, b) => compareTexts(a.currency, b.currency)),
  };
}

function toLine(side: Side, group: readonly [SummedVat, ...SummedVat[]]): VatLine {
  const [first] = group;
  const treatment = treatmentOf(first);
  const onReceipt = group.filter((it) => it.isOnReceipt);
  return {
    treatment,
    isInTotal: isInTotal(side, treatment),
    category: first.category ?? "",
    rate: formatDecimal(read(first.rate)),
    invoices: group.reduce((count, it) => count + it.invoices, 0),
    base: write(addSigned(group, (it) => it.base)),
    vat: write(addSigned(group, (it) => it.vat)),
    vatOnReceipt: write(addSigned(onReceipt, (it) => it.vat)),
  };
}

function toForeign(side: Side, group: readonly [SummedForeign, ...SummedForeign[]]): ForeignLine {
  const [first] = group;
  const treatment = treatmentOf(first);
  return {
    currency: first.currency,
    treatment,
    isInTotal: isInTotal(side, treatment),
    invoices: group.reduce((count, it) => count + it.invoices, 0),
    base: write(addSigned(group, (it) => it.base)),
    vat: write(addSigned(group, (it) => it.vat)),
    statedInvoices: group.reduce((count, it) => count + it.statedInvoices, 0),
    statedVat: write(addSigned(group, (it) => it.statedVat)),
  };
}

function sideOf(it: Summed): Side {
  return ourRole(it) === "seller" ? "sales" : "purchases";
}

function treatmentOf({ treatment }: Summed): TreatmentCode {
  return treatment ?? "UNDEFINED";
}

function lineKey(it: SummedVat): string {
  return `${treatmentOf(it)} ${it.category} ${formatDecimal(read(it.rate))}`;
}

/** Sorts the lines in the total first, then by treatment, the highest rate first. */
function inOrder(a: VatLine, b: VatLine): number {
  if (a.isInTotal !== b.isInTotal) return a.isInTotal ? -1 : 1;
  return compareTexts(a.treatment, b.treatment) || Number(b.rate) - Number(a.rate) ||
    compareTexts(a.category, b.category);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function groupBy<T>(all: readonly T[], keyOf: (it: T) => string): [T, ...T[]][] {
  return [...Map.groupBy(all, keyOf).values()] as [T, ...T[]][];
}

/** Returns true for summed credit notes with positive amounts, which are subtracted. */
export function isSubtracted(
  { invoiceType, isNegative }: Pick<Summed, "invoiceType" | "isNegative">,
): boolean {
  return CREDIT_NOTES.has(invoiceType ?? "") && !isNegative;
}

function addSigned<T extends Summed>(
  all: readonly T[],
  amountOf: (it: T) => string | null,
): Decimal {
  return all.reduce((total, it) => {
    const amount = read(amountOf(it));
    return add(total, isSubtracted(it) ? negate(amount) : amount);
  }, ZERO);
}

function addAll(amounts: readonly string[]): Decimal {
  return amounts.reduce((total, it) => add(total, read(it)), ZERO);
}

function read(amount: string | null): Decimal {
  return parseDecimal(amount ?? "") ?? ZERO;
}

function write(amount: Decimal): string {
  return toFixed(amount, 2);
}
