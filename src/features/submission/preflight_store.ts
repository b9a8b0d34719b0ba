import { and, eq, sql } from "drizzle-orm";
import { findings, invoices } from "#drizzle/schema/mod.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import type { Db } from "#src/ports/db.ts";

/** Puts the one finding of a source in place of the one before; none takes it away. */
export async function replaceFinding(
  db: Db,
  { invoiceId, source, finding }: {
    invoiceId: number;
    source: string;
    finding: Finding | undefined;
  },
): Promise<void> {
  const mine = and(eq(findings.invoiceId, invoiceId), eq(findings.source, source));
  if (!finding) return void await db.delete(findings).where(mine);
  await db.transaction(async (tx) => {
    await tx.delete(findings).where(mine);
    const [key] = await tx.select({ doc: invoices.doc, dct: invoices.dct, kco: invoices.kco }).from(
      invoices,
    )
      .where(eq(invoices.id, invoiceId));
    const seq =
      sql`(select coalesce(max(seq), 0) + 1 from findings where invoice_id = ${invoiceId})`;
    await tx.insert(findings).values({ ...finding, ...key, invoiceId, seq });
  });
}
