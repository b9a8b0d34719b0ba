import { readColumns } from "#src/kernel/i18n/kept.ts";
import { actionLabel } from "../invoice/actions.ts";
import { formatInvoiceKey } from "../invoice/key.ts";
import { reasonLabel } from "../invoice/reasons.ts";
import { statusLabel } from "../invoice/status.ts";
import type { CallOutputs } from "./action_chain.ts";
import { columnTexts, type InvoiceValues } from "./invoice_columns.ts";
import type { StatusNotice } from "./notice.ts";
import type { PlaceholderLookup } from "./placeholders.ts";
import type { NotificationRule } from "./rule.ts";

/** The names every rule may use, whatever the invoice list shows. */
export const CANONICAL = [
  "doc",
  "dct",
  "kco",
  "statusCode",
  "statusLabel",
  "statusMessage",
  "reasonCode",
  "reasonLabel",
  "actionCode",
  "actionLabel",
  "ruleName",
  "message",
] as const;

const CALL = /^call\.(\d{1,3})\.(.+)$/;

/**
 * Returns the placeholder values of a rule: the canonical fields, then the columns of the invoice list, then the
 * outputs of the calls made so far. An unknown output field, or one of a call not yet made, is empty.
 */
export function createLookup(
  { rule, notice, invoice, outcomes = [] }: {
    rule: Pick<NotificationRule, "name" | "language">;
    notice: StatusNotice;
    invoice: InvoiceValues;
    outcomes?: readonly CallOutputs[];
  },
): PlaceholderLookup {
  const fields = new Map([...columnTexts(invoice), ...canonical(rule, notice)]);
  // An invoice that could not be made has no number yet; its key names it.
  if (!fields.get("ublNumber")) fields.set("ublNumber", formatInvoiceKey(notice));
  return (name) => {
    const [, n, field = ""] = CALL.exec(name) ?? [];
    if (n === undefined) return fields.get(name);
    const outcome = outcomes[Number(n) - 1];
    return outcome && Object.hasOwn(outcome, field) ? outcome[field] : "";
  };
}

function canonical(
  { name, language }: Pick<NotificationRule, "name" | "language">,
  notice: StatusNotice,
): [typeof CANONICAL[number], string][] {
  const message = readColumns(language, notice, "message").trim();
  const reason = notice.reason.trim();
  const action = notice.action.trim();
  return [
    ["doc", notice.doc.trim()],
    ["dct", notice.dct.trim()],
    ["kco", notice.kco.trim()],
    ["statusCode", notice.status],
    ["statusLabel", statusLabel(notice.status, language)],
    ["statusMessage", message],
    ["reasonCode", reason],
    ["reasonLabel", reason && reasonLabel(reason, language)],
    ["actionCode", action],
    ["actionLabel", action && actionLabel(action, language)],
    ["ruleName", name],
    ["message", message],
  ];
}
