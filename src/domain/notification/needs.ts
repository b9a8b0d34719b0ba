import { say } from "#src/kernel/i18n/sentence.ts";
import type { Need } from "../permission/need.ts";
import type { ActionCall, NotificationRule } from "./rule.ts";

/** Permission of every rule: its texts contain figures of the invoice, and its recipients learn of the change. */
export const READS_INVOICES: Need = {
  code: "invoices:read",
  what: say`reading the invoices a rule is about`,
};

/** Permission of `POST /api/email`: a rule must not bypass it. */
const SENDS_MAIL: Need = { code: "email:send", what: say`the e-mail channel` };

/** Returns the permissions a rule needs, regardless of its calls. */
export function needsOfRule(
  { channels, chart }: Pick<NotificationRule, "channels" | "chart">,
): readonly Need[] {
  if (!channels.includes("email")) return [READS_INVOICES];
  const drawn = chart === undefined
    ? []
    : [{ code: `chart:${chart}`, what: say`the chart ${chart} in its e-mails` }];
  return [READS_INVOICES, SENDS_MAIL, ...drawn];
}

/** Returns the permission for a call; `code` is the permission the connector requires from its caller. */
export function needOfCall(
  { connector, target }: Pick<ActionCall, "connector" | "target">,
  code: string,
): Need {
  return { code, what: say`the call of ${connector}/${target}` };
}
