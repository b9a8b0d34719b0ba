import type { Deps } from "#src/deps.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { findChannel } from "./channels/mod.ts";
import { type DeliveryRow, findDispatch, lockDelivery, updateDelivery } from "./store.ts";
import { chainTask, deliverTask, noticeTask } from "./tasks.ts";
import type { Db } from "#src/ports/db.ts";

/**
 * Queues a dead delivery again. Throws `conflict` for a delivery that was sent or is active. Resolves to its earlier
 * state.
 */
export function replayDelivery(
  deps: Pick<Deps, "db" | "log" | "tasks">,
  { id, by }: { id: string; by: string },
): Promise<Pick<DeliveryRow, "attempts" | "lastError" | "state">> {
  return deps.db.transaction(async (tx) => {
    const delivery = await lockDelivery(tx, id);
    if (!delivery) throw notFound("Delivery", id);
    if (delivery.channel === "action" && delivery.state === "failed") {
      throw new AppError(
        "refused",
        say`Delivery ${id} is a call within a chain, whose outcome stands`,
      );
    }
    if (delivery.state !== "dead") {
      throw new AppError(
        "conflict",
        say`Delivery ${id} is ${delivery.state}; only a dead one is replayed`,
      );
    }
    await enqueue(deps, tx, delivery);
    await updateDelivery(tx, id, { state: delivery.channel === "dispatch" ? "sent" : "pending" });
    deps.log.info("notification.replayed", {
      delivery: id,
      rule: delivery.rule,
      channel: delivery.channel,
      by,
    });
    const { attempts, lastError, state } = delivery;
    return { attempts, lastError, state };
  });
}

async function enqueue(
  { tasks }: Pick<Deps, "tasks">,
  tx: Db,
  { id, channel, rule, eventId, notice }: DeliveryRow,
): Promise<void> {
  if (findChannel(channel)?.kind === "send") {
    return await tasks.enqueue(tx, deliverTask, { deliveryId: id });
  }
  const chain = rule === "" ? undefined : await findDispatch(tx, eventId, rule);
  if (chain) return await tasks.enqueue(tx, chainTask, { eventId, rule });
  await tasks.enqueue(tx, noticeTask, {
    events: [{ eventId, notice }],
    ...rule !== "" && { only: rule },
  });
}
