import { say } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { needsOfRule } from "#src/domain/notification/mod.ts";
import { refusalOf } from "#src/domain/permission/need.ts";
import { ownerLookup } from "#src/features/access/mod.ts";
import { sendMail } from "#src/features/mail/mod.ts";
import { messageOf } from "#src/kernel/errors.ts";
import { MailError } from "#src/ports/mailer.ts";
import { type Attempt, RetryLater } from "#src/ports/task_queue.ts";
import { withGrace } from "./grace.ts";
import { type DeliveryRow, dropPdf, findDelivery, findPdf, updateDelivery } from "./store.ts";

type Needs = Pick<
  Deps,
  "accounts" | "clock" | "crash" | "db" | "log" | "mailer" | "storage" | "vault"
>;

const MAILS_INVOICES = needsOfRule({ email: true });

/**
 * Sends one e-mail, if whose rule it is of may still do so. What a later attempt may cure is tried again by the queue; what the server refuses for good is
 * dead at once. A mail whose acceptance was not recorded goes out again with the same message id.
 */
export async function sendDelivery(
  needs: Needs,
  deliveryId: string,
  attempt: Attempt,
): Promise<void> {
  const delivery = await findDelivery(needs.db, deliveryId);
  if (delivery?.state !== "pending") return;
  const refusal = refusalOf(await ownerLookup(needs)(delivery.owner), MAILS_INVOICES);
  if (refusal !== undefined) return await forbidden(needs, { delivery, refusal: String(refusal) });
  try {
    const mail = await mailOf(needs, delivery);
    await withGrace(attempt.signal, (late) => sendMail(needs, mail, late));
  } catch (error) {
    return await failed(needs, { delivery, error });
  }
  needs.crash("notification.mailSent");
  await updateDelivery(needs.db, deliveryId, { state: "sent", lastError: null, attempted: true });
  if (delivery.attachment) await dropPdf(needs.db, delivery.eventId);
}

/** Its owner lost a right since it was prepared; final. */
async function forbidden(
  { db, log }: Needs,
  { delivery: { id, rule, eventId, attachment }, refusal }: {
    delivery: DeliveryRow;
    refusal: string;
  },
): Promise<void> {
  log.warn("notification.mail.forbidden", { delivery: id, rule, reason: refusal });
  await updateDelivery(db, id, { state: "failed", lastError: refusal });
  if (attachment) await dropPdf(db, eventId);
}

async function mailOf(
  { db }: Needs,
  { id, eventId, notice, address, subject, body, attachment }: DeliveryRow,
) {
  const pdf = attachment ? await findPdf(db, eventId, attachment) : undefined;
  const name = `${formatInvoiceKey(notice).replace(/[^\w.-]/g, "_")}.pdf`;
  const attachments = pdf ? [{ name, type: "application/pdf", content: pdf }] : [];
  return { id, to: [address], subject, text: body, attachments };
}

async function failed(
  needs: Needs,
  { delivery, error }: { delivery: DeliveryRow; error: unknown },
): Promise<void> {
  const reason = messageOf(error);
  const waitMs = error instanceof MailError ? error.retryAfterMs : undefined;
  if (waitMs !== undefined) throw new RetryLater(say`${reason}`, { delayMs: waitMs, free: true });
  if (error instanceof MailError && error.outcome === "permanent") {
    needs.log.error("notification.mail.refused", {
      delivery: delivery.id,
      rule: delivery.rule,
      reason,
    });
    return await updateDelivery(needs.db, delivery.id, {
      state: "dead",
      lastError: reason,
      attempted: true,
    });
  }
  await updateDelivery(needs.db, delivery.id, { lastError: reason, attempted: true });
  throw error;
}

export async function deliveryDied(
  needs: Pick<Deps, "db" | "log">,
  deliveryId: string,
  reason: string,
): Promise<void> {
  const delivery = await findDelivery(needs.db, deliveryId);
  if (delivery?.state !== "pending") return;
  needs.log.error("notification.mail.dead", { delivery: deliveryId, rule: delivery.rule, reason });
  await updateDelivery(needs.db, deliveryId, { state: "dead", lastError: reason });
}
