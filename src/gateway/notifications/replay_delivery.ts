import type { Deps } from "#src/deps.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { toColumns } from "#src/kernel/i18n/kept.ts";
import { findOwnedTemplate } from "#src/platform/templates/mod.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { findChannel } from "./channels/mod.ts";
import { pdfMaker } from "./prepare.ts";
import {
  deleteDelivery,
  deleteFinishedDispatch,
  deleteUnusedPdf,
  type DeliveryRow,
  findDelivery,
  findDispatch,
  isRetried,
  keepPdf,
  lockDelivery,
  updateDelivery,
} from "./store.ts";
import { chainTask, deliverTask, noticeTask } from "./tasks.ts";
import type { Db } from "#src/ports/db.ts";
import type { Task } from "#src/ports/task_queue.ts";

/** Delivery before a user changed it, as the audit trail records it. */
type EarlierDelivery = Pick<
  DeliveryRow,
  "address" | "attempts" | "channel" | "lastError" | "rule" | "state"
>;

/**
 * Queues a delivery again that is dead or failed, or an e-mail that was only written to a file. A failed one uses the
 * rights of the rule's current owner. A waiting message is attempted now. Throws `conflict` for a
 * delivery that was sent or is active. Resolves to its earlier state.
 */
export async function replayDelivery(
  deps: Pick<Deps, "db" | "log" | "pdf" | "tasks" | "vault">,
  { id, by }: { id: string; by: string },
): Promise<EarlierDelivery> {
  const pdf = await renderAgain(deps, id);
  return await deps.db.transaction(async (tx) => {
    const delivery = await lockDelivery(tx, id);
    if (!delivery) throw notFound("Delivery", id);
    if (delivery.channel === "action" && delivery.state === "failed") {
      throw new AppError(
        "refused",
        say`Delivery ${id} is a call within a chain, whose outcome stands`,
      );
    }
    const before = pickRecorded(delivery);
    if (await attemptNow(deps, tx, delivery)) return before;
    // The row is locked, and leaves this state below: two replays send one e-mail.
    const isFailed = delivery.state === "failed";
    const isOver = isFailed || isFiled(delivery);
    if (delivery.state !== "dead" && !isOver) {
      throw new AppError(
        "conflict",
        say`Delivery ${id} is ${delivery.state}; only a dead, failed or waiting one is replayed`,
      );
    }
    if (pdf) await keepPdf(tx, pdf);
    await endPause(deps, tx, delivery);
    if (isFailed && !isPrepared(delivery)) await prepareAgain(deps, tx, delivery);
    else {
      await enqueue(deps, tx, delivery);
      await updateDelivery(tx, id, {
        state: delivery.channel === "dispatch" ? "sent" : "pending",
        ...isOver && toColumns("lastError", null), // the reason names the file or an earlier right
        ...isOver && { owner: (await findOwnedTemplate(tx, delivery.rule))?.owner ?? null },
      });
    }
    deps.log.info("notification.replayed", {
      delivery: id,
      rule: delivery.rule,
      channel: delivery.channel,
      by,
    });
    return before;
  });
}

/**
 * Marks a dead delivery as failed and removes its stopped task, so that it no longer waits for a person. Throws
 * `conflict` for another delivery. Resolves to its earlier state.
 */
export async function dismissDelivery(
  { db, log, tasks }: Pick<Deps, "db" | "log" | "tasks">,
  { id, by }: { id: string; by: string },
): Promise<EarlierDelivery> {
  return await db.transaction(async (tx) => {
    const delivery = await lockDelivery(tx, id);
    if (!delivery) throw notFound("Delivery", id);
    const { state, rule, channel, eventId, attachment } = delivery;
    if (state !== "dead") {
      throw new AppError(
        "conflict",
        say`Delivery ${id} is ${state}; only a dead one is dismissed`,
      );
    }
    await withTask(tx, delivery, (task, payload) => tasks.revive(tx, task, payload));
    await updateDelivery(tx, id, { state: "failed" });
    if (attachment) await deleteUnusedPdf(tx, eventId);
    log.info("notification.dismissed", { delivery: id, rule, channel, by });
    return pickRecorded(delivery);
  });
}

