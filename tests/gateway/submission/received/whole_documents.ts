import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GOLDEN } from "#tests/support/product.ts";

const EXTENDED = "urn:cen.eu:en16931:2017#conformant#urn.cpro.gouv.fr:1p0:extended-ctc-fr";
const ubl = await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8");
export const assignNumber = (number: string) => ubl.replaceAll("RI-100002", number);

/** Returns a line of 18.50 with additional UBL elements in the order that UBL requires. */
export function line(id: string, { reference = "", adjustment = "", price = "" } = {}): string {
  const [, whole = ""] = /(<cac:InvoiceLine>.*<\/cac:InvoiceLine>)/.exec(ubl) ?? [];
  return whole.replace("<cbc:ID>1<", `<cbc:ID>${id}<`)
    .replace("<cac:Item>", `${reference}${adjustment}<cac:Item>`)
    .replace("</cbc:PriceAmount>", `</cbc:PriceAmount>${price}`);
}

export function withLines(number: string, ...lines: readonly string[]): string {
  return assignNumber(number).replace(/<cac:InvoiceLine>.*<\/cac:InvoiceLine>/, lines.join(""))
    .replace("urn:cen.eu:en16931:2017<", `${EXTENDED}<`);
}

export function attachment(
  description: string,
  name: string,
  content: string | Uint8Array,
): string {
  const base64 = Buffer.from(content).toString("base64");
  return `<cac:AdditionalDocumentReference><cbc:ID>DOC</cbc:ID><cbc:DocumentDescription>${description}</cbc:DocumentDescription><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="${name}">${base64}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>`;
}

/** Returns the position of a line in the hierarchy of EXTENDED-CTC-FR. */
export function locate(number: string, kind: string, parent = ""): string {
  const above = parent &&
    `<cac:BillingReferenceLine><cbc:ID>${parent}</cbc:ID></cac:BillingReferenceLine>`;
  return `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${number}</cbc:ID><cbc:DocumentStatusCode>${kind}</cbc:DocumentStatusCode></cac:InvoiceDocumentReference>${above}</cac:BillingReference>`;
}

/** Returns order and despatch advice of a line. */
export function order(order: string): string {
  return `<cac:OrderLineReference><cbc:LineID>7</cbc:LineID><cac:OrderReference><cbc:ID>${order}</cbc:ID></cac:OrderReference></cac:OrderLineReference><cac:DespatchLineReference><cbc:LineID>1</cbc:LineID><cac:DocumentReference><cbc:ID>BL-9</cbc:ID></cac:DocumentReference></cac:DespatchLineReference>`;
}

export const BASE_PRICE =
  '<cbc:BaseQuantity unitCode="C62">1000</cbc:BaseQuantity><cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount currencyID="EUR">2.00</cbc:Amount><cbc:BaseAmount currencyID="EUR">20.50</cbc:BaseAmount></cac:AllowanceCharge>';

export const TWO_TERMS =
  '<cac:PaymentTerms><cbc:Note>Acompte</cbc:Note><cbc:Amount currencyID="EUR">10.20</cbc:Amount><cbc:InstallmentDueDate>2026-10-01</cbc:InstallmentDueDate></cac:PaymentTerms><cac:PaymentTerms><cbc:Note>Solde</cbc:Note><cbc:Amount currencyID="EUR">12.00</cbc:Amount></cac:PaymentTerms>';

/** Returns an allowance or a charge of a line. */
export function adjust(isCharge: boolean, amount: string, reason: string): string {
  return `<cac:AllowanceCharge><cbc:ChargeIndicator>${isCharge}</cbc:ChargeIndicator><cbc:AllowanceChargeReason>${reason}</cbc:AllowanceChargeReason><cbc:Amount currencyID="EUR">${amount}</cbc:Amount></cac:AllowanceCharge>`;
}
