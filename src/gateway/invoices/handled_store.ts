import { eq, sql } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

/** Author of a mark, with its time and comment. */
export interface HandledMark {
  readonly at: Date;
  readonly by: string;
  readonly comment: string;
}

/** Marks the present status of a row the caller has locked as handled. A later status has another time. */
export async function closeStatus(tx: Db, id: number, mark: HandledMark): Promise<void> {
  await tx.update(invoices).set({
    handledStatusAt: sql`${invoices.statusAt}`,
    handledAt: mark.at,
    handledBy: mark.by,
    handledComment: mark.comment,
  }).where(eq(invoices.id, id));
}

/** Removes the mark of a row the caller has locked. */
export async function openStatus(tx: Db, id: number): Promise<void> {
  await tx.update(invoices).set({
    handledStatusAt: null,
    handledAt: null,
    handledBy: null,
    handledComment: null,
  }).where(eq(invoices.id, id));
}
