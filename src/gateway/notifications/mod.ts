export { chainDied, dispatchChain } from "./dispatch_chain.ts";
export { dispatchStatus, noticeDied } from "./dispatch_status.ts";
export { ruleNotifier } from "./notifier.ts";
export { countUnread, findReader } from "./views.ts";
export { pruneDeliveries } from "./prune_store.ts";
export { newRuleCache } from "./rule_cache.ts";
export { deliveryDied, sendDelivery } from "./send_delivery.ts";
export { createFirstRules } from "./usual_rules.ts";
export { chainTask, deliverTask, noticeTask } from "./tasks.ts";
