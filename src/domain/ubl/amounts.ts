import type { XmlElement } from "#src/xml/mod.ts";
import type { AllowanceCharge, Totals, VatCategory, VatSubtotal } from "./model.ts";
import { attribute, decimal, group, groups, leaf, text, type UblNode } from "./nodes.ts";

/** Reads BG-20, BG-21, BG-27, BG-28: those below the place that are charges, or those that are allowances. */
export function readAllowanceCharges(place: UblNode, charges: boolean): AllowanceCharge[] {
  return groups(place, "AllowanceCharge")
    .filter((entry) => isCharge(entry) === charges)
    .map(readAllowanceCharge);
}

export function readVatCategory(category: UblNode): VatCategory {
  return {
    code: text(category, "ID"),
    rate: decimal(category, "Percent"),
    exemptionReason: text(category, "TaxExemptionReason"),
    exemptionCode: text(category, "TaxExemptionReasonCode"),
  };
}

/** Reads BG-22; `currency` and `taxCurrency` (BT-5, BT-6) distinguish the VAT totals BT-110 and BT-111. */
export function readTotals(root: UblNode, currencies: Currencies): Totals {
  const sums = group(root, "LegalMonetaryTotal");
  const { main, accounting } = taxTotals(root, currencies);
  return {
    lines: decimal(sums, "LineExtensionAmount"),
    allowances: decimal(sums, "AllowanceTotalAmount"),
    charges: decimal(sums, "ChargeTotalAmount"),
    withoutVat: decimal(sums, "TaxExclusiveAmount"),
    vat: decimal(main, "TaxAmount"),
    vatInTaxCurrency: decimal(accounting, "TaxAmount"),
    withVat: decimal(sums, "TaxInclusiveAmount"),
    paid: decimal(sums, "PrepaidAmount"),
    rounding: decimal(sums, "PayableRoundingAmount"),
    due: decimal(sums, "PayableAmount"),
  };
}

/** Reads BG-23: the subtotals of every VAT total but the one in accounting currency. */
export function readVatBreakdown(root: UblNode, currencies: Currencies): VatSubtotal[] {
  const { accounting } = taxTotals(root, currencies);
  return groups(root, "TaxTotal")
    .filter((total) => total !== accounting)
    .flatMap((total) => groups(total, "TaxSubtotal"))
    .map((subtotal) => ({
      taxableAmount: decimal(subtotal, "TaxableAmount"),
      taxAmount: decimal(subtotal, "TaxAmount"),
      currency: attribute(leaf(subtotal, "TaxableAmount"), "currencyID") ?? currencies.currency,
      vat: readVatCategory(group(subtotal, "TaxCategory")),
    }));
}

interface Currencies {
  readonly currency: string | undefined;
  readonly taxCurrency: string | undefined;
}

function taxTotals(root: UblNode, { currency, taxCurrency }: Currencies) {
  const all = groups(root, "TaxTotal");
  const accounting = taxCurrency === undefined || taxCurrency === currency
    ? undefined
    : all.find((total) => findCurrency(total) === taxCurrency);
  const others = all.filter((total) => total !== accounting);
  return {
    main: others.find((total) => findCurrency(total) === currency) ?? others[0],
    accounting,
  };
}

function findCurrency(total: XmlElement): string | undefined {
  return attribute(leaf(total, "TaxAmount"), "currencyID");
}

function isCharge(entry: XmlElement): boolean {
  return ["true", "1"].includes(text(entry, "ChargeIndicator") ?? "");
}

function readAllowanceCharge(entry: XmlElement): AllowanceCharge {
  const category = group(entry, "TaxCategory");
  return {
    amount: decimal(entry, "Amount"),
    baseAmount: decimal(entry, "BaseAmount"),
    percentage: decimal(entry, "MultiplierFactorNumeric"),
    reason: text(entry, "AllowanceChargeReason"),
    reasonCode: text(entry, "AllowanceChargeReasonCode"),
    vat: category && readVatCategory(category),
  };
}
