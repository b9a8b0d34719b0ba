import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import {
  abs,
  add,
  compare,
  type Decimal,
  equals,
  formatDecimal,
  fromUnits,
  getSign,
  negate,
  parseDecimal,
  subtract,
  toFixed,
  ZERO,
} from "#src/kernel/decimal.ts";
import type { RateAmount } from "./collected_amounts.ts";
import { CREDIT_NOTES } from "./credit_notes.ts";
import { createFlaw, type Flaw } from "./flaw.ts";

/** Limits of the amounts collected of an invoice, VAT included, in its currency. A credit note has negative limits. */
export interface Collectable {
  readonly currency: string | undefined;
  /** The amounts are refunds of a credit note. */
  readonly isCredit: boolean;
  readonly total: Decimal | undefined;
  readonly rates: readonly { readonly rate: Decimal; readonly gross: Decimal }[];
}

/**
 * Reason why amounts may not be reported as collected; `confirmable` if the law allows them after a user's
 * confirmation.
 */
interface Excess {
  readonly flaw: Flaw;
  readonly confirmable: boolean;
}

/** Returns true for the frame of an invoice that is paid when it is issued: nothing is due, its total was collected. */
function isPaidFrame(processType: string | null | undefined): boolean {
  return /^[BSM]2$/.test(processType ?? "");
}

/** Amounts of a stored invoice, as decimals in text. */
interface StoredAmounts {
  readonly amountDue: string | null;
  readonly totalTTC: string | null;
  readonly processType: string | null;
  readonly settledAmount: string | null;
  readonly invoiceType: string | null;
}

/** Computes the amount left to collect or to pay, never beyond zero. That of a credit note is negative. */
export function computeOpen(
  { amountDue, totalTTC, processType, settledAmount, invoiceType }: StoredAmounts,
): Decimal {
  const due = isPaidFrame(processType) ? totalTTC : amountDue ?? totalTTC;
  const whole = signAmount(due, invoiceType);
  const settled = abs(parseDecimal(settledAmount ?? "0") ?? ZERO);
  if (compare(settled, abs(whole)) >= 0) return ZERO;
  return getSign(whole) < 0 ? add(whole, settled) : subtract(whole, settled);
}

/** Returns an amount of an invoice as a number; that of a credit note is negative. */
export function signAmount(amount: string | null, type: string | null): Decimal {
  const value = parseDecimal(amount ?? "0") ?? ZERO;
  return CREDIT_NOTES.has(type ?? "") ? negate(abs(value)) : value;
}

/**
 * Computes the amounts that may be reported as collected. A rate is limited to its base plus its VAT (BT-116,
 * BT-117). The invoice is limited to the amount due (BT-115), since prepayments are reported on their own
 * invoices. An invoice that is already paid when issued is limited to its total (BT-112).
 */
export function computeCollectable(
  { currency, typeCode, kind, processType, totals, vatBreakdown }: InvoiceDocument,
): Collectable {
  const isCredit = kind === "creditNote" || CREDIT_NOTES.has(typeCode ?? "");
  const sign = (value: Decimal) => isCredit && getSign(value) > 0 ? negate(value) : value;
  const isPaid = isPaidFrame(processType);
  const total = decimalIn(isPaid ? totals.withVat : totals.due ?? totals.withVat);
  const grossOf = new Map<string, { rate: Decimal; gross: Decimal }>();
  for (const { vat, taxableAmount, taxAmount } of vatBreakdown) {
    const rate = decimalIn(vat.rate) ?? ZERO;
    const key = toFixed(rate, 6);
    const before = grossOf.get(key)?.gross ?? ZERO;
    const own = add(decimalIn(taxableAmount) ?? ZERO, decimalIn(taxAmount) ?? ZERO);
    grossOf.set(key, { rate, gross: add(before, own) });
  }
  return {
    currency,
    isCredit,
    total: total && sign(total),
    rates: [...grossOf.values()].map(({ rate, gross }) => ({ rate, gross: sign(gross) })),
  };
}

/**
 * Checks whether amounts, added to those `reported` before, exceed the invoice by rate or in total. Reversing
 * more than was reported is never allowed.
 */
export function findExcess(
  amounts: readonly RateAmount[],
  { reported, collectable }: { reported: readonly RateAmount[]; collectable: Collectable },
): Excess | undefined {
  const { currency, isCredit, total, rates } = collectable;
  const foreign = amounts.find((it) => currency !== undefined && it.currency !== currency);
  const all = [...reported, ...amounts].filter((it) => it.currency === currency);
  const limits: Limit[] = rates
    .filter(({ rate }) => amounts.some((it) => isOfRate(it, rate)))
    .map(({ rate, gross }) => ({
      of: rate,
      sum: computeSum(all.filter((it) => isOfRate(it, rate))),
      limit: gross,
    }));
  if (total) limits.push({ of: undefined, sum: computeSum(all), limit: total });
  const below = limits.find(({ sum, limit }) => getSign(sum) * (getSign(limit) || 1) < 0);
  if (below) return { flaw: belowZero(below, { currency, isCredit }), confirmable: false };
  const above = limits.find(({ sum, limit }) => compare(abs(sum), abs(limit)) > 0);
  if (above) return { flaw: tooMuch(above, { currency, isCredit }), confirmable: true };
  return foreign && { flaw: incomparable(foreign, currency), confirmable: true };
}

