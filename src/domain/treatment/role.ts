/** Our role in an invoice. */
export const ROLES = ["seller", "buyer"] as const;
export type Role = (typeof ROLES)[number];

/** UNTDID 1001: invoices and credit notes that the buyer writes in the seller's name. */
export const SELF_BILLED_TYPES = ["389", "500", "471", "261", "501", "473", "502"] as const;

/** Returns true for a document that the buyer writes in the seller's name. */
function isSelfBilled(invoiceType: string | null | undefined): boolean {
  return (SELF_BILLED_TYPES as readonly string[]).includes(invoiceType ?? "");
}

/**
 * Returns our role in an invoice: we sell the invoices we issue and buy those we receive; self-billing reverses
 * it.
 */
export function ourRole(
  { direction, invoiceType }: {
    readonly direction: "issued" | "received";
    readonly invoiceType: string | null | undefined;
  },
): Role {
  return (direction === "issued") === isSelfBilled(invoiceType) ? "buyer" : "seller";
}