function pickRecorded(
  { address, attempts, channel, lastError, rule, state }: DeliveryRow,
): EarlierDelivery {
  return { address, attempts, channel, lastError, rule, state };
}

/** Attempts a message now that waits for its next attempt; false for other deliveries. */
async function attemptNow(
  { tasks, vault }: Pick<Deps, "tasks" | "vault">,
  tx: Db,
  delivery: DeliveryRow,
): Promise<boolean> {
  const { id } = delivery;
  if (!isRetried(delivery) || findChannel(delivery.channel)?.kind !== "send") return false;
  await endPause({ vault }, tx, delivery);
  if (await tasks.hasten(tx, deliverTask, { deliveryId: id })) return true;
  throw new AppError("conflict", say`Delivery ${id} is being attempted right now`);
}

/** Ends a pause of the channel after errors, because a user requests an attempt. */
async function endPause(
  { vault }: Pick<Deps, "vault">,
  tx: Db,
  { channel: name }: DeliveryRow,
): Promise<void> {
  const channel = findChannel(name);
  if (channel?.kind === "send") await channel.endPause({ db: tx, vault });
}

/** Makes all messages that wait for their next attempt due now, because their server answers again. */
export async function hastenDeliveries({ db, tasks }: Pick<Deps, "db" | "tasks">): Promise<void> {
  await tasks.hastenAll(db, deliverTask);
}

/** Returns true for an e-mail that was only written to a file, so that nobody received it. */
function isFiled({ channel, lastError, state }: DeliveryRow): boolean {
  return state === "sent" && channel === "email" && lastError !== null;
}

/** Returns true for a message whose text is stored, so that it only has to be sent. */
function isPrepared({ body, channel }: DeliveryRow): boolean {
  return body !== null && findChannel(channel)?.kind === "send";
}

/** Lets the current rule decide again about the change of status. Calls that were made are not repeated. */
async function prepareAgain(
  { tasks }: Pick<Deps, "tasks">,
  tx: Db,
  delivery: DeliveryRow,
): Promise<void> {
  const { id, channel, rule, eventId, notice } = delivery;
  await deleteFinishedDispatch(tx, eventId, rule);
  if (channel === "dispatch") {
    await updateDelivery(tx, id, { state: "sent" });
    return await enqueue({ tasks }, tx, delivery); // a chain that was given up and dismissed goes on
  }
  await deleteDelivery(tx, id);
  await tasks.enqueue(tx, noticeTask, { events: [{ eventId, notice }], only: rule });
}

/** Renders the PDF of an e-mail again: it was deleted with the last delivery. */
async function renderAgain(deps: Pick<Deps, "db" | "log" | "pdf">, id: string) {
  const delivery = await findDelivery(deps.db, id);
  if (!delivery?.attachment || delivery.state !== "failed" && !isFiled(delivery)) return undefined;
  const { eventId, notice, attachment: language } = delivery;
  const bytes = await pdfMaker(deps, notice).render(language);
  return bytes && { eventId, language, bytes };
}

/** Queues the work of a delivery again, instead of its stopped task. */
async function enqueue({ tasks }: Pick<Deps, "tasks">, tx: Db, of: DeliveryRow): Promise<void> {
  await withTask(tx, of, async (task, payload) => {
    await tasks.revive(tx, task, payload);
    await tasks.enqueue(tx, task, payload);
  });
}

/** Calls the function with the task of a delivery. */
async function withTask(
  tx: Db,
  { id, channel, rule, eventId, notice }: DeliveryRow,
  use: <P>(task: Task<P>, payload: P) => Promise<unknown>,
): Promise<void> {
  if (findChannel(channel)?.kind === "send") {
    await use(deliverTask, { deliveryId: id });
  } else if (rule !== "" && await findDispatch(tx, eventId, rule)) {
    await use(chainTask, { eventId, rule });
  } else {
    await use(noticeTask, { events: [{ eventId, notice }], ...rule !== "" && { only: rule } });
  }
}
