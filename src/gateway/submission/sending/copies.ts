import { type Copy, isHeldSince, locateCopy } from "#src/domain/submission/copy.ts";
import { isDeposited } from "#src/domain/invoice/status.ts";
import { type InvoiceRow, readEvents } from "#src/gateway/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { listKnownSubmissions } from "./views.ts";

/** Returns where the copies of each invoice are: at the PA, waiting, or nowhere. By invoice id. */
export async function locateCopies(
  db: Db,
  invoices: readonly Pick<InvoiceRow, "generation" | "id" | "status">[],
): Promise<Map<number, Copy>> {
  const sendings = await listKnownSubmissions(
    db,
    invoices.filter((it) => it.generation).map((it) => it.id),
  );
  const copies = new Map<number, Copy>();
  for (const { id, status, generation } of invoices) {
    const states = sendings.filter((it) => it.invoiceId === id).map((it) => it.state);
    const copy = locateCopy(status, states);
    const wasSentBefore = copy === "none" && generation > 1 && !isDeposited(status);
    const isHeld = wasSentBefore && isHeldSince(await readEvents(db, id));
    copies.set(id, isHeld ? "held" : copy);
  }
  return copies;
}
