import { STATUS } from "#src/domain/invoice/status.ts";
import { computeCollectable, findExcess } from "#src/domain/invoice/collectable.ts";
import type { RateAmount } from "#src/domain/invoice/collected_amounts.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { paymentsIn } from "#src/gateway/invoices/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { listMessages } from "./store.ts";

/**
 * Throws `refused` when the amounts collected (212) exceed the invoice, or take back more than was reported. An excess
 * is allowed with `confirm`. The invoice's row must be locked, so that concurrent calls count each other's amounts.
 */
export async function checkCollected(
  tx: Db,
  invoiceId: number,
  { amounts, ubl, confirm }: {
    amounts: readonly RateAmount[];
    ubl: InvoiceDocument;
    confirm: boolean;
  },
): Promise<void> {
  const messages = await listMessages(tx, invoiceId);
  const reported = messages
    .filter((it) => it.statusCode === STATUS.paymentReceived && it.state !== "refused")
    .flatMap((it) => [...paymentsIn(it.content)]);
  const excess = findExcess(amounts, { reported, collectable: computeCollectable(ubl) });
  if (!excess || (excess.confirmable && confirm)) return;
  const { flaw: { code, fr, en }, confirmable } = excess;
  throw new AppError(code, say`${{ fr, en }}`, { details: { confirmable } });
}
