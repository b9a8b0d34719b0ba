import { and, asc, eq, gt, gte, inArray, sql } from "drizzle-orm";
import { invoiceDocuments, invoices } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

/** Documents kept of invoices, in order of their ids, a page at a time. */
export async function archivedUbl(
  db: Db,
  { after, limit, since }: { after: number; limit: number; since: string | undefined },
): Promise<{ id: number; name: string; content: string }[]> {
  return await db.select({
    id: invoices.id,
    name: sql<string>`${invoices.doc} || '-' || ${invoices.dct} || '-' || ${invoices.kco}`,
    content: invoiceDocuments.content,
  }).from(invoiceDocuments).innerJoin(invoices, eq(invoices.id, invoiceDocuments.invoiceId))
    .where(and(
      inArray(invoiceDocuments.kind, ["ubl", "cii"]),
      gt(invoices.id, after),
      since === undefined ? undefined : gte(invoices.issueDate, since),
    )).orderBy(asc(invoices.id)).limit(limit);
}
