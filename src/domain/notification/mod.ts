export {
  CALL_FAILED,
  type CallOutputs,
  type ConnectorResult,
  foldOutputs,
  hasSucceeded,
  nextStep,
} from "./action_chain.ts";
export { createLookup } from "./context.ts";
export { type InvoiceValues } from "./invoice_columns.ts";
export {
  BROADCAST,
  collectPlaceholders,
  fillMessages,
  fillParameters,
  portalAddress,
} from "./messages.ts";
export { needOfCall, needsOfRule, READS_INVOICES } from "./needs.ts";
export { createNotice, matches, type StatusNotice } from "./notice.ts";
export { type PlaceholderLookup } from "./placeholders.ts";
export { CHANNEL_NAMES, readRule } from "./read_rule.ts";
export { buildUsualRules } from "./usual_rules.ts";
export {
  type ActionCall,
  type ChannelName,
  type NotificationRule,
  type RuleTemplate,
} from "./rule.ts";
