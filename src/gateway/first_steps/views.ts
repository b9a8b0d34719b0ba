import { eq } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { SAMPLE_COMPANY } from "#src/domain/invoice/sample.ts";
import type { Db } from "#src/ports/db.ts";

/** Returns the number of sample invoices. */
export function countSamples(db: Db): Promise<number> {
  return db.$count(invoices, eq(invoices.kco, SAMPLE_COMPANY));
}

/** Samples are loaded before any other invoice, so that they are among the first; more than there are samples. */
const FIRST = 100;

/** Returns true while sample invoices are loaded, without a search among all invoices. */
export async function hasSamples(db: Db): Promise<boolean> {
  const first = db.select({ kco: invoices.kco }).from(invoices).orderBy(invoices.id).limit(FIRST)
    .as("first");
  const rows = await db.select({ kco: first.kco }).from(first)
    .where(eq(first.kco, SAMPLE_COMPANY)).limit(1);
  return rows.length > 0;
}
