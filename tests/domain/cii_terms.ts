import type { InvoiceDocument, Party } from "#src/domain/ubl/mod.ts";
import {
  adjustmentPath,
  adjustmentTerms,
  bts,
  DAY,
  day,
  LINE_TERMS,
  SETTLEMENT,
  type Term,
  TRADE,
} from "./cii_line_terms.ts";

const AGREEMENT = `${TRADE}/ram:ApplicableHeaderTradeAgreement`;
const DELIVERY = `${TRADE}/ram:ApplicableHeaderTradeDelivery`;
const MEANS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans`;
const TAX = `${SETTLEMENT}/ram:ApplicableTradeTax`;
const SUMS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`;

function one(
  bt: string,
  path: string,
  value: (invoice: InvoiceDocument) => string | undefined,
): Term {
  return { bt, path, values: (invoice) => [value(invoice)] };
}

const DOCUMENT: readonly Term[] = [
  one("BT-1", "rsm:ExchangedDocument/ram:ID", (i) => i.number),
  one("BT-2", `rsm:ExchangedDocument/ram:IssueDateTime/${DAY}`, (i) => day(i.issueDate)),
  one("BT-3", "rsm:ExchangedDocument/ram:TypeCode", (i) => i.typeCode),
  one("BT-5", `${SETTLEMENT}/ram:InvoiceCurrencyCode`, (i) => i.currency),
  one("BT-6", `${SETTLEMENT}/ram:TaxCurrencyCode`, (i) => i.taxCurrency),
  one(
    "BT-9",
    `${SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/${DAY}`,
    (i) => day(i.dueDate),
  ),
  one(
    "BT-20",
    `${SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:Description`,
    (i) => i.paymentTerms[0]?.note,
  ),
  one(
    "BT-23",
    "rsm:ExchangedDocumentContext/ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID",
    (i) => i.processType,
  ),
  one(
    "BT-24",
    "rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID",
    (i) => i.customizationId,
  ),
  {
    bt: "BT-7",
    path: `${TAX}/ram:TaxPointDate/udt:DateString[@format="102"]`,
    values: (i) => [day(i.taxPointDate)],
  },
  {
    bt: "BT-21",
    path: "rsm:ExchangedDocument/ram:IncludedNote/ram:SubjectCode",
    values: (i) => i.notes.map((note) => note.subject),
  },
  {
    bt: "BT-22",
    path: "rsm:ExchangedDocument/ram:IncludedNote/ram:Content",
    values: (i) => i.notes.map((note) => note.text),
  },
  {
    bt: "BT-25",
    path: `${SETTLEMENT}/ram:InvoiceReferencedDocument/ram:IssuerAssignedID`,
    values: (i) => i.precedingInvoices.map((preceding) => preceding.number),
  },
  {
    bt: "BT-26",
    path:
      `${SETTLEMENT}/ram:InvoiceReferencedDocument/ram:FormattedIssueDateTime/qdt:DateTimeString[@format="102"]`,
    values: (i) => i.precedingInvoices.map((preceding) => day(preceding.issueDate)),
  },
];

const REFERENCES: readonly Term[] = [
  one("BT-10", `${AGREEMENT}/ram:BuyerReference`, (i) => i.references.buyerReference),
  one("BT-11", `${AGREEMENT}/ram:SpecifiedProcuringProject/ram:ID`, (i) => i.references.project),
  one(
    "BT-12",
    `${AGREEMENT}/ram:ContractReferencedDocument/ram:IssuerAssignedID`,
    (i) => i.references.contract,
  ),
  one(
    "BT-13",
    `${AGREEMENT}/ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID`,
    (i) => i.references.order,
  ),
  one(
    "BT-14",
    `${AGREEMENT}/ram:SellerOrderReferencedDocument/ram:IssuerAssignedID`,
    (i) => i.references.salesOrder,
  ),
  one(
    "BT-15",
    `${DELIVERY}/ram:ReceivingAdviceReferencedDocument/ram:IssuerAssignedID`,
    (i) => i.references.receivingAdvice,
  ),
  one(
    "BT-16",
    `${DELIVERY}/ram:DespatchAdviceReferencedDocument/ram:IssuerAssignedID`,
    (i) => i.references.despatchAdvice,
  ),
  one(
    "BT-17",
    `${AGREEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode="50"]/ram:IssuerAssignedID`,
    (i) => i.references.tender,
  ),
  one(
    "BT-18",
    `${AGREEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode="130"]/ram:IssuerAssignedID`,
    (i) => i.references.invoicedObject?.value,
  ),
  one(
    "BT-19",
    `${SETTLEMENT}/ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID`,
    (i) => i.references.buyerAccounting,
  ),
  ...([
    ["BT-122", "ram:IssuerAssignedID", "id"],
    ["BT-123", "ram:Name", "description"],
    ["BT-124", "ram:URIID", "location"],
  ] as const).map(([bt, name, key]): Term => ({
    bt,
    path: `${AGREEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode="916"]/${name}`,
    values: (i) => i.attachments.map((attachment) => attachment[key]),
  })),
  {
    bt: "BT-125",
    path:
      `${AGREEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode="916"]/ram:AttachmentBinaryObject`,
    values: (i) => i.attachments.map((attachment) => attachment.file?.base64),
  },
];

