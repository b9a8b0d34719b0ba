import { eq } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { SAMPLE_COMPANY } from "#src/domain/invoice/sample.ts";
import type { Db } from "#src/ports/db.ts";

/** Returns the number of sample invoices. */
export function countSamples(db: Db): Promise<number> {
  return db.$count(invoices, eq(invoices.kco, SAMPLE_COMPANY));
}
