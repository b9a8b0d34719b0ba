import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import type { Role } from "./role.ts";
import { isDomestic } from "./territory.ts";
import type { Report, TreatmentCode } from "./treatment.ts";

/** BT-8: VAT is due on the invoice date ("option pour les débits"): 3 in UBL, 5 in CII. */
const ON_DEBITS: ReadonlySet<string> = new Set(["3", "5"]);
/** BT-8: VAT is due on payment: 432 in UBL, 72 in CII. */
const ON_PAYMENT: ReadonlySet<string> = new Set(["432", "72"]);

/**
 * Returns true where VAT of the invoice becomes due with the payment: taxed services without the option for
 * debits.
 */
export function isVatOnReceipt(
  { taxPointDateCode = "", processType = "", vatBreakdown }: InvoiceDocument,
): boolean {
  const isTaxed = vatBreakdown.some(({ vat }) => vat.code === "S" && Number(vat.rate) > 0);
  if (!isTaxed || ON_DEBITS.has(taxPointDateCode)) return false;
  return ON_PAYMENT.has(taxPointDateCode) || /^[SM]/.test(processType);
}

/** Returns the e-reporting flows that follow from an invoice (DGFiP v3.2 §3.7). */
export function deriveReports(
  code: TreatmentCode,
  { invoice, role }: { invoice: InvoiceDocument; role: Role },
): readonly Report[] {
  const isForeignPurchase = role === "buyer" && !isDomestic(invoice.seller.address?.country);
  if (isForeignPurchase && (code === "UNDEFINED" || code === "B2BINT")) return ["10.1"];
  if (role === "buyer") return []; // the seller reports
  const isPaymentReported = isVatOnReceipt(invoice);
  if (code === "B2BINT") return isPaymentReported ? ["10.1", "10.2"] : ["10.1"];
  if (code === "B2C" || code === "B2CINT") return isPaymentReported ? ["10.3", "10.4"] : ["10.3"];
  return [];
}
