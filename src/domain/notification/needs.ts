import { say } from "#src/kernel/sentences/sentence.ts";
import type { Need } from "../permission/need.ts";
import type { ActionCall, NotificationRule } from "./rule.ts";

/** Every rule puts an invoice's figures into what it says, and tells who is far away that something happened to it. */
export const READS_INVOICES: Need = {
  code: "invoices:read",
  what: say`reading the invoices a rule is about`,
};

/** What `POST /api/email` asks: a rule is no way around it. */
const SENDS_MAIL: Need = { code: "email:send", what: say`the e-mail channel` };

/** What a rule needs whatever it calls. */
export function needsOfRule(
  { email, chart }: Pick<NotificationRule, "email" | "chart">,
): readonly Need[] {
  if (!email) return [READS_INVOICES];
  const drawn = chart === undefined
    ? []
    : [{ code: `chart:${chart}`, what: say`the chart ${chart} in its e-mails` }];
  return [READS_INVOICES, SENDS_MAIL, ...drawn];
}

/** `code` is what the connector asks of whoever makes the call. */
export function needOfCall(
  { connector, target }: Pick<ActionCall, "connector" | "target">,
  code: string,
): Need {
  return { code, what: say`the call of ${connector}/${target}` };
}
