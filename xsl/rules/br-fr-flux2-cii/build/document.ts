import { codes, sequence } from "../../br-fr-flux2-ubl/build/codelists.ts";
import type { Let, Pattern } from "../../br-fr-flux2-ubl/build/schema.ts";
import { VALUE_LISTS } from "../../br-fr-flux2-ubl/build/values.ts";
import { AGREEMENT, DOCUMENT, INVOICE, SETTLEMENT, TRANSACTION } from "./places.ts";
import { describe } from "./said.ts";

const FRAMEWORK = "rsm:ExchangedDocumentContext/" +
  "ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID";
const framework = (group: string) => sequence(codes("process-types", "group", group));
const types = (trait: string) => sequence(codes("document-types", "traits", trait));

/** Values computed once per document. */
export const LETS: readonly Let[] = [
  ...VALUE_LISTS,
  { name: "frameworks", value: sequence(codes("process-types")) },
  { name: "finalFrameworks", value: framework("final") },
  { name: "treatments", value: sequence(codes("treatments")) },
  { name: "framework", value: `${INVOICE}/${FRAMEWORK}` },
  { name: "multiVendor", value: `normalize-space($framework[1]) = ${framework("multi-vendor")}` },
  { name: "twoWay", value: `normalize-space($framework[1]) = ${framework("two-way")}` },
  { name: "grouped", value: "$multiVendor or $twoWay" },
  { name: "type", value: `${DOCUMENT}/ram:TypeCode` },
  { name: "invoiceNumber", value: `${DOCUMENT}/ram:ID` },
  { name: "issueDate", value: `${DOCUMENT}/ram:IssueDateTime/udt:DateTimeString` },
  { name: "notes", value: `${DOCUMENT}/ram:IncludedNote` },
  { name: "treatment", value: "$notes[ram:SubjectCode = 'BAR']/ram:Content" },
  { name: "agreement", value: AGREEMENT },
  { name: "settlement", value: SETTLEMENT },
  { name: "seller", value: "$agreement/ram:SellerTradeParty" },
  { name: "buyer", value: "$agreement/ram:BuyerTradeParty" },
  { name: "sellerIds", value: "$seller/ram:SpecifiedLegalOrganization/ram:ID" },
  { name: "sums", value: "$settlement/ram:SpecifiedTradeSettlementHeaderMonetarySummation" },
  {
    name: "dueDate",
    value: "$settlement/ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/udt:DateTimeString",
  },
  { name: "lines", value: `${TRANSACTION}/ram:IncludedSupplyChainTradeLineItem` },
  {
    name: "groupHeads",
    value: "$lines[ram:AssociatedDocumentLineDocument[not(ram:ParentLineID)]" +
      "/ram:LineStatusReasonCode = 'GROUP']",
  },
];

export function documentPatterns(): readonly Pattern[] {
  return [
    {
      id: "notes",
      title: "Notes",
      rules: [{ context: DOCUMENT, asserts: [...noteRules(), treatmentOnce()] }],
    },
    {
      id: "treatment",
      title: "Treatment of the invoice",
      rules: [{
        context: `${DOCUMENT}/ram:IncludedNote[ram:SubjectCode = 'BAR']`,
        asserts: [
          describe({
            id: "BR-FR-20_BT-21",
            test: "ram:Content = $treatments",
            value: "ram:Content",
          }),
        ],
      }],
    },
    {
      id: "framework",
      title: "Invoicing framework",
      rules: [{
        context: `${INVOICE}/rsm:ExchangedDocumentContext`,
        asserts: [
          describe({
            id: "BR-FR-08_BT-23",
            test: "string($framework) = $frameworks",
            value: "$framework",
          }),
        ],
      }],
    },
    {
      id: "document",
      title: "The document as a whole",
      rules: [{
        context: INVOICE,
        asserts: [...addressRules(), ...frameworkRules(), ...referenceRules(), ...otherRules()],
      }],
    },
    { id: "objects", title: "Invoiced objects", rules: objectRules() },
  ];
}

