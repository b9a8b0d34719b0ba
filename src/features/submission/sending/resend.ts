import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import {
  findFacturX,
  findInvoiceXml,
  hasFatalFinding,
  type InvoiceRow,
  lockInvoice,
  recordStatus,
} from "#src/features/invoices/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { startSubmission } from "./start.ts";
import { latestSubmission, type SubmissionRow } from "./store.ts";

export type ResendNeeds = Pick<Deps, "clock" | "db" | "live" | "notifier" | "tasks">;

/**
 * Opens a new generation of sending, for a failed one or by force; `conflict` while one is open, so of two clicks at
 * once one counts. Resolves to its id, which the PA knows it by, and to what was
 * there before.
 */
export function resend(
  deps: ResendNeeds,
  key: InvoiceKey,
  { user }: { user: string },
): Promise<{ id: string; before: Before }> {
  return deps.db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, key);
    if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
    const before = beforeOf(invoice, await latestSubmission(tx, invoice.id));
    return { id: await sendAgain(deps, tx, { invoice, user }), before };
  });
}

/** Where an invoice and its sending stood before a person took it further, for the audit. */
export type Before = ReturnType<typeof beforeOf>;

export function beforeOf({ status }: InvoiceRow, sending: SubmissionRow | undefined) {
  if (!sending) return { status };
  const { id, generation, state, attempts, flowId } = sending;
  return { status, submission: { id, generation, state, attempts, flowId } };
}

/** As `resend`, for an invoice whose row is locked; `refused` for one whose present document may not be sent. */
export async function sendAgain(
  deps: ResendNeeds,
  tx: Db,
  { invoice, user }: { invoice: InvoiceRow; user: string },
): Promise<string> {
  const name = formatInvoiceKey(invoice);
  if (invoice.direction !== "issued") {
    throw new AppError("refused", say`Invoice ${name} was received, it cannot be sent`);
  }
  if (
    invoice.status === STATUS.validationFailed || await hasFatalFinding(tx, invoice.id)
  ) {
    throw new AppError(
      "refused",
      say`Invoice ${name} has fatal findings (${STATUS.validationFailed}); it cannot be sent before it is corrected`,
    );
  }
  const document = await findFacturX(tx, invoice.id) ?? await findInvoiceXml(tx, invoice.id);
  if (!document) throw new AppError("refused", say`Invoice ${name} has no stored UBL`);
  const { id, generation } = await startSubmission(deps, tx, {
    invoice,
    payloadSha256: document.sha256,
    turn: { of: user, in: "resend" },
  });
  const event = {
    code: STATUS.validated,
    at: deps.clock.now(),
    source: `operator:${user}`,
    message: say`Sent again`,
    generation,
    restart: true,
  };
  await recordStatus(deps, tx, { invoice: { ...invoice, generation }, event });
  return id;
}
