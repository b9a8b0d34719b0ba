import { invoices, invoiceVat } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export type InvoiceColumns = Partial<typeof invoices.$inferInsert>;
/** Category, rate, taxable amount and VAT. */
type VatEntry = readonly [string, string, number, number];

/** Stores an invoice with its VAT entries: by default a domestic sale of 2026-10-05 that a PA holds. */
export async function addInvoice(
  db: Db,
  doc: string,
  vat: readonly VatEntry[],
  more: InvoiceColumns = {},
): Promise<void> {
  const sum = (at: 2 | 3) => vat.reduce((total, it) => total + it[at], 0);
  const [ht, tax] = [sum(2), sum(3)];
  const row = {
    doc,
    dct: "RI",
    kco: "00001",
    direction: "issued" as const,
    ublNumber: doc,
    issueDate: "2026-10-05",
    invoiceType: "380",
    currency: "EUR",
    totalHT: ht.toFixed(2),
    totalVat: tax.toFixed(2),
    totalTTC: (ht + tax).toFixed(2),
    amountDue: (ht + tax).toFixed(2),
    status: "10",
    treatment: "B2B" as const,
    generation: 1,
    ...more,
  };
  const [stored] = await db.insert(invoices).values(row).returning({ id: invoices.id });
  const { currency, direction, issueDate } = row;
  await db.insert(invoiceVat).values(
    vat.map(([taxCategory, taxRate, base, amount], at) => ({
      invoiceId: stored?.id ?? 0,
      seq: at + 1,
      taxCategory,
      taxRate,
      taxableAmount: base.toFixed(2),
      taxAmount: amount.toFixed(2),
      currency,
      direction,
      issueDate,
    })),
  );
}
