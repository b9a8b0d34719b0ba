import { kept } from "#src/kernel/sentences/kept.ts";
import type { Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { needsOfRule } from "#src/domain/notification/mod.ts";
import { refusalOf } from "#src/domain/permission/need.ts";
import { ownerLookup } from "#src/features/access/mod.ts";
import { sendMail } from "#src/features/mail/mod.ts";
import { sentenceOf } from "#src/kernel/errors.ts";
import { MailError } from "#src/ports/mailer.ts";
import { type Attempt, RetryLater } from "#src/ports/task_queue.ts";
import { type DrawChart, ruleNow, withChart } from "./chart_of_mail.ts";
import { withGrace } from "./grace.ts";
import { type DeliveryRow, dropPdf, findDelivery, findPdf, updateDelivery } from "./store.ts";

type Needs =
  & Pick<
    Deps,
    "accounts" | "clock" | "crash" | "db" | "log" | "mailer" | "storage" | "vault"
  >
  & { readonly drawChart: DrawChart };

const MAILS_INVOICES = needsOfRule({ email: true, chart: undefined });

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
  const owner = await ownerLookup(needs)(delivery.owner);
  const refusal = refusalOf(owner, MAILS_INVOICES);
  if (refusal !== undefined) return await forbidden(needs, { delivery, refusal });
  try {
    const { text: body, ...mail } = await mailOf(needs, delivery);
    const rule = await ruleNow(needs, delivery);
    const shown = rule
      ? await withChart(needs, { rule, owner, text: body }, attempt.signal)
      : { text: body };
    await withGrace(attempt.signal, (late) => sendMail(needs, { ...mail, ...shown }, late));
  } catch (error) {
    return await failed(needs, { delivery, error });
  }
  needs.crash("notification.mailSent");
  await updateDelivery(needs.db, deliveryId, {
    state: "sent",
    ...kept("lastError", null),
    attempted: true,
  });
  if (delivery.attachment) await dropPdf(needs.db, delivery.eventId);
}

/** Its owner lost a right since it was prepared; final. */
async function forbidden(
  { db, log }: Needs,
  { delivery: { id, rule, eventId, attachment }, refusal }: {
    delivery: DeliveryRow;
    refusal: Sentence;
  },
): Promise<void> {
  log.warn("notification.mail.forbidden", { delivery: id, rule, reason: String(refusal) });
  await updateDelivery(db, id, { state: "failed", ...kept("lastError", refusal) });
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
  const reason = sentenceOf(error);
  const why = kept("lastError", reason);
  const waitMs = error instanceof MailError ? error.retryAfterMs : undefined;
  if (waitMs !== undefined) throw new RetryLater(reason, { delayMs: waitMs, free: true });
  if (error instanceof MailError && error.outcome === "permanent") {
    needs.log.error("notification.mail.refused", {
      delivery: delivery.id,
      rule: delivery.rule,
      reason: why.lastError,
    });
    return await updateDelivery(needs.db, delivery.id, {
      state: "dead",
      ...why,
      attempted: true,
    });
  }
  await updateDelivery(needs.db, delivery.id, { ...why, attempted: true });
  throw error;
}

/** The e-mail failed for good: the delivery is dead, for somebody to replay. */
export async function deliveryDied(
  needs: Pick<Deps, "db" | "log">,
  deliveryId: string,
  reason: Sentence,
): Promise<void> {
  const delivery = await findDelivery(needs.db, deliveryId);
  if (delivery?.state !== "pending") return;
  const why = kept("lastError", reason);
  const said = { delivery: deliveryId, rule: delivery.rule, reason: why.lastError };
  needs.log.error("notification.mail.dead", said);
  await updateDelivery(needs.db, deliveryId, { state: "dead", ...why });
}
