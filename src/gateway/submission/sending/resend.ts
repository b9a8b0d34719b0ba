import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { isSample } from "#src/domain/invoice/sample.ts";
import { STATUS, statusLabel } from "#src/domain/invoice/status.ts";
import { locateCopy } from "#src/domain/submission/copy.ts";
import { isOpenSubmission, type SubmissionState } from "#src/domain/submission/state.ts";
import {
  findFacturX,
  findInvoiceXml,
  hasFatalFinding,
  type InvoiceRow,
  lockInvoice,
  recordStatus,
} from "#src/gateway/invoices/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { startSubmission } from "./start.ts";
import { latestSubmission, readSubmissions, type SubmissionRow } from "./store.ts";

export type ResendDeps = Pick<Deps, "clock" | "db" | "live" | "notifier" | "tasks">;

/**
 * Opens a new submission of an invoice. Throws `conflict` while a submission is open, so that one of two concurrent
 * calls succeeds. Without `force`, also throws it when the PA has, or may have, the invoice. Resolves to the tracking
 * id and the state before.
 */
export function resend(
  deps: ResendDeps,
  key: InvoiceKey,
  { user, force }: { user: string; force?: { readonly reason: string } | undefined },
): Promise<{ id: string; before: Before }> {
  return deps.db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, key);
    if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
    const before = describeBefore(invoice, await latestSubmission(tx, invoice.id));
    return { id: await sendAgain(deps, tx, { invoice, user, force }), before };
  });
}

/** Returns true when a resend needs a reason: the PA has a copy, or may have one, and no submission is open. */
export function needsForce(status: string, states: readonly SubmissionState[]): boolean {
  return status !== STATUS.sendFailed && locateCopy(status, states) === "held" &&
    !states.some(isOpenSubmission);
}

function heldRefusal(invoice: InvoiceRow): AppError {
  const { status } = invoice;
  const label = { fr: statusLabel(status, "fr"), en: statusLabel(status, "en") };
  return new AppError(
    "conflict",
    say`The PA holds invoice ${
      formatInvoiceKey(invoice)
    }, or may hold it (${status} ${label}): to send it again, give force: true with a reason`,
  );
}

/** State of an invoice and its submission before a person's action, for the audit. */
export type Before = ReturnType<typeof describeBefore>;

export function describeBefore({ status }: InvoiceRow, sending: SubmissionRow | undefined) {
  if (!sending) return { status };
  const { id, generation, state, attempts, flowId } = sending;
  return { status, submission: { id, generation, state, attempts, flowId } };
}

/**
 * Does the work of `resend` for an invoice whose row is locked. Returns `refused` when its current document must not be
 * sent.
 */
export async function sendAgain(
  deps: ResendDeps,
  tx: Db,
  { invoice, user, force }: {
    invoice: InvoiceRow;
    user: string;
    force?: { readonly reason: string } | undefined;
  },
): Promise<string> {
  const name = formatInvoiceKey(invoice);
  if (invoice.direction !== "issued") {
    throw new AppError("refused", say`Invoice ${name} was received, it cannot be sent`);
  }
  if (isSample(invoice)) {
    throw new AppError("refused", say`Invoice ${name} is sample data: it is never sent`);
  }
  if (
    invoice.status === STATUS.validationFailed || await hasFatalFinding(tx, invoice.id)
  ) {
    throw new AppError(
      "refused",
      say`Invoice ${name} has fatal findings (${STATUS.validationFailed}); it cannot be sent before it is corrected`,
    );
  }
  if (invoice.treatment === "UNDECIDED") {
    throw new AppError("refused", say`Invoice ${name} waits for a choice of its treatment first`);
  }
  const states = (await readSubmissions(tx, invoice.id)).map((it) => it.state);
  const isHeld = needsForce(invoice.status, states);
  if (isHeld && !force) throw heldRefusal(invoice);
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
    message: isHeld && force ? say`Sent again by force: ${force.reason}` : say`Sent again`,
    generation,
    restart: true,
  };
  await recordStatus(deps, tx, { invoice: { ...invoice, generation }, event });
  return id;
}
