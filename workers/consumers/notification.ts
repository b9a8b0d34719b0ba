import type { Deps } from "#src/deps.ts";
import { chartsForMails } from "#src/framework/charts/mod.ts";
import { newShared, resultCache } from "#src/framework/connectors/mod.ts";
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
} from "#src/gateway/notifications/mod.ts";
import { consumer } from "#workers/consumer.ts";

export function notificationConsumers(deps: Deps) {
  const rules = newRuleCache(deps);
  const queries = newShared(resultCache(deps));
  const drawChart = chartsForMails({ ...deps, cache: queries.cache }, queries);
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
      ({ deliveryId }, attempt) => sendDelivery({ ...deps, drawChart }, deliveryId, attempt),
      ({ deliveryId }, reason) => deliveryDied(deps, deliveryId, reason),
    ),
  ];
}