/**
 * Proposes the amounts left to collect, by rate, after those `reported`, together at most `open`. Prepayments lower the
 * total: each rate then gets its share, and the largest rate the cents that remain. Empty if nothing is left.
 */
export function proposeRest(
  { currency, total, rates }: Collectable,
  { reported, open }: { reported: readonly RateAmount[]; open: Decimal },
): RateAmount[] {
  const past = reported.filter((it) => it.currency === currency);
  const left = rates.map(({ rate, gross }) => {
    const rest = toCents(gross) - toCents(computeSum(past.filter((it) => isOfRate(it, rate))));
    return { rate, cents: rest * toCents(gross) > 0n ? rest : 0n };
  });
  const sum = left.reduce((all, { cents }) => all + cents, 0n);
  const unreported = total === undefined ? sum : toCents(total) - toCents(computeSum(past));
  const whole = size(toCents(open)) < size(unreported) ? toCents(open) : unreported;
  const most = whole * sum > 0n ? whole : 0n;
  const isWithin = size(sum) <= size(most);
  const shares = left.map(({ cents }) => isWithin || sum === 0n ? cents : cents * most / sum);
  const rest = (isWithin ? sum : most) - shares.reduce((all, it) => all + it, 0n);
  const largest = shares.reduce(
    (best, it, at) => size(it) > size(shares[best] ?? 0n) ? at : best,
    0,
  );
  return left.map(({ rate }, at) => ({
    rate: formatDecimal(rate),
    currency: currency ?? "EUR",
    amount: toFixed(fromUnits((shares[at] ?? 0n) + (at === largest ? rest : 0n), 2), 2),
  })).filter(({ amount }) => amount !== "0.00");
}

const toCents = (value: Decimal) => BigInt(toFixed(value, 2).replace(".", ""));
const size = (cents: bigint) => cents < 0n ? -cents : cents;

interface Limit {
  /** The rate, in percent; undefined for the whole invoice. */
  readonly of: Decimal | undefined;
  readonly sum: Decimal;
  readonly limit: Decimal;
}

type Money = Pick<Collectable, "currency" | "isCredit">;

/** States amounts as people read them: those of a credit note are refunds, without a sign. */
function tooMuch({ of, sum, limit }: Limit, { currency, isCredit }: Money): Flaw {
  const write = (value: Decimal) => writeAmount(isCredit ? negate(value) : value, currency);
  const [came, most] = [write(sum), write(limit)];
  const [fr, en] = isCredit
    ? [["remboursés", "pour un avoir de"], ["refunded", "for a credit note of"]] as const
    : [["encaissés", "pour une facture de"], ["collected", "for an invoice of"]] as const;
  const at = writeRate(of);
  return createFlaw(
    `${at.fr}, les montants ${fr[0]} atteindraient ${came.fr} ${
      fr[1]
    } ${most.fr} : corrigez-les ou confirmez-les`,
    `${at.en}, the amounts ${en[0]} would come to ${came.en} ${
      en[1]
    } ${most.en}: correct or confirm them`,
  );
}

function belowZero({ of, sum }: Limit, { currency, isCredit }: Money): Flaw {
  const beyond = writeAmount(abs(sum), currency);
  const [fr, en] = isCredit ? ["remboursé", "refunds"] : ["encaissé", "collections"];
  const at = writeRate(of);
  return createFlaw(
    `${at.fr}, vous annulez ${beyond.fr} de plus que le montant ${fr} déjà déclaré : corrigez le montant`,
    `${at.en}, you take back ${beyond.en} more than the ${en} reported before: correct the amount`,
  );
}

function incomparable(one: RateAmount, currency: string | undefined): Flaw {
  return createFlaw(
    `Le montant en ${one.currency} ne se compare pas à la facture, en ${currency} : vérifiez-le, puis confirmez-le`,
    `The amount in ${one.currency} cannot be compared with the invoice, in ${currency}: check and confirm it`,
  );
}

type Words = Readonly<Record<"fr" | "en", string>>;

function writeRate(rate: Decimal | undefined): Words {
  if (rate === undefined) return { fr: "Au total", en: "In all" };
  const text = formatDecimal(rate);
  return { fr: `Au taux de ${text.replace(".", ",")} %`, en: `At ${text}%` };
}

function writeAmount(value: Decimal, currency: string | undefined): Words {
  const text = toFixed(value, 2);
  const group = (by: string) => text.replace(/\B(?=(\d{3})+\.)/g, by);
  return {
    fr: `${group("\u202F").replace(".", ",")} ${currency}`,
    en: `${group(",")} ${currency}`,
  };
}

function computeSum(amounts: readonly RateAmount[]): Decimal {
  return amounts.reduce((sum, it) => add(sum, decimalIn(it.amount) ?? ZERO), ZERO);
}

function isOfRate({ rate }: RateAmount, wanted: Decimal): boolean {
  const given = decimalIn(rate);
  return given !== undefined && equals(given, wanted);
}

function decimalIn(text: string | undefined): Decimal | undefined {
  return text === undefined ? undefined : parseDecimal(text);
}
