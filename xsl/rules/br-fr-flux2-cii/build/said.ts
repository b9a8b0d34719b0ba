import { FLUX2 } from "../../br-fr-flux2-ubl/build/main.ts";
import type { Assertion } from "../../br-fr-flux2-ubl/build/schema.ts";

/** Rule on CII with its own context; the sentence comes from the same rule on UBL. */
export interface CiiRuleInput {
  readonly id: string;
  readonly test: string;
  readonly value?: string | null;
  /** Number of the rule on UBL, if it differs. */
  readonly as?: string;
}

/** Returns the assertion with the UBL rule's sentences and the paths of CII. */
export function describe({ id, test, value, as = id }: CiiRuleInput): Assertion {
  const ubl = SAID.get(as);
  if (ubl === undefined) throw new Error(`${id}: there is no rule ${as} on UBL`);
  const { value: _value, subject: _subject, ...words } = ubl;
  const show = (sentence: string) =>
    inCii(value ? sentence.replaceAll("{.}", `{${value}}`) : sentence, id);
  return {
    ...words,
    id,
    test,
    en: show(ubl.en),
    fr: show(ubl.fr),
    expected: inCii(ubl.expected, id),
    ...(value === undefined ? {} : { value }),
  };
}

const SAID: ReadonlyMap<string, Assertion> = new Map(
  FLUX2.patterns.flatMap(({ rules }) => rules).flatMap(({ asserts }) => asserts)
    .map((assertion) => [assertion.id, assertion]),
);

/** Expressions and names in UBL sentences with their CII counterparts; longer ones first. */
const WORDS: readonly (readonly [ubl: string | RegExp, cii: string])[] = [
  [/\{sum\(for \$amount in key\('reference-to-line'[^{}]*\}/g, "{$sumOfSubLines}"],
  [/\{sum\(for \$amount in \/\*\/cac:TaxTotal[^{}]*\}/g, "{$sumOfVat}"],
  [/key\('line', \$parent\)\/cac:Item\/[\w:/]+/g, "$legalIdOfParent"],
  [/key\('line', \$parent\)\/cac:DocumentReference[^{}]*(?=\})/g, "$subInvoiceOfParent"],
  [
    /\/\*\/cac:AccountingCustomerParty\/[\w:/]+/g,
    "$buyer/ram:SpecifiedLegalOrganization/ram:ID",
  ],
  [
    /\/\*\/cac:AccountingSupplierParty\/[\w:/]+/g,
    "$seller/ram:SpecifiedLegalOrganization/ram:ID",
  ],
  [
    "cac:PartyLegalEntity/cbc:CompanyID[@schemeID = '0002']",
    "ram:SpecifiedLegalOrganization/ram:ID[1]",
  ],
  ["cac:PartyIdentification/cbc:ID[not(@schemeID)][1]", "ram:GlobalID[not(@schemeID)][1]"],
  ["cbc:ID[not(@schemeID)][1]", "ram:GlobalID[not(@schemeID)][1]"],
  ["cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount", "$sums/ram:GrandTotalAmount"],
  ["../cbc:TaxInclusiveLineExtensionAmount", "$gross"],
  ["../cbc:LineExtensionAmount", "string($net)"],
  ["/*/cbc:DocumentCurrencyCode", "$settlement/ram:InvoiceCurrencyCode"],
  ["{cbc:DocumentCurrencyCode}", "{$settlement/ram:InvoiceCurrencyCode}"],
  ["/*//cbc:TaxCurrencyCode", "$settlement/ram:TaxCurrencyCode"],
  ["cbc:TaxCurrencyCode", "ram:TaxCurrencyCode"],
  ["{../cbc:ID}", "{$lineId}"],
  ["{cbc:ID}", "{$lineId}"],
  ["{cbc:Name}", "{ram:Description}"],
  ["cbc:ProfileID", "$framework"],
  ["cbc:CreditNoteTypeCode", "$type"],
  ["cbc:InvoiceTypeCode", "$type"],
  ["cac:BillingReference", "$settlement/ram:InvoiceReferencedDocument"],
  ["cbc:DueDate", "$dueDate"],
  ["{cbc:IssueDate}", "{$issueDate}"],
  ["cbc:IssueDate", "ram:FormattedIssueDateTime"],
  ["/cbc:EndpointID", "/ram:URIUniversalCommunication/ram:URIID"],
  ["cbc:EndpointID", "ram:URIID"],
  ["cbc:NameCode", "ram:TypeCode"],
  ["cbc:Name", "ram:Description"],
  ["cbc:ValueQuantity", "ram:ValueMeasure"],
  ["cbc:Value", "ram:Value"],
  ["cac:TaxRepresentativeParty", "ram:SellerTaxRepresentativeTradeParty"],
  ["cbc:CompanyID", "ram:ID"],
  ["cbc:RegistrationName", "ram:Name"],
  ["cbc:IdentificationCode", "ram:CountryID"],
  ["cbc:ID", "ram:IssuerAssignedID"],
  ["@schemeID=AFL", "ram:ReferenceTypeCode=AFL"],
  ["@schemeID = AFL", "ram:ReferenceTypeCode = AFL"],
  ["20YY-MM-DD", "20YYMMDD"],
  ["YYYY-MM-DD", "YYYYMMDD"],
  ["AAAA-MM-JJ", "AAAAMMJJ"],
];

function inCii(sentence: string, id: string): string {
  const found = WORDS.reduce(
    (text, [ubl, cii]) =>
      typeof ubl === "string" ? text.split(ubl).join(cii) : text.replace(ubl, () => cii),
    sentence,
  );
  const left = /\b(cac|cbc):\w+/.exec(found)?.[0];
  if (left) throw new Error(`${id} still speaks of ${left}: ${found}`);
  return found;
}
