import { OUR_COMPANY, type SampleParty } from "./parties.ts";
import type { SampleInvoice, SampleLine } from "./stories.ts";

/** Number of an invoice, and the days that it states as `yyyy-MM-dd`. */
export interface SampleDates {
  readonly number: string;
  readonly issued: string;
  readonly due: string;
  /** Number and day of the invoice that a credit note reduces. */
  readonly preceding?: { readonly number: string; readonly issued: string } | undefined;
}

/** Legal mentions of an invoice between companies, in the form of the French rules. */
const MENTIONS = [
  "#PMT#Indemnité forfaitaire pour frais de recouvrement : 40 €",
  "#PMD#Pénalités de retard : trois fois le taux d'intérêt légal",
  "#AAB#Pas d'escompte pour paiement anticipé",
];

/** Account of no bank. */
const IBAN = "FR6099999000010000000000112";

/** Returns the total with VAT in cents. */
export function computeTotal({ lines, rate }: Pick<SampleInvoice, "lines" | "rate">): number {
  const net = computeNet(lines);
  return net + computeVat(net, rate);
}

const computeNet = (lines: readonly SampleLine[]) =>
  lines.reduce((sum, it) => sum + it.quantity * it.price, 0);
const computeVat = (net: number, rate: number) => Math.round(net * rate / 1000);

/** Writes cents as a decimal text with two decimals. */
export function writeCents(cents: number): string {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const amount = (name: string, cents: number) =>
  `<cbc:${name} currencyID="EUR">${writeCents(cents)}</cbc:${name}>`;

/** Writes the UBL of a sample invoice. */
export function writeSample(invoice: SampleInvoice, dates: SampleDates): string {
  const { direction, partner, credits, isConsumer } = invoice;
  const root = credits ? "CreditNote" : "Invoice";
  const notes = isConsumer ? [...MENTIONS, "#BAR#B2C"] : MENTIONS;
  const [seller, buyer] = direction === "issued" ? [OUR_COMPANY, partner] : [partner, OUR_COMPANY];
  const { due } = dates;
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2"` +
    ` xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"` +
    ` xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">` +
    `<cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID><cbc:ProfileID>B1</cbc:ProfileID>` +
    `<cbc:ID>${dates.number}</cbc:ID><cbc:IssueDate>${dates.issued}</cbc:IssueDate>` +
    (credits ? "" : `<cbc:DueDate>${due}</cbc:DueDate>`) +
    `<cbc:${root}TypeCode>${credits ? "381" : "380"}</cbc:${root}TypeCode>` +
    notes.map((it) => `<cbc:Note>${it}</cbc:Note>`).join("") +
    `<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>` +
    writePreceding(dates) + writeParty("Supplier", seller) + writeParty("Customer", buyer) +
    writeDelivery(invoice, dates) +
    `<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode>` +
    (credits ? `<cbc:PaymentDueDate>${due}</cbc:PaymentDueDate>` : "") +
    `<cac:PayeeFinancialAccount><cbc:ID>${IBAN}</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>` +
    writeTotals(invoice) +
    invoice.lines.map((it, at) => writeLine(invoice, it, at + 1)).join("") + `</${root}>\n`;
}

function writePreceding({ preceding }: SampleDates): string {
  if (!preceding) return "";
  return `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${preceding.number}</cbc:ID>` +
    `<cbc:IssueDate>${preceding.issued}</cbc:IssueDate>` +
    `</cac:InvoiceDocumentReference></cac:BillingReference>`;
}

/** Goods for another country state the day and the country of delivery. */
function writeDelivery({ partner, rate }: SampleInvoice, { issued }: SampleDates): string {
  if (rate) return "";
  return `<cac:Delivery><cbc:ActualDeliveryDate>${issued}</cbc:ActualDeliveryDate><cac:DeliveryLocation>` +
    `<cac:Address><cac:Country><cbc:IdentificationCode>${partner.country}</cbc:IdentificationCode>` +
    `</cac:Country></cac:Address></cac:DeliveryLocation></cac:Delivery>`;
}

function writeTotals({ lines, rate, isWrong }: SampleInvoice): string {
  const net = computeNet(lines);
  const vat = computeVat(net, rate);
  return `<cac:TaxTotal>${amount("TaxAmount", vat)}<cac:TaxSubtotal>${
    amount("TaxableAmount", net)
  }${amount("TaxAmount", vat)}${
    writeCategory("TaxCategory", rate)
  }</cac:TaxSubtotal></cac:TaxTotal>` +
    `<cac:LegalMonetaryTotal>${amount("LineExtensionAmount", net)}${
      amount("TaxExclusiveAmount", net)
    }${amount("TaxInclusiveAmount", net + vat)}${
      amount("PayableAmount", net + vat + (isWrong ? 9_000 : 0))
    }</cac:LegalMonetaryTotal>`;
}

function writeCategory(name: string, rate: number): string {
  const exemption = rate || name !== "TaxCategory"
    ? ""
    : "<cbc:TaxExemptionReasonCode>VATEX-EU-IC</cbc:TaxExemptionReasonCode>";
  return `<cac:${name}><cbc:ID>${rate ? "S" : "K"}</cbc:ID><cbc:Percent>${
    rate / 10
  }</cbc:Percent>` +
    `${exemption}<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:${name}>`;
}

function writeLine(
  { credits, rate }: SampleInvoice,
  { name, quantity, price }: SampleLine,
  id: number,
): string {
  const counted = credits ? "CreditedQuantity" : "InvoicedQuantity";
  const line = credits ? "CreditNoteLine" : "InvoiceLine";
  return `<cac:${line}><cbc:ID>${id}</cbc:ID><cbc:${counted} unitCode="C62">${quantity}</cbc:${counted}>` +
    `${amount("LineExtensionAmount", quantity * price)}<cac:Item><cbc:Name>${name}</cbc:Name>${
      writeCategory("ClassifiedTaxCategory", rate)
    }</cac:Item><cac:Price>${amount("PriceAmount", price)}</cac:Price></cac:${line}>`;
}

function writeParty(kind: string, party: SampleParty): string {
  const { siren, vatId } = party;
  const electronic = siren
    ? `<cbc:EndpointID schemeID="0225">${siren}</cbc:EndpointID>`
    : `<cbc:EndpointID schemeID="EM">contact@example.com</cbc:EndpointID>`;
  return `<cac:Accounting${kind}Party><cac:Party>${electronic}` +
    `<cac:PostalAddress><cbc:StreetName>${party.street}</cbc:StreetName>` +
    `<cbc:CityName>${party.city}</cbc:CityName><cbc:PostalZone>${party.postCode}</cbc:PostalZone>` +
    `<cac:Country><cbc:IdentificationCode>${party.country}</cbc:IdentificationCode></cac:Country></cac:PostalAddress>` +
    (vatId
      ? `<cac:PartyTaxScheme><cbc:CompanyID>${vatId}</cbc:CompanyID>` +
        `<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>`
      : "") +
    `<cac:PartyLegalEntity><cbc:RegistrationName>${party.name}</cbc:RegistrationName>` +
    (siren ? `<cbc:CompanyID schemeID="0002">${siren}</cbc:CompanyID>` : "") +
    `</cac:PartyLegalEntity></cac:Party></cac:Accounting${kind}Party>`;
}
