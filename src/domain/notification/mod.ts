export {
  auditFooter,
  CALL_FAILED,
  type CallOutputs,
  type ConnectorResult,
  foldOutputs,
  nextStep,
  succeeded,
} from "./action_chain.ts";
export { CANONICAL, lookupOf } from "./context.ts";
export { columnTexts, INVOICE_COLUMNS, type InvoiceValues } from "./invoice_columns.ts";
export {
  BROADCAST,
  type Messages,
  messagesOf,
  parametersOf,
  placeholdersOf,
  portalAddress,
} from "./messages.ts";
export { needOfCall, needsOfRule, READS_INVOICES } from "./needs.ts";
export { matches, noticeOf, type StatusNotice } from "./notice.ts";
export { fill, fillLine, type Lookup, namesIn } from "./placeholders.ts";
export { readRule } from "./read_rule.ts";
export {
  type ActionCall,
  DEFAULT_BODY,
  DEFAULT_PORTAL_MESSAGE,
  DEFAULT_SUBJECT,
  type NotificationRule,
  type PortalTarget,
  type RuleTemplate,
} from "./rule.ts";
