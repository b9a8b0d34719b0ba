import type { Deps } from "#src/deps.ts";
import {
  chainDied,
  chainTask,
  deliverTask,
  deliveryDied,
  dispatchChain,
  dispatchStatus,
  newRuleCache,
  noticeDied,
  noticeTask,
  sendDelivery,
} from "#src/features/notifications/mod.ts";
import { consumer } from "#workers/consumer.ts";

export function notificationConsumers(deps: Deps) {
  const rules = newRuleCache(deps);
  return [
    consumer(
      noticeTask,
      (notice) => dispatchStatus(deps, rules, notice),
      (notice, reason) => noticeDied(deps, notice, reason),
    ),
    consumer(
      chainTask,
      (chain, { signal }) => dispatchChain(deps, chain, signal),
      (chain, reason) => chainDied(deps, chain, reason),
    ),
    consumer(
      deliverTask,
      ({ deliveryId }, attempt) => sendDelivery(deps, deliveryId, attempt),
      ({ deliveryId }, reason) => deliveryDied(deps, deliveryId, reason),
    ),
  ];
}
