import type { Language } from "#src/kernel/language.ts";
import { say, type Sentence, translate } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { invoiceValues } from "./invoice_values.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import {
  type ActionCall,
  type CallOutputs,
  type NotificationRule,
  placeholdersOf,
  readRule,
  READS_INVOICES,
  succeeded,
} from "#src/domain/notification/mod.ts";
import { refusalOf } from "#src/domain/permission/need.ts";
import { ownerLookup } from "#src/features/access/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import { deliver } from "./deliver.ts";
import { logDispatch } from "./dispatch_status.ts";
import { withGrace } from "./grace.ts";
import { pdfMaker, prepare } from "./prepare.ts";
import { type CallRecord, runCalls } from "./run_calls.ts";
import {
  deliveriesById,
  type DispatchRow,
  findDispatch,
  finishDispatch,
  identified,
  insertDeliveries,
  recordDead,
  recordRefused,
  settleCall,
} from "./store.ts";

type Needs = Pick<
  Deps,
  "accounts" | "connectors" | "crash" | "db" | "live" | "log" | "pdf" | "tasks"
>;

const INTERRUPTED = say`The process stopped during the call; whether it took effect is not known`;

/**
 * Runs the action calls of a rule for one event, then delivers. The rule is the one that matched, whatever was saved
 * since. Begun again after a crash it goes on behind the last call: none that may have an effect is made twice.
 */
export async function dispatchChain(
  needs: Needs,
  { eventId, rule: name }: { eventId: string; rule: string },
  signal: AbortSignal,
): Promise<void> {
  const dispatch = await findDispatch(needs.db, eventId, name);
  if (!dispatch || dispatch.finishedAt) return;
  const read = readRule({ name, properties: dispatch.properties });
  if (!read.ok) throw new Error(read.problems.join("; "));
  await withGrace(signal, (late) => runChain(needs, { dispatch, rule: read.rule, signal: late }));
}

async function runChain(
  needs: Needs,
  { dispatch, rule, signal }: {
    dispatch: DispatchRow;
    rule: NotificationRule;
    signal: AbortSignal;
  },
): Promise<void> {
  const { eventId, notice, owner } = dispatch;
  const callerNow = () => ownerLookup(needs)(owner);
  const refusal = refusalOf(await callerNow(), [READS_INVOICES]);
  if (refusal !== undefined) return await refuse(needs, { dispatch, reason: refusal });
  const businessUnit = placeholdersOf(rule).has("logBusinessUnit");
  const found = (await invoiceValues(needs.db, [notice], { businessUnit })).get(
    formatInvoiceKey(notice),
  );
  if (!found) throw notFound("Invoice", formatInvoiceKey(notice));
  const occasion = { notice, invoice: found.values, pdfs: pdfMaker(needs, notice) };
  const record = storedRecord(needs, dispatch, rule.language);
  const outcomes = await runCalls(needs, { rule, callerNow, record, signal }, occasion);
  const author = await callerNow(); // the calls may have taken long
  const prepared = await prepare(needs, { rule, author, outcomes }, occasion);
  const done = await needs.db.transaction(async (tx) => {
    if (!await finishDispatch(tx, eventId, rule.name)) return false;
    await deliver(needs, tx, [{ eventId, notice, prepared: [prepared] }]);
    return true;
  });
  if (done) logDispatch(needs, prepared, notice);
}

/** Its owner lost the right to read invoices since the rule matched. */
async function refuse(
  { db, log }: Needs,
  { dispatch: { eventId, rule, notice }, reason }: { dispatch: DispatchRow; reason: Sentence },
): Promise<void> {
  await db.transaction(async (tx) => {
    await finishDispatch(tx, eventId, rule);
    await recordRefused(tx, { eventId, rule, notice, reason });
  });
  log.warn("notification.forbidden", { rule, reason: String(reason) });
}

/** Calls are rows: written before the call is made, settled with its outcome. */
function storedRecord(
  { connectors, crash, db }: Pick<Needs, "connectors" | "crash" | "db">,
  { eventId, rule, notice }: DispatchRow,
  language: Language,
): CallRecord {
  const rowOf = (n: number, { connector, target }: ActionCall) => {
    const address = `${n} ${connector}/${target}`;
    return identified({ eventId, rule, notice, channel: "action", address, state: "pending" });
  };
  return {
    async begin(n, action) {
      const row = rowOf(n, action);
      const isNew = (await insertDeliveries(db, [row])).has(row.id);
      if (isNew || await isUnderWay(db, row.id) && await connectors.isRepeatable(action)) {
        crash("notification.beforeCall");
        return undefined;
      }
      return await outcomeOf(db, row.id, language);
    },
    async end(n, action, { outputs, error }) {
      const success = succeeded(outputs);
      crash("notification.afterCall");
      await settleCall(db, rowOf(n, action).id, {
        outputs,
        success,
        error: error ?? null,
      });
      crash("notification.callRecorded");
    },
    keyOf: (n, action) => rowOf(n, action).id,
  };
}

async function isUnderWay(db: Db, id: string): Promise<boolean> {
  return (await deliveriesById(db, [id])).get(id)?.state === "pending";
}

/**
 * A call that was begun and has no outcome was interrupted; unless it can have no effect it is not made again, because it may
 * have taken it.
 */
async function outcomeOf(db: Db, id: string, language: Language): Promise<CallOutputs> {
  const outputs = { success: "false", error: translate(INTERRUPTED, language) };
  await settleCall(db, id, { outputs, success: false, error: INTERRUPTED });
  return (await deliveriesById(db, [id])).get(id)?.outputs ?? outputs;
}

/** The calls failed for good: the dispatch is recorded as dead, for somebody to replay. */
export async function chainDied(
  needs: Pick<Deps, "db" | "log">,
  { eventId, rule }: { eventId: string; rule: string },
  reason: Sentence,
): Promise<void> {
  needs.log.error("notification.failed", { rule, reason: String(reason) });
  const dispatch = await findDispatch(needs.db, eventId, rule);
  if (!dispatch) return;
  await recordDead(needs.db, { eventId, notice: dispatch.notice, rule, reason });
}
