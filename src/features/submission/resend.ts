import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { findDocument, lockInvoice, recordStatus } from "#src/features/invoices/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { startSubmission } from "./start_submission.ts";

/** Opens a new generation of sending, for a failed one or by force. Resolves to its id, which the PA knows it by. */
export function resend(
  deps: Pick<Deps, "clock" | "db" | "live" | "tasks">,
  key: InvoiceKey,
  { user }: { user: string },
): Promise<string> {
  return deps.db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, key);
    if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
    if (invoice.direction !== "issued") throw new AppError("refused", `Invoice ${formatInvoiceKey(key)} was received, it cannot be sent`);
    if (invoice.status === STATUS.validationFailed) {
      throw new AppError("refused", `Invoice ${formatInvoiceKey(key)} has fatal findings (9907); it cannot be sent before it is corrected`);
    }
    const document = await findDocument(tx, invoice.id, "ubl");
    if (!document) throw new AppError("refused", `Invoice ${formatInvoiceKey(key)} has no stored UBL`);
    const id = await startSubmission(deps, tx, { invoice, payloadSha256: document.sha256 });
    const event = {
      code: STATUS.validated,
      at: deps.clock.now(),
      source: `operator:${user}`,
      message: "Sent again",
      generation: invoice.generation + 1,
      restart: true,
    };
    await recordStatus(deps, tx, { invoice, event });
    return id;
  });
}
