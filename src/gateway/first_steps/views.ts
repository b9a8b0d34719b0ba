import { eq, ne } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { SAMPLE_COMPANY } from "#src/domain/invoice/sample.ts";
import type { Db } from "#src/ports/db.ts";

/** Returns the number of sample invoices. */
export function countSamples(db: Db): Promise<number> {
  return db.$count(invoices, eq(invoices.kco, SAMPLE_COMPANY));
}

/** Returns true if the installation has an invoice that is no sample. */
export async function hasRealInvoice(db: Db): Promise<boolean> {
  const rows = await db.select({ id: invoices.id }).from(invoices)
    .where(ne(invoices.kco, SAMPLE_COMPANY)).limit(1);
  return rows.length > 0;
}
