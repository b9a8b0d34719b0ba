import { say } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import {
  type Lookup,
  lookupOf,
  matches,
  messagesOf,
  type NotificationRule,
  parametersOf,
  portalAddress,
  readRule,
  type RuleTemplate,
  type StatusNotice,
} from "#src/domain/notification/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { emailsOf } from "./prepare.ts";
import { pastChanges } from "./views.ts";

const EXAMINED = 10_000;
const SHOWN = 200;

/**
 * What a rule would have done for the status changes of a period, without doing any of it. Shows the first matches and
 * counts all; outputs of calls stay as their placeholders.
 */
export async function replayRule(
  deps: Pick<Deps, "accounts" | "db">,
  { template, from, to }: { template: RuleTemplate; from: Date; to: Date },
) {
  const read = readRule(template);
  if (!read.ok) throw new AppError("refused", say`${read.problems}`);
  const rule = { ...read.rule, enabled: true };
  const changes = await pastChanges(deps.db, { from, to, limit: EXAMINED + 1 });
  const examined = changes.slice(0, EXAMINED);
  const matching = examined.filter(({ notice, direction }) => matches(rule, notice, direction));
  const emails = await emailsOf(deps, rule);
  return {
    examined: examined.length,
    matched: matching.length,
    truncated: changes.length > EXAMINED || matching.length > SHOWN,
    dispatches: matching.slice(0, SHOWN).map(({ at, notice, values }) => ({
      at: at.toISOString(),
      id: formatInvoiceKey(notice),
      status: notice.status,
      reason: notice.reason,
      ...dispatchOf(rule, { notice, emails, lookup: lookupOf({ rule, notice, invoice: values }) }),
    })),
  };
}

function dispatchOf(
  rule: NotificationRule,
  { emails, lookup }: { notice: StatusNotice; emails: readonly string[]; lookup: Lookup },
) {
  const dry: Lookup = (name) => name.startsWith("call.") ? undefined : lookup(name);
  const { subject, body, portalMessage } = messagesOf(rule, dry, []);
  return {
    portal: rule.portal ? portalAddress(rule.target) : null,
    portalMessage: rule.portal ? portalMessage : null,
    emails: [...emails],
    subject,
    body,
    actions: rule.actions.map((action) => ({
      connector: action.connector,
      target: action.target,
      parameters: parametersOf(action, dry),
    })),
  };
}
