import { codes, sequence } from "../../br-fr-flux2-ubl/build/codelists.ts";
import type { Let, Pattern, SchemaRule } from "../../br-fr-flux2-ubl/build/schema.ts";
import { LINE, TRANSACTION } from "./places.ts";
import { type CiiRuleInput, describe } from "./said.ts";

const DOCUMENT = "ram:AssociatedDocumentLineDocument";
const HEAD = `[${DOCUMENT}[not(ram:ParentLineID)]/ram:LineStatusReasonCode = 'GROUP']`;
const SETTLEMENT = "ram:SpecifiedLineTradeSettlement";
const SUMS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementLineMonetarySummation`;
const SELLER = "ram:SpecifiedLineTradeAgreement/ram:ItemSellerTradeParty";
const LEGAL_ID = `${SELLER}/ram:SpecifiedLegalOrganization/ram:ID`;
const NUMBER = `${SETTLEMENT}/ram:AdditionalReferencedDocument` +
  "[ram:ReferenceTypeCode = 'AFL' and ram:TypeCode = '130']/ram:IssuerAssignedID";
const LINE_ID: Let = { name: "lineId", value: `${DOCUMENT}/ram:LineID` };
const SUB_INVOICE: Let = { name: "subInvoice", value: `normalize-space(${NUMBER})` };

/**
 * Rules on multi-vendor and two-way invoices: each seller's part is a GROUP line with DETAIL lines below it.
 */
export function groupedPatterns(): readonly Pattern[] {
  return [
    { id: "subTypes", title: "Sub-types of lines", rules: [subTypeRule()] },
    { id: "groups", title: "Groups of the document", rules: [documentRule()] },
    { id: "heads", title: "Heads of groups", rules: [headRule(), ...referenceRules()] },
    { id: "groupLines", title: "Lines of groups", rules: [lineRule()] },
    { id: "details", title: "Detail lines", rules: [detailRule()] },
    { id: "ownGroups", title: "Groups of the main seller", rules: [ownRule()] },
    { id: "corrected", title: "Corrected groups", rules: correctedRules() },
  ];
}

function rule(
  context: string,
  lets: readonly Let[],
  ...asked: readonly CiiRuleInput[]
): SchemaRule {
  return { context, lets, asserts: asked.map(describe) };
}

function subTypeRule(): SchemaRule {
  return rule(`${LINE}/${DOCUMENT}/ram:LineStatusReasonCode`, [
    { name: "lineId", value: "../ram:LineID" },
  ], {
    id: "BR-FR-MV-01_EXT-FR-FE-163",
    test: "not($grouped) or normalize-space(.) != ''",
  });
}

function documentRule(): SchemaRule {
  const of = (party: string) =>
    `count($groupHeads[${LEGAL_ID} = $${party}/ram:SpecifiedLegalOrganization/ram:ID])`;
  return rule(
    TRANSACTION,
    [],
    {
      id: "BR-FR-MV-02_EXT-FR-FE-163",
      test: "not($multiVendor) or exists($groupHeads)",
      value: null,
    },
    {
      id: "BR-FR-BD-02_EXT-FR-FE-163",
      test: "not($twoWay) or count($groupHeads) = 2",
      value: "count($groupHeads)",
    },
    {
      id: "BR-FR-BD-02_BT-31",
      as: "BR-FR-BD-02_BT-30",
      test: `not($twoWay) or ${of("seller")} = 1`,
      value: null,
    },
    { id: "BR-FR-BD-02_BT-47", test: `not($twoWay) or ${of("buyer")} = 1`, value: null },
    {
      id: "BR-FR-MV-12_BT-128",
      test: `not($grouped) or empty($groupHeads/${NUMBER}[. = preceding::ram:IssuerAssignedID])`,
      value: null,
    },
  );
}

/** Net amount of the head of a group. */
export const NET = `${SUMS}/ram:LineTotalAmount`;
/** VAT amounts of a sub-invoice's breakdowns. */
export const BREAKDOWN = "$settlement/ram:ApplicableTradeTax[ram:TypeCode = 'VAT']" +
  "[starts-with(ram:ExemptionReason, concat('#', $subInvoice, '#'))]/ram:CalculatedAmount";
/** Returns an XPath that counts the lines below a head by status. */
export const countBelow = (status: string) =>
  `count($lines[${DOCUMENT}/ram:ParentLineID = $lineId and ` +
  `${DOCUMENT}/ram:LineStatusReasonCode ${status}])`;

function headRule(): SchemaRule {
  return rule(
    `${LINE}${HEAD}`,
    headLets(),
    ...requiredOfHead(),
    {
      id: "BR-FR-MV-05_EXT-FR-FE-BG-12",
      test: "not($grouped) or abs($net - $sumOfSubLines) <= 0.01 * count($subLines)",
      value: "$net",
    },
    {
      id: "BR-FR-MV-09_EXT-FR-FE-181",
      test: "not($grouped) or abs(number($vat) - $sumOfVat) <= 0.01",
      value: "$vat",
    },
    {
      id: "BR-FR-MV-10_EXT-FR-FE-184",
      test: "not($grouped) or empty($gross) or (normalize-space($gross) != '' and " +
        `abs(number($gross) - $net - number($vat)) <= 0.01 * ${countBelow("= 'DETAIL'")})`,
      value: "$gross",
    },
  );
}

const VAT_IN = (currency: string) =>
  `${SUMS}/ram:TaxTotalAmount[@currencyID = $settlement/ram:${currency}]`;

function headLets(): Let[] {
  return [
    LINE_ID,
    SUB_INVOICE,
    { name: "net", value: `number(${NET})` },
    { name: "gross", value: `${SUMS}/ram:GrandTotalAmount` },
    { name: "vat", value: VAT_IN("InvoiceCurrencyCode") },
    {
      name: "subLines",
      value: `$lines[${DOCUMENT}/ram:ParentLineID = normalize-space($lineId) and ` +
        `${DOCUMENT}/ram:LineStatusReasonCode != 'INFORMATION']/${SUMS}/ram:LineTotalAmount`,
    },
    { name: "sumOfSubLines", value: "sum($subLines)" },
    { name: "sumOfVat", value: `sum(${BREAKDOWN})` },
  ];
}

function requiredOfHead(): CiiRuleInput[] {
  const fill = (id: string, path: string) => ({
    id: `BR-FR-MV-03_EXT-FR-FE-${id}`,
    test: `not($grouped) or normalize-space(${path}) != ''`,
    value: null,
  });
  return [
    fill("164", `${SELLER}/ram:Name`),
    fill("167", LEGAL_ID),
    fill("177", `${SELLER}/ram:PostalTradeAddress/ram:CountryID`),
    fill("181", "$vat"),
    {
      id: "BR-FR-MV-03_EXT-FR-FE-182",
      test: "not($grouped) or empty($settlement/ram:TaxCurrencyCode) or " +
        "($settlement/ram:TaxCurrencyCode != '' and " +
        `normalize-space(${VAT_IN("TaxCurrencyCode")}) != '')`,
      value: null,
    },
  ];
}

function referenceRules(): SchemaRule[] {
  const lets: readonly Let[] = [{ name: "lineId", value: `../../${DOCUMENT}/ram:LineID` }];
  const filled = "ram:TypeCode = '130' and normalize-space(ram:IssuerAssignedID) != ''";
  const multi = sequence(codes("process-types", "group", "multi-vendor"));
  const context = (scheme: string) =>
    `${LINE}${HEAD}/${SETTLEMENT}` +
    `/ram:AdditionalReferencedDocument[ram:ReferenceTypeCode = '${scheme}']`;
  return [
    rule(context("AFL"), lets, {
      id: "BR-FR-MV-03_BT-128_AFL",
      test: `not($grouped) or (${filled})`,
      value: null,
    }),
    rule(context("AVV"), lets, {
      id: "BR-FR-MV-03_BT-128_AVV",
      test: `not($grouped) or (${filled} and not(ram:IssuerAssignedID = ${multi}))`,
      value: "ram:IssuerAssignedID",
    }),
  ];
}

function lineRule(): SchemaRule {
  const parent = `$lines[${DOCUMENT}/ram:LineID = $parent]`;
  const ofParent = (path: string) =>
    `if ($grouped) then normalize-space(${parent}/${path}) else ''`;
  return rule(
    LINE,
    [
      LINE_ID,
      SUB_INVOICE,
      { name: "parent", value: `${DOCUMENT}/ram:ParentLineID` },
      { name: "legalId", value: `normalize-space(${LEGAL_ID})` },
      { name: "legalIdOfParent", value: ofParent(LEGAL_ID) },
      { name: "subInvoiceOfParent", value: ofParent(NUMBER) },
    ],
    {
      id: "BR-FR-MV-06_EXT-FR-FE-167",
      test: "not($grouped) or ($legalId != '' and (empty($parent) or $legalId = $legalIdOfParent))",
      value: null,
    },
    {
      id: "BR-FR-MV-07_BT-128",
      test: "not($grouped) or " +
        "($subInvoice != '' and (empty($parent) or $subInvoice = $subInvoiceOfParent))",
      value: null,
    },
  );
}

function detailRule(): SchemaRule {
  const reason = `${SETTLEMENT}/ram:ApplicableTradeTax/ram:ExemptionReason`;
  return rule(`${LINE}[${DOCUMENT}/ram:LineStatusReasonCode = 'DETAIL']`, [LINE_ID, SUB_INVOICE], {
    id: "BR-FR-MV-08_BT-128",
    test: `not($grouped) or (normalize-space(${reason}) != '' and $subInvoice != '' and ` +
      `starts-with(${reason}, concat('#', $subInvoice, '#')))`,
    value: reason,
  });
}

function ownRule(): SchemaRule {
  const own = `[${LEGAL_ID} = $seller/ram:SpecifiedLegalOrganization/ram:ID]`;
  const lets: readonly Let[] = [
    LINE_ID,
    SUB_INVOICE,
    { name: "named", value: `count($groupHeads${own}/${NUMBER}[. = $invoiceNumber])` },
  ];
  return rule(`${LINE}${HEAD}${own}`, lets, {
    id: "BR-FR-MV-11_BT-128",
    test: "not($grouped) or $named = 1 or ($named = 0 and $subInvoice = $invoiceNumber) or " +
      "($named > 1 and $subInvoice != $invoiceNumber)",
    value: null,
  });
}

function correctedRules(): SchemaRule[] {
  const referenced = `${SETTLEMENT}/ram:InvoiceReferencedDocument`;
  const number = `exists(${referenced}/ram:IssuerAssignedID)`;
  const day = `exists(${referenced}/ram:FormattedIssueDateTime/qdt:DateTimeString)`;
  const families = [
    ["MV", "$multiVendor", ["384", "472", "381", "396", "503"]],
    ["BD", "$twoWay", ["261", "471", "473", "502"]],
  ] as const;
  return families.map(([name, applies, types]) => {
    const typed = `[rsm:ExchangedDocument/ram:TypeCode = ${sequence(types)}]`;
    const context = `${LINE}${HEAD}`
      .replace("/rsm:CrossIndustryInvoice", `/rsm:CrossIndustryInvoice${typed}`);
    return rule(
      context,
      [LINE_ID],
      { id: `BR-FR-${name}-14-EXT-FR-FE-136`, test: `not(${applies}) or ${number}`, value: null },
      { id: `BR-FR-${name}-14-EXT-FR-FE-138`, test: `not(${applies}) or ${day}`, value: null },
    );
  });
}
