import { toColumns } from "#src/kernel/i18n/kept.ts";
import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { type NotificationRule, readRule } from "#src/domain/notification/mod.ts";
import { explainRefusal } from "#src/domain/permission/need.ts";
import { ownerLookup } from "#src/platform/access/mod.ts";
import { findOwnedTemplate } from "#src/platform/templates/mod.ts";
import { toSentence } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import { type Attempt, RetryLater } from "#src/ports/task_queue.ts";
import type { Message, SendChannel, SendDeps } from "./channels/channel.ts";
import { findChannel } from "./channels/mod.ts";
import { withGrace } from "./grace.ts";
import {
  deleteUnusedPdf,
  type DeliveryRow,
  findDelivery,
  findPdf,
  updateDelivery,
} from "./store.ts";
import { deliverTask } from "./tasks.ts";

type SendDeliveryDeps = SendDeps & Pick<Deps, "accounts" | "crash" | "tasks">;

/** Delivery of a channel that sends. */
interface Waiting {
  readonly channel: SendChannel;
  readonly delivery: DeliveryRow;
}

/**
 * Sends one message if the rule's owner may still do so. The queue retries temporary errors; a permanent refusal of the
 * peer makes it dead at once. A message whose acceptance was not recorded is sent again with the same id.
 */
export async function sendDelivery(
  deps: SendDeliveryDeps,
  deliveryId: string,
  attempt: Attempt,
): Promise<void> {
  const waiting = await findWaiting(deps.db, deliveryId);
  if (!waiting) return;
  const { channel, delivery } = waiting;
  const owner = await ownerLookup(deps)(delivery.owner);
  const refusal = explainRefusal(owner, channel.needs({ chart: undefined }));
  if (refusal !== undefined) return await recordForbidden(deps, waiting, refusal);
  let unsent: Sentence | undefined;
  try {
    const message = await readMessage(deps, delivery);
    unsent = await withGrace(
      attempt.signal,
      (signal) => channel.send(deps, message, { owner, signal }),
    );
  } catch (error) {
    return await recordFailure(deps, waiting, error);
  }
  deps.crash("notification.mailSent");
  await updateDelivery(deps.db, deliveryId, {
    state: "sent",
    ...toColumns("lastError", unsent ?? null),
    attempted: true,
  });
  if (delivery.attachment) await deleteUnusedPdf(deps.db, delivery.eventId);
  // The server may answer again after a pause, in which other messages wait for their first attempt.
  if (delivery.lastError !== null) {
    await deps.tasks.hastenAll(deps.db, deliverTask, { isUntried: true });
  }
}

async function findWaiting(db: Db, id: string): Promise<Waiting | undefined> {
  const delivery = await findDelivery(db, id);
  const channel = delivery && findChannel(delivery.channel);
  if (delivery?.state !== "pending" || channel?.kind !== "send") return undefined;
  return { channel, delivery };
}

/** Its owner lost a right since it was prepared; final. */
async function recordForbidden(
  { db, log }: SendDeliveryDeps,
  { channel, delivery: { id, rule, eventId, attachment } }: Waiting,
  refusal: Sentence,
): Promise<void> {
  const event = `notification.${channel.event}.forbidden`;
  log.error(event, { delivery: id, rule, reason: String(refusal) });
  await updateDelivery(db, id, { state: "failed", ...toColumns("lastError", refusal) });
  if (attachment) await deleteUnusedPdf(db, eventId);
}

async function readMessage({ db }: SendDeliveryDeps, delivery: DeliveryRow): Promise<Message> {
  const { id, eventId, notice, address, subject, body, attachment } = delivery;
  const pdf = attachment ? await findPdf(db, eventId, attachment) : undefined;
  return { id, address, subject, body, notice, pdf, rule: await ruleNow(db, delivery) };
}

/**
 * Returns the current rule of this name. Returns undefined when the rule was deleted, is unreadable, or has another
 * owner, who may not show the same data.
 */
async function ruleNow(
  db: Db,
  { rule, owner }: Pick<DeliveryRow, "owner" | "rule">,
): Promise<NotificationRule | undefined> {
  const found = await findOwnedTemplate(db, rule);
  if (!found || found.owner !== owner) return undefined;
  const read = readRule(found);
  return read.ok ? read.rule : undefined;
}

async function recordFailure(
  deps: SendDeliveryDeps,
  { channel, delivery }: Waiting,
  error: unknown,
): Promise<void> {
  const reason = toSentence(error);
  const why = toColumns("lastError", reason);
  const { isFinal, waitMs } = channel.failureOf(error);
  if (waitMs !== undefined) {
    // An earlier attempt knows the cause; a message that was not tried yet names the pause.
    if (delivery.lastError === null) await updateDelivery(deps.db, delivery.id, why);
    throw new RetryLater(reason, { delayMs: waitMs, free: true });
  }
  deps.log.error(`notification.${channel.event}.${isFinal ? "refused" : "failed"}`, {
    delivery: delivery.id,
    rule: delivery.rule,
    reason: why.lastError,
  });
  if (isFinal) {
    return await updateDelivery(deps.db, delivery.id, {
      state: "dead",
      ...why,
      attempted: true,
    });
  }
  await updateDelivery(deps.db, delivery.id, { ...why, attempted: true });
  throw error;
}

/** Marks a delivery whose message failed for good as dead; a user may replay it. */
export async function deliveryDied(
  deps: Pick<Deps, "db" | "log">,
  deliveryId: string,
  reason: Sentence,
): Promise<void> {
  const waiting = await findWaiting(deps.db, deliveryId);
  if (!waiting) return;
  const { channel, delivery } = waiting;
  const why = toColumns("lastError", reason);
  const said = { delivery: deliveryId, rule: delivery.rule, reason: why.lastError };
  deps.log.error(`notification.${channel.event}.dead`, said);
  await updateDelivery(deps.db, deliveryId, { state: "dead", ...why });
}
