import { eq, sql } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

/** Marks the present status of a row the caller has locked as handled. A later status has another time. */
export async function closeStatus(tx: Db, id: number): Promise<void> {
  await tx.update(invoices).set({ handledStatusAt: sql`${invoices.statusAt}` })
    .where(eq(invoices.id, id));
}