function noteRules() {
  const required = ["PMT", "PMD", "AAB"].map((code, at) =>
    describe({
      id: `BR-FR-05_BT-22_${code}`,
      as: `BR-FR-05_BT-22-${at + 1}`,
      test: `ram:IncludedNote/ram:SubjectCode = '${code}'`,
      value: null,
    })
  );
  const once = ["PMT", "PMD", "AAB", "TXD"].map((code, at) =>
    describe({
      id: `BR-FR-06_BT-21_${code}`,
      as: `BR-FR-06_BT-21-${at + 1}`,
      test: `count(ram:IncludedNote[ram:SubjectCode = '${code}']) <= 1`,
      value: null,
    })
  );
  return [...required, ...once];
}

function treatmentOnce() {
  return describe({
    id: "BR-FR-31_BT-21",
    as: "BR-FR-30_BT-21",
    test: "count(ram:IncludedNote[ram:SubjectCode = 'BAR']" +
      "[normalize-space(ram:Content) = $treatments]) <= 1",
    value: null,
  });
}

const ADDRESS = "ram:URIUniversalCommunication/ram:URIID";

function addressRules() {
  const siren = (party: string) => `$${party}/ram:SpecifiedLegalOrganization/ram:ID`;
  const address = (party: string) => `$${party}/${ADDRESS}`;
  const starts = (party: string) =>
    `(starts-with(${address(party)}, ${siren(party)}) and ${address(party)}/@schemeID = '0225')`;
  return [
    describe({
      id: "BR-FR-10_BT-30",
      test: `matches(normalize-space(${siren("seller")}[@schemeID = '0002']), '^\\d{9}$')`,
      value: siren("seller"),
    }),
    describe({
      id: "BR-FR-11_BT-47",
      test: `not($treatment = 'B2B') or matches(${siren("buyer")}[@schemeID = '0002'], '^\\d{9}$')`,
      value: siren("buyer"),
    }),
    describe({ id: "BR-FR-12_BT-49", test: `string(${address("buyer")}) != ''`, value: null }),
    describe({ id: "BR-FR-13_BT-34", test: `string(${address("seller")}) != ''`, value: null }),
    describe({
      id: "BR-FR-21_BT-49",
      test: `not($treatment = 'B2B') or $type = $selfBilledTypes or ${starts("buyer")}`,
      value: address("buyer"),
    }),
    describe({
      id: "BR-FR-22_BT-34",
      test: `not($treatment = 'B2B' and $type = $selfBilledTypes) or ${starts("seller")}`,
      value: address("seller"),
    }),
  ];
}

function frameworkRules() {
  const paid = `not($framework = ${framework("paid")})`;
  const prepaid = types("prepayment");
  return [
    describe({
      id: "BR-FR-CO-07_BT-9",
      test: `string($dueDate) = '' or $type = ${prepaid} or $framework = ${framework("paid")} ` +
        `or $dueDate ge $issueDate`,
      value: "$dueDate",
    }),
    describe({
      id: "BR-FR-CO-08_BT-23",
      test: `not($framework = $finalFrameworks) or not($type = ${prepaid})`,
      value: "$framework",
    }),
    describe({
      id: "BR-FR-CO-09_BT-23-1",
      test: `${paid} or number($sums/ram:TotalPrepaidAmount) = number($sums/ram:GrandTotalAmount)`,
      value: "$sums/ram:TotalPrepaidAmount",
    }),
    describe({
      id: "BR-FR-CO-09_BT-23-2",
      test: `${paid} or number($sums/ram:DuePayableAmount) = 0`,
      value: "$sums/ram:DuePayableAmount",
    }),
    describe({ id: "BR-FR-CO-09_BT-23-3", test: `${paid} or string($dueDate) != ''`, value: null }),
  ];
}

const REFERENCED = "ram:InvoiceReferencedDocument" +
  "[ram:IssuerAssignedID and ram:FormattedIssueDateTime/qdt:DateTimeString]";

