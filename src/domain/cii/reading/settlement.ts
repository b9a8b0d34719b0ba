import type {
  PaymentInstruction,
  PaymentMandate,
  PaymentTerm,
  Totals,
  VatSubtotal,
} from "#src/domain/ubl/mod.ts";
import type { XmlElement } from "#src/xml/mod.ts";
import { all, at, attribute, type CiiNode, date, decimal, isPresent, text } from "./nodes.ts";
import { readVatCategory } from "./parts.ts";

/** BT-8: the code list of CII (UNTDID 2475) in that of UBL (UNTDID 2005). */
const TAX_POINT_CODES: Readonly<Record<string, string>> = { "5": "3", "29": "35", "72": "432" };

/** Reads BT-7 and BT-8 from the VAT breakdown. */
export function readTaxPoint(settlement: CiiNode) {
  const taxes = all(settlement, "ApplicableTradeTax");
  const code = taxes.map((tax) => text(tax, "DueDateTypeCode")).find(isPresent);
  return {
    taxPointDate: taxes.map((tax) => date(tax, "TaxPointDate")).find(isPresent),
    taxPointDateCode: code && (TAX_POINT_CODES[code] ?? code),
  };
}

/**
 * Reads BG-16: one entry for each account. CII gives the mandate (BT-89) once: it belongs to the account that is
 * debited.
 */
export function readPayments(settlement: CiiNode): PaymentInstruction[] {
  const remittance = text(settlement, "PaymentReference");
  const mandateId = all(settlement, "SpecifiedTradePaymentTerms")
    .map((terms) => text(terms, "DirectDebitMandateID")).find(isPresent);
  const every = all(settlement, "SpecifiedTradeSettlementPaymentMeans");
  const debiting = every.find((means) => at(means, "PayerPartyDebtorFinancialAccount")) ?? every[0];
  return every.map((means) => ({
    meansCode: text(means, "TypeCode"),
    meansText: text(means, "Information"),
    remittance,
    account: readAccount(means),
    card: readCard(at(means, "ApplicableTradeSettlementFinancialCard")),
    mandate: readMandate(means, means === debiting ? mandateId : undefined),
  }));
}

/**
 * Reads BT-20: EXTENDED repeats the terms for each instalment. The day of a single term is the due date (BT-9),
 * and its mandate belongs to the payment (BT-89).
 */
export function readPaymentTerms(settlement: CiiNode): PaymentTerm[] {
  const every = all(settlement, "SpecifiedTradePaymentTerms").map((terms) => ({
    note: text(terms, "Description"),
    dueDate: date(terms, "DueDateDateTime"),
    amount: decimal(terms, "PartialPaymentAmount"),
    percentage: decimal(terms, "PartialPaymentPercent"),
  }));
  const [only] = every;
  if (only && every.length === 1 && only.amount === undefined && only.percentage === undefined) {
    return only.note === undefined ? [] : [{ ...only, dueDate: undefined }];
  }
  return every.filter((it) => Object.values(it).some(isPresent));
}

/** Reads BG-22; the currency distinguishes the VAT totals BT-110 and BT-111. */
export function readTotals(
  settlement: CiiNode,
  { currency, taxCurrency }: { currency: string | undefined; taxCurrency: string | undefined },
): Totals {
  const sums = at(settlement, "SpecifiedTradeSettlementHeaderMonetarySummation");
  const taxes = all(sums, "TaxTotalAmount");
  const accounting = taxCurrency === undefined || taxCurrency === currency
    ? undefined
    : taxes.find((tax) => attribute(tax, "currencyID") === taxCurrency);
  const others = taxes.filter((tax) => tax !== accounting);
  const main = others.find((tax) => attribute(tax, "currencyID") === currency) ?? others[0];
  return {
    lines: decimal(sums, "LineTotalAmount"),
    allowances: decimal(sums, "AllowanceTotalAmount"),
    charges: decimal(sums, "ChargeTotalAmount"),
    withoutVat: decimal(sums, "TaxBasisTotalAmount"),
    vat: decimal(main),
    vatInTaxCurrency: decimal(accounting),
    withVat: decimal(sums, "GrandTotalAmount"),
    paid: decimal(sums, "TotalPrepaidAmount"),
    rounding: decimal(sums, "RoundingAmount"),
    due: decimal(sums, "DuePayableAmount"),
  };
}

/** Reads BG-23. */
export function readVatBreakdown(settlement: CiiNode, currency: string | undefined): VatSubtotal[] {
  return all(settlement, "ApplicableTradeTax").map((tax) => ({
    taxableAmount: decimal(tax, "BasisAmount"),
    taxAmount: decimal(tax, "CalculatedAmount"),
    currency: attribute(at(tax, "BasisAmount"), "currencyID") ?? currency,
    vat: readVatCategory(tax),
  }));
}

function readAccount(means: XmlElement): PaymentInstruction["account"] {
  const account = at(means, "PayeePartyCreditorFinancialAccount");
  return account && {
    id: text(account, "IBANID") ?? text(account, "ProprietaryID"),
    name: text(account, "AccountName"),
    bic: text(means, "PayeeSpecifiedCreditorFinancialInstitution", "BICID"),
  };
}

function readCard(card: CiiNode): PaymentInstruction["card"] {
  return card && { number: text(card, "ID"), holder: text(card, "CardholderName") };
}

function readMandate(means: XmlElement, id: string | undefined): PaymentMandate | undefined {
  const debitedAccount = text(means, "PayerPartyDebtorFinancialAccount", "IBANID");
  return id === undefined && debitedAccount === undefined ? undefined : { id, debitedAccount };
}
