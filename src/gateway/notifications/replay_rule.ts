import { say } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import {
  createLookup,
  fillMessages,
  fillParameters,
  matches,
  type NotificationRule,
  type PlaceholderLookup,
  portalAddress,
  readRule,
  type RuleTemplate,
  type StatusNotice,
} from "#src/domain/notification/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { CHANNELS } from "./channels/mod.ts";
import { pastChanges } from "./views.ts";

const EXAMINED = 10_000;
const SHOWN = 200;

/**
 * Simulates a rule for the status changes of a period, without any effect. Shows the first matches and counts all;
 * outputs of calls stay placeholders.
 */
export async function replayRule(
  deps: Pick<Deps, "accounts" | "db">,
  { template, from, to }: { template: RuleTemplate; from: Date; to: Date },
) {
  const read = readRule(template);
  if (!read.ok) {
    throw new AppError("refused", say`${read.problems}`, { details: { fields: read.fields } });
  }
  const rule = { ...read.rule, enabled: true };
  const changes = await pastChanges(deps.db, { from, to, limit: EXAMINED + 1 });
  const examined = changes.slice(0, EXAMINED);
  const matching = examined.filter(({ notice, direction }) => matches(rule, notice, direction));
  const emails = rule.channels.includes("email") ? await CHANNELS.email.addresses(deps, rule) : [];
  return {
    examined: examined.length,
    matched: matching.length,
    truncated: changes.length > EXAMINED || matching.length > SHOWN,
    dispatches: matching.slice(0, SHOWN).map(({ at, notice, values }) => ({
      at: at.toISOString(),
      id: formatInvoiceKey(notice),
      status: notice.status,
      reason: notice.reason,
      ...getDispatch(rule, {
        notice,
        emails,
        lookup: createLookup({ rule, notice, invoice: values }),
      }),
    })),
  };
}

function getDispatch(
  rule: NotificationRule,
  { emails, lookup }: {
    notice: StatusNotice;
    emails: readonly string[];
    lookup: PlaceholderLookup;
  },
) {
  const dry: PlaceholderLookup = (name) => name.startsWith("call.") ? undefined : lookup(name);
  const isInPortal = rule.channels.includes("portal");
  const { subject, body, portalMessage } = fillMessages(rule, dry, []);
  return {
    portal: isInPortal ? portalAddress(rule.target) : null,
    portalMessage: isInPortal ? portalMessage : null,
    emails: [...emails],
    subject,
    body,
    actions: rule.actions.map((action) => ({
      connector: action.connector,
      target: action.target,
      parameters: fillParameters(action, dry),
    })),
  };
}