function referenceRules() {
  const counted = "$lines[empty(ram:AssociatedDocumentLineDocument/ram:LineStatusReasonCode) or " +
    "ram:AssociatedDocumentLineDocument/ram:LineStatusReasonCode = 'DETAIL']";
  const period = "$settlement/ram:BillingSpecifiedPeriod";
  return [
    describe({
      id: "BR-FR-CO-03_BT-3",
      test: "not($type = '262') or " +
        "(string($agreement/ram:ContractReferencedDocument/ram:IssuerAssignedID) != '' and " +
        `string(${period}/ram:StartDateTime/udt:DateTimeString) != '' and ` +
        `string(${period}/ram:EndDateTime/udt:DateTimeString) != '')`,
      value: "$type",
    }),
    describe({
      id: "BR-FR-CO-04_BT-4",
      as: "BR-FR-CO-04_BT-3",
      test: "not($type = ('384', '471', '472', '473')) or " +
        "count($settlement/ram:InvoiceReferencedDocument) = 1",
      value: "count($settlement/ram:InvoiceReferencedDocument)",
    }),
    describe({
      id: "BR-FR-CO-05_BT-3",
      test: "not($type = ('261', '381', '396', '502', '503')) or " +
        `exists($settlement/${REFERENCED}) or ` +
        `empty(${counted}[empty(ram:SpecifiedLineTradeSettlement/${REFERENCED})])`,
      value: "$type",
    }),
  ];
}

function otherRules() {
  const isMember = "$seller/ram:GlobalID/@schemeID = '0231'";
  return [
    describe({
      id: "BR-FR-18_BT-123",
      test: "count($agreement/ram:AdditionalReferencedDocument[ram:Name = 'LISIBLE']) <= 1",
      value: null,
    }),
    describe({
      id: "BR-FR-CO-12_BT-5",
      test: "not($settlement/ram:InvoiceCurrencyCode != 'EUR') or " +
        "($settlement/ram:TaxCurrencyCode = 'EUR' and " +
        "string($sums/ram:TaxTotalAmount[@currencyID = 'EUR']) != '')",
      value: "$settlement/ram:InvoiceCurrencyCode",
    }),
    describe({
      id: "BR-FR-CO-14_BT-29-1",
      test: `not(${isMember}) or ` +
        "exists($notes[ram:SubjectCode = 'TXD' and ram:Content = 'MEMBRE_ASSUJETTI_UNIQUE'])",
      value: null,
    }),
    describe({
      id: "BR-FR-CO-15_BT-29-1",
      test: `not(${isMember}) or string($agreement/ram:SellerTaxRepresentativeTradeParty/` +
        "ram:SpecifiedTaxRegistration/ram:ID[@schemeID = 'VA']) != ''",
      value: null,
    }),
  ];
}

/**
 * Returns the rules on objects. The published rules on lines (BR-FR-30) look next to the line's settlement,
 * where no such document can be.
 */
function objectRules() {
  const once = (scheme: string) =>
    `count(ram:AdditionalReferencedDocument[ram:ReferenceTypeCode = '${scheme}']) <= 1`;
  const fill = (place: string, n: string) =>
    ["AFL", "AVV"].map((scheme) => ({
      context: `${place}/ram:AdditionalReferencedDocument[ram:ReferenceTypeCode = '${scheme}']` +
        `/ram:IssuerAssignedID`,
      asserts: [describe({ id: `BR-FR-${n}_${scheme}`, test: "normalize-space(.) != ''" })],
    }));
  const test = `${once("AFL")} and ${once("AVV")}`;
  const line = `${TRANSACTION}/ram:IncludedSupplyChainTradeLineItem`;
  return [
    { context: AGREEMENT, asserts: [describe({ id: "BR-FR-29_BT-18", test, value: null })] },
    ...fill(AGREEMENT, "29"),
    { context: line, asserts: [describe({ id: "BR-FR-30_BT-128", test, value: null })] },
    ...fill(line, "30"),
  ];
}
