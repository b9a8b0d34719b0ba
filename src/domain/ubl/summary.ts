import { readSiren } from "./identifiers.ts";
import type { InvoiceDocument, Party } from "./model.ts";

/** Fields of a document that the invoice list stores; amounts are decimal text, dates `yyyy-MM-dd`. */
export interface InvoiceSummary {
  /** BT-1 */
  readonly ublNumber: string | undefined;
  /** BT-2 */
  readonly issueDate: string | undefined;
  /** BT-3 */
  readonly invoiceType: string | undefined;
  /** BT-109 */
  readonly totalHT: string | undefined;
  /** BT-112 */
  readonly totalTTC: string | undefined;
  /** BT-115 */
  readonly amountDue: string | undefined;
  /** BT-110 */
  readonly totalVat: string | undefined;
  /** BT-5 */
  readonly currency: string | undefined;
  /** Legal registration identifier of the buyer (SIREN in France), else its first identifier. */
  readonly customerRef: string | undefined;
  readonly customerName: string | undefined;
  readonly customerSiren: string | undefined;
  /** BT-49 */
  readonly customerEndpoint: string | undefined;
  /** Legal registration identifier of the seller (SIREN in France), else its first identifier. */
  readonly supplierRef: string | undefined;
  readonly supplierName: string | undefined;
  readonly supplierSiren: string | undefined;
  /** BT-34 */
  readonly supplierEndpoint: string | undefined;
  /** BT-12 */
  readonly contractRef: string | undefined;
  /** BT-13 */
  readonly orderRef: string | undefined;
  /** BT-14 */
  readonly salesOrderRef: string | undefined;
  /** BT-9 */
  readonly dueDate: string | undefined;
  /** BT-23 */
  readonly processType: string | undefined;
  /** BT-24 */
  readonly customizationId: string | undefined;
}

/** Returns the fields of an invoice that lists and rules use. */
export function summarizeInvoice(invoice: InvoiceDocument): InvoiceSummary {
  const { buyer, seller, totals, references } = invoice;
  return {
    ublNumber: invoice.number,
    issueDate: invoice.issueDate,
    invoiceType: invoice.typeCode,
    totalHT: totals.withoutVat,
    totalTTC: totals.withVat,
    amountDue: totals.due,
    totalVat: totals.vat,
    currency: invoice.currency,
    customerRef: findReference(buyer),
    customerName: buyer.name,
    customerSiren: readSiren(buyer),
    customerEndpoint: buyer.endpoint?.value,
    supplierRef: findReference(seller),
    supplierName: seller.name,
    supplierSiren: readSiren(seller),
    supplierEndpoint: seller.endpoint?.value,
    contractRef: references.contract,
    orderRef: references.order,
    salesOrderRef: references.salesOrder,
    dueDate: invoice.dueDate,
    processType: invoice.processType,
    customizationId: invoice.customizationId,
  };
}

function findReference(party: Party): string | undefined {
  return party.legalId?.value ?? party.ids[0]?.value;
}
