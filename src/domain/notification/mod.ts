export {
  CALL_FAILED,
  type CallOutputs,
  type ConnectorResult,
  foldOutputs,
  nextStep,
  succeeded,
} from "./action_chain.ts";
export { lookupOf } from "./context.ts";
export { type InvoiceValues } from "./invoice_columns.ts";
export { BROADCAST, messagesOf, parametersOf, placeholdersOf, portalAddress } from "./messages.ts";
export { needOfCall, needsOfRule, READS_INVOICES } from "./needs.ts";
export { matches, noticeOf, type StatusNotice } from "./notice.ts";
export { type Lookup } from "./placeholders.ts";
export { readRule } from "./read_rule.ts";
export { type ActionCall, type NotificationRule, type RuleTemplate } from "./rule.ts";
