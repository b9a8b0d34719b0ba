/** Parts of a small UBL invoice that tests change. */
export interface UblParts {
  readonly number: string;
  /** UNTDID 1001; 381 and 261 make a credit note. Default 380. */
  readonly type?: string;
  /** Notes in UBL's form, e.g. `#BAR#B2C`. */
  readonly notes?: readonly string[];
  /** BT-23; default S1. */
  readonly process?: string;
  readonly seller?: Partial<UblParty>;
  readonly buyer?: Partial<UblParty>;
  /** Number of the invoice that a credit note cancels. */
  readonly preceding?: string;
  /** VAT category and rate; default S 20. */
  readonly vat?: { readonly code: string; readonly rate: string; readonly exemption?: string };
}

interface UblParty {
  readonly name: string;
  readonly siren: string;
  readonly country: string;
  readonly vatId: string;
  /** Scheme and value of BT-34 or BT-49. */
  readonly endpoint: readonly [scheme: string, value: string];
}

export const SELLER: UblParty = {
  name: "Fournitures Durand SAS",
  siren: "732829320",
  country: "FR",
  vatId: "FR44732829320",
  endpoint: ["0225", "732829320"],
};
export const BUYER: UblParty = {
  name: "Ateliers du Nord SA",
  siren: "552100554",
  country: "FR",
  vatId: "FR96552100554",
  endpoint: ["0225", "552100554"],
};

const REQUIRED_NOTES = [
  "#PMT#Indemnité forfaitaire de 40 €",
  "#PMD#Pénalités : 3 x taux légal",
  "#AAB#Pas d'escompte",
];

/** Writes a small invoice or credit note of one line that all rule sets accept, apart from the caller's changes. */
export function ublInvoice(parts: UblParts): string {
  const { number, type = "380", notes = [], process = "S1", preceding } = parts;
  const { code, rate, exemption } = parts.vat ?? { code: "S", rate: "20" };
  const isCreditNote = ["381", "261"].includes(type);
  const root = isCreditNote ? "CreditNote" : "Invoice";
  const vat = (100 * Number(rate) / 100).toFixed(2);
  const total = (100 + Number(vat)).toFixed(2);
  const category = (name: string, reason = "") =>
    `<cac:${name}><cbc:ID>${code}</cbc:ID>${
      code === "O" ? "" : `<cbc:Percent>${rate}</cbc:Percent>`
    }${reason}` +
    `<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:${name}>`;
  const reason = exemption
    ? `<cbc:TaxExemptionReasonCode>${exemption}</cbc:TaxExemptionReasonCode>`
    : "";
  const amount = (name: string, value: string) =>
    `<cbc:${name} currencyID="EUR">${value}</cbc:${name}>`;
  const due = "2026-12-20";
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2"` +
    ` xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"` +
    ` xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">` +
    `<cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID><cbc:ProfileID>${process}</cbc:ProfileID>` +
    `<cbc:ID>${number}</cbc:ID><cbc:IssueDate>2026-11-20</cbc:IssueDate>` +
    (isCreditNote ? "" : `<cbc:DueDate>${due}</cbc:DueDate>`) +
    `<cbc:${root}TypeCode>${type}</cbc:${root}TypeCode>` +
    [...REQUIRED_NOTES, ...notes].map((it) => `<cbc:Note>${it}</cbc:Note>`).join("") +
    `<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>` +
    (preceding
      ? `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${preceding}</cbc:ID>` +
        `<cbc:IssueDate>2026-11-10</cbc:IssueDate></cac:InvoiceDocumentReference></cac:BillingReference>`
      : "") +
    party("Supplier", { ...SELLER, ...parts.seller }) +
    party("Customer", { ...BUYER, ...parts.buyer }) +
    `<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode>` +
    (isCreditNote ? `<cbc:PaymentDueDate>${due}</cbc:PaymentDueDate>` : "") +
    `<cac:PayeeFinancialAccount><cbc:ID>FR7630006000011234567890189</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>` +
    `<cac:TaxTotal>${amount("TaxAmount", vat)}<cac:TaxSubtotal>${
      amount("TaxableAmount", "100.00")
    }${amount("TaxAmount", vat)}${
      category("TaxCategory", reason)
    }</cac:TaxSubtotal></cac:TaxTotal>` +
    `<cac:LegalMonetaryTotal>${amount("LineExtensionAmount", "100.00")}${
      amount("TaxExclusiveAmount", "100.00")
    }${amount("TaxInclusiveAmount", total)}${
      amount("PayableAmount", total)
    }</cac:LegalMonetaryTotal>` +
    `<cac:${root}Line><cbc:ID>1</cbc:ID>` +
    (isCreditNote
      ? `<cbc:CreditedQuantity unitCode="C62">10</cbc:CreditedQuantity>`
      : `<cbc:InvoicedQuantity unitCode="C62">10</cbc:InvoicedQuantity>`) +
    `${amount("LineExtensionAmount", "100.00")}<cac:Item><cbc:Name>Article</cbc:Name>${
      category("ClassifiedTaxCategory")
    }</cac:Item><cac:Price>${
      amount("PriceAmount", "10.00")
    }</cac:Price></cac:${root}Line></${root}>\n`;
}

function party(
  kind: string,
  { name, siren, country, vatId, endpoint: [scheme, value] }: UblParty,
): string {
  return `<cac:Accounting${kind}Party><cac:Party><cbc:EndpointID schemeID="${scheme}">${value}</cbc:EndpointID>` +
    `<cac:PostalAddress><cbc:CityName>Lyon</cbc:CityName><cbc:PostalZone>69003</cbc:PostalZone>` +
    (country
      ? `<cac:Country><cbc:IdentificationCode>${country}</cbc:IdentificationCode></cac:Country>`
      : "") +
    `</cac:PostalAddress>` +
    (vatId
      ? `<cac:PartyTaxScheme><cbc:CompanyID>${vatId}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>`
      : "") +
    `<cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName>` +
    (siren ? `<cbc:CompanyID schemeID="0002">${siren}</cbc:CompanyID>` : "") +
    `</cac:PartyLegalEntity></cac:Party></cac:Accounting${kind}Party>`;
}
