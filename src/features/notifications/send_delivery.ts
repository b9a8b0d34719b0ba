import { say } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { sendMail } from "#src/features/mail/mod.ts";
import { messageOf } from "#src/kernel/errors.ts";
import { MailError } from "#src/ports/mailer.ts";
import { type Attempt, RetryLater } from "#src/ports/task_queue.ts";
import { withGrace } from "./grace.ts";
import { type DeliveryRow, dropPdf, findDelivery, findPdf, updateDelivery } from "./store.ts";

type Needs = Pick<Deps, "clock" | "crash" | "db" | "log" | "mailer" | "storage" | "vault">;

/**
 * Sends one e-mail. What a later attempt may cure is tried again by the queue; what the server refuses for good is
 * dead at once. A mail whose acceptance was not recorded goes out again with the same message id.
 */
export async function sendDelivery(
  needs: Needs,
  deliveryId: string,
  attempt: Attempt,
): Promise<void> {
  const delivery = await findDelivery(needs.db, deliveryId);
  if (delivery?.state !== "pending") return;
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
