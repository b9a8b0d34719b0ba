import type {
  InvoiceDocument,
  PaymentAccount,
  PaymentInstruction,
  PaymentTerm,
  PrecedingInvoice,
  VatSubtotal,
} from "#src/domain/ubl/mod.ts";
import { adjustments, compact, dateIn, party, period } from "./parts.ts";
import { group, leaf, requireElement, type XmlPart } from "./xml.ts";

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** BT-8: the code list of UBL (UNTDID 2005) in that of CII (UNTDID 2475). */
const TAX_POINT_CODES: Readonly<Record<string, string>> = { "3": "5", "35": "29", "432": "72" };

/** Writes payment, VAT and totals. */
export function headerSettlement(invoice: InvoiceDocument): XmlPart {
  const { payments, references } = invoice;
  return requireElement(
    "ram:ApplicableHeaderTradeSettlement",
    leaf("ram:CreditorReferenceID", invoice.creditorId),
    leaf("ram:PaymentReference", payments.find((payment) => payment.remittance)?.remittance),
    leaf("ram:TaxCurrencyCode", invoice.taxCurrency),
    leaf("ram:InvoiceCurrencyCode", invoice.currency),
    party("ram:PayeeTradeParty", invoice.payee),
    payments.map(paymentMeans),
    invoice.vatBreakdown.map((subtotal, index) =>
      tradeTax(subtotal, index === 0 ? taxPoint(invoice) : [])
    ),
    period(invoice.period),
    adjustments(invoice.allowances, invoice.charges),
    paymentTerms(invoice),
    totals(invoice),
    invoice.precedingInvoices.map(precedingInvoice),
    group(
      "ram:ReceivableSpecifiedTradeAccountingAccount",
      leaf("ram:ID", references.buyerAccounting),
    ),
  );
}

function paymentMeans(
  { meansCode, meansText, account, card, mandate }: PaymentInstruction,
): XmlPart {
  return group(
    "ram:SpecifiedTradeSettlementPaymentMeans",
    leaf("ram:TypeCode", meansCode),
    leaf("ram:Information", meansText),
    group(
      "ram:ApplicableTradeSettlementFinancialCard",
      leaf("ram:ID", card?.number),
      leaf("ram:CardholderName", card?.holder),
    ),
    group("ram:PayerPartyDebtorFinancialAccount", leaf("ram:IBANID", mandate?.debitedAccount)),
    creditorAccount(account),
    group("ram:PayeeSpecifiedCreditorFinancialInstitution", leaf("ram:BICID", account?.bic)),
  );
}

function creditorAccount(account: PaymentAccount | undefined): XmlPart {
  const iban = IBAN.test(account?.id?.replace(/\s/g, "") ?? "");
  return group(
    "ram:PayeePartyCreditorFinancialAccount",
    iban ? leaf("ram:IBANID", account?.id) : undefined,
    leaf("ram:AccountName", account?.name),
    iban ? undefined : leaf("ram:ProprietaryID", account?.id),
  );
}

function tradeTax(
  { vat, taxableAmount, taxAmount }: VatSubtotal,
  taxPoint: readonly XmlPart[],
): XmlPart {
  return group(
    "ram:ApplicableTradeTax",
    leaf("ram:CalculatedAmount", taxAmount),
    leaf("ram:TypeCode", "VAT"),
    leaf("ram:ExemptionReason", vat.exemptionReason),
    leaf("ram:BasisAmount", taxableAmount),
    leaf("ram:CategoryCode", vat.code),
    leaf("ram:ExemptionReasonCode", vat.exemptionCode),
    taxPoint,
    leaf("ram:RateApplicablePercent", vat.rate),
  );
}

/**
 * Writes BT-7 and BT-8. They belong to the document: only the first group of the breakdown may have them
 * (CII-SR-461).
 */
function taxPoint({ taxPointDate, taxPointDateCode: code }: InvoiceDocument): XmlPart[] {
  return [
    group(
      "ram:TaxPointDate",
      leaf("udt:DateString", compact(taxPointDate), { format: "102" }),
    ),
    leaf("ram:DueDateTypeCode", code && (TAX_POINT_CODES[code] ?? code)),
  ];
}

function paymentTerms(invoice: InvoiceDocument): XmlPart {
  return group(
    "ram:SpecifiedTradePaymentTerms",
    leaf("ram:Description", joinNotes(invoice.paymentTerms)),
    dateIn("ram:DueDateDateTime", invoice.dueDate),
    leaf(
      "ram:DirectDebitMandateID",
      invoice.payments.find((payment) => payment.mandate?.id)?.mandate?.id,
    ),
  );
}

/** Joins the terms, since the profile EN 16931 has one text (BT-20). */
function joinNotes(terms: readonly PaymentTerm[]): string | undefined {
  return terms.flatMap(({ note }) => note ?? []).join("\n") || undefined;
}

function totals({ totals: sums, currency, taxCurrency }: InvoiceDocument): XmlPart {
  return group(
    "ram:SpecifiedTradeSettlementHeaderMonetarySummation",
    leaf("ram:LineTotalAmount", sums.lines),
    leaf("ram:ChargeTotalAmount", sums.charges),
    leaf("ram:AllowanceTotalAmount", sums.allowances),
    leaf("ram:TaxBasisTotalAmount", sums.withoutVat),
    leaf("ram:TaxTotalAmount", sums.vat, { currencyID: currency }),
    leaf("ram:TaxTotalAmount", sums.vatInTaxCurrency, { currencyID: taxCurrency }),
    leaf("ram:RoundingAmount", sums.rounding),
    leaf("ram:GrandTotalAmount", sums.withVat),
    leaf("ram:TotalPrepaidAmount", sums.paid),
    leaf("ram:DuePayableAmount", sums.due),
  );
}

function precedingInvoice({ number, issueDate }: PrecedingInvoice): XmlPart {
  return group(
    "ram:InvoiceReferencedDocument",
    leaf("ram:IssuerAssignedID", number),
    dateIn("ram:FormattedIssueDateTime", issueDate, "qdt"),
  );
}
