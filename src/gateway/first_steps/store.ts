import { eq, ne, sql } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { SAMPLE_COMPANY } from "#src/domain/invoice/sample.ts";
import type { Db } from "#src/ports/db.ts";

/** Key of the lock that loading and removing hold. */
const LOCK = 728_151;

/** Makes loading and removing wait for each other until the transaction ends. */
export async function lockSamples(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
}

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

/** Deletes the sample invoices with their lines, findings, documents and histories. Resolves to their number. */
export async function deleteSamples(tx: Db): Promise<number> {
  const gone = await tx.delete(invoices).where(eq(invoices.kco, SAMPLE_COMPANY))
    .returning({ id: invoices.id });
  return gone.length;
}
