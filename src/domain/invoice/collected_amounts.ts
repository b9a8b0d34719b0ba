import { compare, decimal, equals, parseDecimal, ZERO } from "#src/kernel/decimal.ts";
import { createFlaw, type Flaw } from "./flaw.ts";

/** A collected amount at one VAT rate; decimal texts, negative for a reversal. */
export interface RateAmount {
  readonly amount: string;
  readonly currency: string;
  /** Percent, e.g. `20` or `5.5`. */
  readonly rate: string;
}

/** Currencies and VAT rates of an invoice. */
export interface InvoiceMoney {
  /** BT-5, and BT-6 where VAT is accounted for in another. */
  readonly currencies: readonly string[];
  /** Rates of the VAT breakdown (BT-119) as decimal texts; empty if unknown. */
  readonly rates: readonly string[];
}

const DECIMAL = /^-?\d{1,15}(?:\.\d{1,6})?$/;
/** Amounts and rates have two decimals at most, like those of the invoice (BR-FR-DEC-01, BR-FR-DEC-04). */
const CENTS = /^-?\d+(?:\.\d{1,2})?$/;
const HUNDRED = decimal("100");
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/**
 * Returns the first flaw of the amounts, independent of the invoice; over-payments and reversals are valid here.
 */
export function amountsFlaw(amounts: readonly RateAmount[]): Flaw | undefined {
  for (const one of amounts) {
    const flaw = shapeFlaw(one) ?? valueFlaw(one);
    if (flaw) return flaw;
  }
  return undefined;
}

function shapeFlaw(one: RateAmount): Flaw | undefined {
  const { amount, rate, currency } = one;
  if (DECIMAL.test(amount) && DECIMAL.test(rate) && /^[A-Z]{3}$/.test(currency)) return undefined;
  const shown = shownAs(one);
  return {
    code: "invalid",
    fr: `Le montant ${shown} n'est pas un nombre décimal avec devise et taux de TVA`,
    en: `Amount ${shown} is not a decimal number with a currency and a VAT rate`,
  };
}

function valueFlaw(one: RateAmount): Flaw | undefined {
  const { amount, rate, currency } = one;
  const shown = shownAs(one);
  if (!CURRENCIES.has(currency)) {
    return createFlaw(
      `La devise ${currency} du montant ${shown} n'existe pas (ISO 4217)`,
      `Currency ${currency} of amount ${shown} does not exist (ISO 4217)`,
    );
  }
  if (!CENTS.test(amount)) {
    return createFlaw(
      `Le montant ${shown} a plus de deux décimales`,
      `Amount ${shown} has more than two decimals`,
    );
  }
  if (equals(decimal(amount), ZERO)) {
    return createFlaw(
      `Le montant ${shown} est nul : rien n'a été encaissé`,
      `Amount ${shown} is zero: nothing was collected`,
    );
  }
  const percent = decimal(rate);
  if (compare(percent, ZERO) >= 0 && compare(percent, HUNDRED) <= 0 && CENTS.test(rate)) {
    return undefined;
  }
  return createFlaw(
    `Le taux de TVA ${rate} n'est pas un pourcentage de 0 à 100 avec deux décimales au plus`,
    `VAT rate ${rate} is no percentage from 0 to 100 with two decimals at most`,
  );
}

/** Amounts are collected at the rates, and in a currency, of the invoice: the portal compares them (REJ_ENCAISSEMENT). */
export function amountsMisfit(
  amounts: readonly RateAmount[],
  { currencies, rates }: InvoiceMoney,
): Flaw | undefined {
  for (const { rate, currency } of amounts) {
    if (currencies.length && !currencies.includes(currency)) {
      const known = currencies.join(", ");
      return createFlaw(
        `La devise ${currency} n'est pas celle de la facture (${known})`,
        `Currency ${currency} is not the invoice's (${known})`,
      );
    }
    if (rates.length && !rates.some((it) => isSame(it, rate))) {
      const known = rates.join(", ");
      return createFlaw(
        `La facture n'a pas de TVA à ${rate} % ; ses taux : ${known}`,
        `The invoice has no VAT at ${rate} %; its rates: ${known}`,
      );
    }
  }
  return undefined;
}

function isSame(a: string, b: string): boolean {
  const x = parseDecimal(a);
  const y = parseDecimal(b);
  return x !== undefined && y !== undefined && equals(x, y);
}

function shownAs({ amount, currency, rate }: RateAmount): string {
  return `${amount} ${currency} (${rate} %)`;
}
