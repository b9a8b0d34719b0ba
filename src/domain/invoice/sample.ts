/** Company code of sample invoices. The product refuses it for all other invoices. */
export const SAMPLE_COMPANY = "EXEMPLE";

/** Returns true for an invoice of the sample data, which never leaves the product. */
export function isSample({ kco }: { readonly kco: string }): boolean {
  return kco === SAMPLE_COMPANY;
}
