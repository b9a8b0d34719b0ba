import type { Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import {
  matches,
  type NotificationRule,
  READS_INVOICES,
  type StatusNotice,
} from "#src/domain/notification/mod.ts";
import { type Acting, refusalOf } from "#src/domain/permission/need.ts";
import { ownerLookup } from "#src/features/access/mod.ts";
import { sentenceOf } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import { deliver, type Work } from "./deliver.ts";
import { pdfMaker, prepare, type Prepared } from "./prepare.ts";
import type { LoadedRule, RuleCache } from "./rule_cache.ts";
import { type FoundInvoice, invoiceValues } from "./invoice_values.ts";
import { insertDispatches, recordDead, recordRefused } from "./store.ts";
import { chainTask, type NoticeTask, type Occurrence } from "./tasks.ts";

type Needs = Pick<Deps, "accounts" | "db" | "live" | "log" | "pdf" | "tasks">;

/**
 * Does for status changes what the matching rules say. Rules without action calls are done here, in one transaction;
 * each of the others becomes a task of its own. A rule that fails is recorded and stops no other.
 */
export async function dispatchStatus(
  needs: Needs,
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
  const invoices = await invoiceValues(needs.db, touching.map((it) => it.notice), { businessUnit });
  const authorOf = ownerLookup(needs);
  const work: Dispatch[] = [];
  for (const it of touching) {
    const invoice = invoices.get(formatInvoiceKey(it.notice));
    if (invoice) work.push(await prepareAll({ ...needs, authorOf }, it, invoice));
    else needs.log.warn("notification.invoice.missing", keyOf(it.notice));
  }
  await needs.db.transaction((tx) => carryOut(needs, tx, work));
  for (const { prepared, refusals, notice } of work) {
    for (const it of prepared) logDispatch(needs, it, notice);
    for (const { rule, reason } of refusals) {
      needs.log.warn("notification.forbidden", { rule, ...keyOf(notice), reason });
    }
  }
}

/** Before it is known whether the invoice was issued or received. */
function mayMatch(rule: NotificationRule, notice: StatusNotice): boolean {
  return matches({ ...rule, direction: "Any" }, notice, "issued");
}

/** What one status change leads to. */
interface Dispatch extends Work {
  readonly chains: readonly LoadedRule[];
  readonly failures: readonly ToldRule[];
  /** Rules that did nothing, because their owners may not read invoices. */
  readonly refusals: readonly ToldRule[];
}

interface ToldRule {
  readonly rule: string;
  readonly reason: Sentence;
}

async function carryOut({ live, tasks }: Needs, tx: Db, work: readonly Dispatch[]): Promise<void> {
  await deliver({ live, tasks }, tx, work);
  for (const { failures, refusals, eventId, notice } of work) {
    for (const failure of failures) await recordDead(tx, { ...failure, eventId, notice });
    for (const refusal of refusals) await recordRefused(tx, { ...refusal, eventId, notice });
  }
  const started = await insertDispatches(
    tx,
    work.flatMap((it) => it.chains.map((chain) => chainOf(chain, it))),
  );
  await tasks.enqueueAll(tx, chainTask, started);
}

async function prepareAll(
  { authorOf, ...needs }: Needs & { authorOf: ReturnType<typeof ownerLookup> },
  { eventId, notice, rules }: Occurrence & { rules: readonly LoadedRule[] },
  { direction, values }: FoundInvoice,
): Promise<Dispatch> {
  const { allowed, refusals } = await sorted(
    rules.filter(({ rule }) => matches(rule, notice, direction)),
    authorOf,
  );
  const occasion = { notice, invoice: values, pdfs: pdfMaker(needs, notice) };
  const prepared: Prepared[] = [];
  const failures: ToldRule[] = [];
  for (const { rule, owner } of allowed.filter((it) => !it.rule.actions.length)) {
    try {
      prepared.push(await prepare(needs, { rule, author: await authorOf(owner) }, occasion));
    } catch (error) {
      const reason = sentenceOf(error);
      failures.push({ rule: rule.name, reason });
      const said = { rule: rule.name, ...keyOf(notice), reason: String(reason) };
      needs.log.error("notification.failed", said);
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

/** A rule speaks of invoices: it does nothing for an owner who may not read them, or for nobody. */
async function sorted(
  matching: readonly LoadedRule[],
  authorOf: (owner: string | null) => Promise<Acting>,
): Promise<{ allowed: LoadedRule[]; refusals: ToldRule[] }> {
  const allowed: LoadedRule[] = [];
  const refusals: ToldRule[] = [];
  for (const it of matching) {
    const reason = refusalOf(await authorOf(it.owner), [READS_INVOICES]);
    if (reason === undefined) allowed.push(it);
    else refusals.push({ rule: it.rule.name, reason });
  }
  return { allowed, refusals };
}

function chainOf({ rule, properties, owner }: LoadedRule, { eventId, notice }: Occurrence) {
  return { eventId, notice, rule: rule.name, properties: { ...properties }, owner };
}

export function logDispatch(
  { log }: Pick<Deps, "log">,
  { rule, emails, refusal }: Prepared,
  notice: StatusNotice,
): void {
  if (refusal !== undefined) {
    log.warn("notification.mail.forbidden", {
      rule: rule.name,
      ...keyOf(notice),
      reason: String(refusal),
    });
  }
  log.info("notification.dispatched", {
    rule: rule.name,
    ...keyOf(notice),
    status: notice.status,
    channels: [...rule.portal ? ["portal"] : [], ...rule.email ? ["email"] : []],
    emails: refusal === undefined ? emails.length : 0,
    actions: rule.actions.length,
  });
}

function keyOf({ doc, dct, kco }: StatusNotice) {
  return { doc, dct, kco };
}

/** The dispatch could not be done at all: it waits, visible, for somebody to replay it. */
export async function noticeDied(
  needs: Pick<Deps, "db" | "log">,
  { events, only = "" }: NoticeTask,
  reason: Sentence,
): Promise<void> {
  for (const { eventId, notice } of events) {
    needs.log.error("notification.failed", { ...keyOf(notice), reason: String(reason) });
    await recordDead(needs.db, { eventId, notice, rule: only, reason });
  }
}