interface PartyTerms {
  readonly path: string;
  readonly of: (invoice: InvoiceDocument) => Party | undefined;
  /** Numbers of the terms in the order of `PARTY_PATHS`. */
  readonly bts: readonly string[];
}

const PARTY_PATHS: readonly (readonly [string, (party: Party) => string | undefined])[] = [
  ["ram:Name", (p) => p.name],
  ["ram:SpecifiedLegalOrganization/ram:TradingBusinessName", (p) => p.tradingName],
  ["ram:GlobalID", (p) => p.ids.find((id) => id.scheme !== undefined)?.value],
  ["ram:SpecifiedLegalOrganization/ram:ID", (p) => p.legalId?.value],
  ['ram:SpecifiedTaxRegistration/ram:ID[@schemeID="VA"]', (p) => p.vatId],
  ['ram:SpecifiedTaxRegistration/ram:ID[@schemeID="FC"]', (p) => p.taxRegistrationId],
  ["ram:Description", (p) => p.legalInformation],
  ["ram:URIUniversalCommunication/ram:URIID", (p) => p.endpoint?.value],
  ["ram:PostalTradeAddress/ram:LineOne", (p) => p.address?.line1],
  ["ram:PostalTradeAddress/ram:LineTwo", (p) => p.address?.line2],
  ["ram:PostalTradeAddress/ram:LineThree", (p) => p.address?.line3],
  ["ram:PostalTradeAddress/ram:CityName", (p) => p.address?.city],
  ["ram:PostalTradeAddress/ram:PostcodeCode", (p) => p.address?.postCode],
  ["ram:PostalTradeAddress/ram:CountrySubDivisionName", (p) => p.address?.subdivision],
  ["ram:PostalTradeAddress/ram:CountryID", (p) => p.address?.country],
  ["ram:DefinedTradeContact/ram:PersonName", (p) => p.contact?.name],
  [
    "ram:DefinedTradeContact/ram:TelephoneUniversalCommunication/ram:CompleteNumber",
    (p) => p.contact?.phone,
  ],
  [
    "ram:DefinedTradeContact/ram:EmailURIUniversalCommunication/ram:URIID",
    (p) => p.contact?.email,
  ],
];

const PARTIES: readonly Term[] = ([
  {
    path: `${AGREEMENT}/ram:SellerTradeParty`,
    of: (i) => i.seller,
    bts: bts("27 28 29 30 31 32 33 34 35 36 162 37 38 39 40 41 42 43"),
  },
  {
    path: `${AGREEMENT}/ram:BuyerTradeParty`,
    of: (i) => i.buyer,
    bts: bts("44 45 46 47 48 - - 49 50 51 163 52 53 54 55 56 57 58"),
  },
  {
    path: `${SETTLEMENT}/ram:PayeeTradeParty`,
    of: (i) => i.payee,
    bts: bts("59 - 60 61"),
  },
  {
    path: `${AGREEMENT}/ram:SellerTaxRepresentativeTradeParty`,
    of: (i) => i.taxRepresentative,
    bts: bts("62 - - - 63 - - - 64 65 164 66 67 68 69"),
  },
] satisfies PartyTerms[]).flatMap(({ path, of, bts }) =>
  bts.map((bt, index): Term => {
    const [tail = "", value] = PARTY_PATHS[index] ?? [];
    return {
      bt,
      path: `${path}/${tail}`,
      values: (invoice) => {
        const party = of(invoice);
        return [party && value?.(party)];
      },
    };
  })
);

const DELIVERIES: readonly Term[] = [
  one("BT-70", `${DELIVERY}/ram:ShipToTradeParty/ram:Name`, (i) => i.delivery?.partyName),
  one(
    "BT-71",
    `${DELIVERY}/ram:ShipToTradeParty/ram:GlobalID`,
    (i) => i.delivery?.locationId?.value,
  ),
  one(
    "BT-72",
    `${DELIVERY}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/${DAY}`,
    (i) => day(i.delivery?.date),
  ),
  one(
    "BT-73",
    `${SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:StartDateTime/${DAY}`,
    (i) => day(i.period?.start),
  ),
  one(
    "BT-74",
    `${SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:EndDateTime/${DAY}`,
    (i) => day(i.period?.end),
  ),
  ...([
    ["BT-75", "LineOne", "line1"],
    ["BT-76", "LineTwo", "line2"],
    ["BT-165", "LineThree", "line3"],
    ["BT-77", "CityName", "city"],
    ["BT-78", "PostcodeCode", "postCode"],
    ["BT-79", "CountrySubDivisionName", "subdivision"],
    ["BT-80", "CountryID", "country"],
  ] as const).map(([bt, name, key]) =>
    one(
      bt,
      `${DELIVERY}/ram:ShipToTradeParty/ram:PostalTradeAddress/ram:${name}`,
      (i) => i.delivery?.address?.[key],
    )
  ),
];

