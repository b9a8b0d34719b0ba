import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import {
  matches,
  type NotificationRule,
  READS_INVOICES,
  type StatusNotice,
} from "#src/domain/notification/mod.ts";
import { type Acting, explainRefusal } from "#src/domain/permission/need.ts";
import { ownerLookup } from "#src/platform/access/mod.ts";
import { toSentence } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import { CHANNELS } from "./channels/mod.ts";
import { deliver, type DeliveryWork } from "./deliver.ts";
import { isSent, pdfMaker, prepare, type PreparedNotification } from "./prepare.ts";
import type { LoadedRule, RuleCache } from "./rule_cache.ts";
import { type FoundInvoice, invoiceValues } from "./invoice_values.ts";
import { insertDispatches, recordDead, recordRefused } from "./store.ts";
import { chainTask, type NoticeTask, type Occurrence } from "./tasks.ts";

type DispatchStatusDeps = Pick<Deps, "accounts" | "db" | "live" | "log" | "pdf" | "tasks">;

/**
 * Applies the matching rules to status changes. Rules without action calls run here, in one transaction; each other
 * rule becomes a separate task. A failed rule is recorded and does not stop others.
 */
export async function dispatchStatus(
  deps: DispatchStatusDeps,
  rules: RuleCache,
  { events, only }: NoticeTask,
): Promise<void> {
  const all = (await rules.current()).filter(({ rule }) =>
    only === undefined || rule.name === only
  );
  const touching = events.map((event) => ({
    ...event,
    rules: all.filter(({ rule }) => mayMatch(rule, event.notice)),
  }))
    .filter((it) => it.rules.length);
  if (!touching.length) return;
  const businessUnit = touching.some((it) =>
    it.rules.some(({ placeholders }) => placeholders.has("logBusinessUnit"))
  );
  const invoices = await invoiceValues(deps.db, touching.map((it) => it.notice), { businessUnit });
  const authorOf = ownerLookup(deps);
  const work: Dispatch[] = [];
  for (const it of touching) {
    const invoice = invoices.get(formatInvoiceKey(it.notice));
    if (invoice) work.push(await prepareAll({ ...deps, authorOf }, it, invoice));
    else deps.log.warn("notification.invoice.missing", getKey(it.notice));
  }
  await deps.db.transaction((tx) => carryOut(deps, tx, work));
  for (const { prepared, refusals, notice } of work) {
    for (const it of prepared) logDispatch(deps, it, notice);
    for (const { rule, reason } of refusals) {
      deps.log.error("notification.forbidden", { rule, ...getKey(notice), reason });
    }
  }
}

/** Before it is known whether the invoice was issued or received. */
function mayMatch(rule: NotificationRule, notice: StatusNotice): boolean {
  return matches({ ...rule, direction: "Any" }, notice, "issued");
}

/** Work that follows from one status change. */
interface Dispatch extends DeliveryWork {
  readonly chains: readonly LoadedRule[];
  readonly failures: readonly ToldRule[];
  /** Rules that did nothing, because their owners may not read invoices. */
  readonly refusals: readonly ToldRule[];
}

interface ToldRule {
  readonly rule: string;
  readonly reason: Sentence;
}

async function carryOut(
  { live, tasks }: DispatchStatusDeps,
  tx: Db,
  work: readonly Dispatch[],
): Promise<void> {
  await deliver({ live, tasks }, tx, work);
  for (const { failures, refusals, eventId, notice } of work) {
    for (const failure of failures) await recordDead(tx, { ...failure, eventId, notice });
    for (const refusal of refusals) await recordRefused(tx, { ...refusal, eventId, notice });
  }
  const started = await insertDispatches(
    tx,
    work.flatMap((it) => it.chains.map((chain) => getChain(chain, it))),
  );
  await tasks.enqueueAll(tx, chainTask, started);
}

async function prepareAll(
  { authorOf, ...deps }: DispatchStatusDeps & { authorOf: ReturnType<typeof ownerLookup> },
  { eventId, notice, rules }: Occurrence & { rules: readonly LoadedRule[] },
  { direction, values }: FoundInvoice,
): Promise<Dispatch> {
  const { allowed, refusals } = await sortRules(
    rules.filter(({ rule }) => matches(rule, notice, direction)),
    authorOf,
  );
  const occasion = { notice, invoice: values, pdfs: pdfMaker(deps, notice) };
  const prepared: PreparedNotification[] = [];
  const failures: ToldRule[] = [];
  for (const { rule, owner } of allowed.filter((it) => !it.rule.actions.length)) {
    try {
      prepared.push(await prepare(deps, { rule, author: await authorOf(owner) }, occasion));
    } catch (error) {
      const reason = toSentence(error);
      failures.push({ rule: rule.name, reason });
      const said = { rule: rule.name, ...getKey(notice), reason: String(reason) };
      deps.log.error("notification.failed", said);
    }
  }
  return {
    eventId,
    notice,
    prepared,
    failures,
    refusals,
    chains: allowed.filter((it) => it.rule.actions.length),
  };
}

/** Skips rules whose owner may not read invoices, and rules without owner. */
async function sortRules(
  matching: readonly LoadedRule[],
  authorOf: (owner: string | null) => Promise<Acting>,
): Promise<{ allowed: LoadedRule[]; refusals: ToldRule[] }> {
  const allowed: LoadedRule[] = [];
  const refusals: ToldRule[] = [];
  for (const it of matching) {
    const reason = explainRefusal(await authorOf(it.owner), [READS_INVOICES]);
    if (reason === undefined) allowed.push(it);
    else refusals.push({ rule: it.rule.name, reason });
  }
  return { allowed, refusals };
}

function getChain({ rule, properties, owner }: LoadedRule, { eventId, notice }: Occurrence) {
  return { eventId, notice, rule: rule.name, properties: { ...properties }, owner };
}

export function logDispatch(
  { log }: Pick<Deps, "log">,
  { rule, drafts }: PreparedNotification,
  notice: StatusNotice,
): void {
  for (const { channel: name, refusal } of drafts) {
    const channel = CHANNELS[name];
    if (refusal === undefined || channel.kind !== "send") continue;
    log.error(`notification.${channel.event}.forbidden`, {
      rule: rule.name,
      ...getKey(notice),
      reason: String(refusal),
    });
  }
  log.info("notification.dispatched", {
    rule: rule.name,
    ...getKey(notice),
    status: notice.status,
    channels: rule.channels,
    emails: drafts.filter(isSent).reduce((sum, it) => sum + it.addresses.length, 0),
    actions: rule.actions.length,
  });
}

function getKey({ doc, dct, kco }: StatusNotice) {
  return { doc, dct, kco };
}

/** Records a dispatch that failed completely; a user may replay it. */
export async function noticeDied(
  deps: Pick<Deps, "db" | "log">,
  { events, only = "" }: NoticeTask,
  reason: Sentence,
): Promise<void> {
  for (const { eventId, notice } of events) {
    deps.log.error("notification.failed", { ...getKey(notice), reason: String(reason) });
    await recordDead(deps.db, { eventId, notice, rule: only, reason });
  }
}
