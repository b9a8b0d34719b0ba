import type { Deps } from "#src/deps.ts";
import { matches, type StatusNotice } from "#src/domain/notification/mod.ts";
import { messageOf } from "#src/kernel/errors.ts";
import { deliver } from "./deliver.ts";
import { type Occasion, pdfMaker, prepare, type Prepared } from "./prepare.ts";
import type { LoadedRule, RuleCache } from "./rule_cache.ts";
import { insertDispatches, invoiceValues, recordDead } from "./store.ts";
import { chainTask, type NoticeTask } from "./tasks.ts";

type Needs = Pick<Deps, "accounts" | "db" | "live" | "log" | "pdf" | "tasks">;

/**
 * Does for one status change what the matching rules say. Rules without action calls are done here, in one
 * transaction; each of the others becomes a task of its own. A rule that fails is recorded and stops no other.
 */
export async function dispatchStatus(
  needs: Needs,
  rules: RuleCache,
  { eventId, notice, only }: NoticeTask,
): Promise<void> {
  const all = await rules.current();
  const candidates = all.filter(({ rule }) =>
    (only === undefined || rule.name === only) &&
    matches({ ...rule, direction: "Any" }, notice, "issued")
  );
  if (!candidates.length) return;
  const businessUnit = candidates.some((it) => it.placeholders.has("logBusinessUnit"));
  const found = await invoiceValues(needs.db, notice, { businessUnit });
  if (!found) return needs.log.warn("notification.invoice.missing", keyOf(notice));
  const matching = candidates.filter(({ rule }) => matches(rule, notice, found.direction));
  if (!matching.length) return;
  const occasion = { notice, invoice: found.values, pdfs: pdfMaker(needs, notice) };
  const plain = await prepareAll(needs, matching.filter((it) => !it.rule.actions.length), occasion);
  const chains = matching.filter((it) => it.rule.actions.length);
  await needs.db.transaction(async (tx) => {
    await deliver(needs, tx, { eventId, notice, prepared: plain.prepared });
    for (const it of plain.failures) await recordDead(tx, { ...it, eventId, notice });
    const started = await insertDispatches(
      tx,
      chains.map((it) => chainOf(it, { eventId, notice })),
    );
    await needs.tasks.enqueueAll(tx, chainTask, started.map((rule) => ({ eventId, rule })));
  });
  for (const it of plain.prepared) logDispatch(needs, it, notice);
}

async function prepareAll(needs: Needs, rules: readonly LoadedRule[], occasion: Occasion) {
  const prepared: Prepared[] = [];
  const failures: { rule: string; reason: string }[] = [];
  for (const { rule } of rules) {
    try {
      prepared.push(await prepare(needs, { rule }, occasion));
    } catch (error) {
      failures.push({ rule: rule.name, reason: messageOf(error) });
      needs.log.error("notification.failed", {
        rule: rule.name,
        ...keyOf(occasion.notice),
        reason: messageOf(error),
      });
    }
  }
  return { prepared, failures };
}

function chainOf({ rule, properties, owner }: LoadedRule, { eventId, notice }: NoticeTask) {
  return { eventId, notice, rule: rule.name, properties: { ...properties }, owner };
}

export function logDispatch(
  { log }: Pick<Deps, "log">,
  { rule, emails }: Prepared,
  notice: StatusNotice,
): void {
  log.info("notification.dispatched", {
    rule: rule.name,
    ...keyOf(notice),
    status: notice.status,
    channels: [...rule.portal ? ["portal"] : [], ...rule.email ? ["email"] : []],
    emails: emails.length,
    actions: rule.actions.length,
  });
}

function keyOf({ doc, dct, kco }: StatusNotice) {
  return { doc, dct, kco };
}

/** The dispatch could not be done at all: it waits, visible, for somebody to replay it. */
export async function noticeDied(
  needs: Pick<Deps, "db" | "log">,
  { eventId, notice, only }: NoticeTask,
  reason: string,
): Promise<void> {
  needs.log.error("notification.failed", { ...keyOf(notice), reason });
  await recordDead(needs.db, { eventId, notice, rule: only ?? "", reason });
}