const PAYMENTS: readonly Term[] = [
  one("BT-83", `${SETTLEMENT}/ram:PaymentReference`, (i) => i.payments[0]?.remittance),
  one("BT-90", `${SETTLEMENT}/ram:CreditorReferenceID`, (i) => i.creditorId),
  one(
    "BT-89",
    `${SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:DirectDebitMandateID`,
    (i) => i.payments.find((payment) => payment.mandate)?.mandate?.id,
  ),
  ...([
    ["BT-81", "TypeCode", (p) => p.meansCode],
    ["BT-82", "Information", (p) => p.meansText],
    ["BT-84", "PayeePartyCreditorFinancialAccount/ram:IBANID", (p) => p.account?.id],
    ["BT-85", "PayeePartyCreditorFinancialAccount/ram:AccountName", (p) => p.account?.name],
    ["BT-86", "PayeeSpecifiedCreditorFinancialInstitution/ram:BICID", (p) => p.account?.bic],
    ["BT-87", "ApplicableTradeSettlementFinancialCard/ram:ID", (p) => p.card?.number],
    ["BT-88", "ApplicableTradeSettlementFinancialCard/ram:CardholderName", (p) => p.card?.holder],
    [
      "BT-91",
      "PayerPartyDebtorFinancialAccount/ram:IBANID",
      (p) => p.mandate?.debitedAccount,
    ],
  ] satisfies [
    string,
    string,
    (payment: InvoiceDocument["payments"][number]) => string | undefined,
  ][]).map(([bt, name, value]): Term => ({
    bt,
    path: `${MEANS}/ram:${name}`,
    values: (i) => i.payments.map(value),
  })),
];

const ADJUSTMENTS: readonly Term[] = [
  ...adjustmentTerms({
    numbers: "92 93 94 97 98 95 96",
    path: adjustmentPath(SETTLEMENT, false),
    of: (i) => i.allowances,
  }),
  ...adjustmentTerms({
    numbers: "99 100 101 104 105 102 103",
    path: adjustmentPath(SETTLEMENT, true),
    of: (i) => i.charges,
  }),
];

const AMOUNTS: readonly Term[] = [
  ...([
    ["BT-106", "LineTotalAmount", "lines"],
    ["BT-107", "AllowanceTotalAmount", "allowances"],
    ["BT-108", "ChargeTotalAmount", "charges"],
    ["BT-109", "TaxBasisTotalAmount", "withoutVat"],
    ["BT-112", "GrandTotalAmount", "withVat"],
    ["BT-113", "TotalPrepaidAmount", "paid"],
    ["BT-114", "RoundingAmount", "rounding"],
    ["BT-115", "DuePayableAmount", "due"],
  ] as const).map(([bt, name, key]) => one(bt, `${SUMS}/ram:${name}`, (i) => i.totals[key])),
  {
    bt: "BT-110",
    path: `${SUMS}/ram:TaxTotalAmount`,
    values: (i) => [i.totals.vat, i.totals.vatInTaxCurrency],
  },
  {
    bt: "BT-111",
    path: `${SUMS}/ram:TaxTotalAmount[@currencyID="EUR"]`,
    values: (i) => [i.taxCurrency === undefined ? i.totals.vat : i.totals.vatInTaxCurrency],
  },
  ...([
    ["BT-116", "BasisAmount", (s) => s.taxableAmount],
    ["BT-117", "CalculatedAmount", (s) => s.taxAmount],
    ["BT-118", "CategoryCode", (s) => s.vat.code],
    ["BT-119", "RateApplicablePercent", (s) => s.vat.rate],
    ["BT-120", "ExemptionReason", (s) => s.vat.exemptionReason],
    ["BT-121", "ExemptionReasonCode", (s) => s.vat.exemptionCode],
  ] satisfies [
    string,
    string,
    (subtotal: InvoiceDocument["vatBreakdown"][number]) => string | undefined,
  ][]).map(([bt, name, value]): Term => ({
    bt,
    path: `${TAX}/ram:${name}`,
    values: (i) => i.vatBreakdown.map(value),
  })),
];

/** Every business term of EN 16931 with its path in the CII, except BT-8, whose codes differ between the syntaxes. */
export const TERMS: readonly Term[] = [
  ...DOCUMENT,
  ...REFERENCES,
  ...PARTIES.filter(({ bt }) => bt !== "BT--"),
  ...DELIVERIES,
  ...PAYMENTS,
  ...ADJUSTMENTS,
  ...AMOUNTS,
  ...LINE_TERMS,
];
