import type { Language } from "#src/kernel/language.ts";
import { say, type Sentence, translate } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { invoiceValues } from "./invoice_values.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import {
  type ActionCall,
  type CallOutputs,
  collectPlaceholders,
  hasSucceeded,
  type NotificationRule,
  readRule,
  READS_INVOICES,
} from "#src/domain/notification/mod.ts";
import { explainRefusal } from "#src/domain/permission/need.ts";
import { ownerLookup } from "#src/platform/access/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import { deliver } from "./deliver.ts";
import { logDispatch } from "./dispatch_status.ts";
import { withGrace } from "./grace.ts";
import { pdfMaker, prepare } from "./prepare.ts";
import { type CallRecord, runCalls } from "./run_calls.ts";
import {
  addId,
  deliveriesById,
  type DispatchRow,
  findDispatch,
  finishDispatch,
  insertDeliveries,
  recordDead,
  recordRefused,
  settleCall,
} from "./store.ts";

type DispatchChainDeps = Pick<
  Deps,
  "accounts" | "connectors" | "crash" | "db" | "live" | "log" | "pdf" | "tasks"
>;

const INTERRUPTED = say`The process stopped during the call; whether it took effect is not known`;

/**
 * Runs the action calls of a rule for one event, then delivers. Uses the rule that matched, even if it was changed
 * since. After a crash it resumes after the last call, so that no call with an effect runs twice.
 */
export async function dispatchChain(
  deps: DispatchChainDeps,
  { eventId, rule: name }: { eventId: string; rule: string },
  signal: AbortSignal,
): Promise<void> {
  const dispatch = await findDispatch(deps.db, eventId, name);
  if (!dispatch || dispatch.finishedAt) return;
  const read = readRule({ name, properties: dispatch.properties });
  if (!read.ok) throw new Error(read.problems.join("; "));
  await withGrace(signal, (late) => runChain(deps, { dispatch, rule: read.rule, signal: late }));
}

async function runChain(
  deps: DispatchChainDeps,
  { dispatch, rule, signal }: {
    dispatch: DispatchRow;
    rule: NotificationRule;
    signal: AbortSignal;
  },
): Promise<void> {
  const { eventId, notice, owner } = dispatch;
  const callerNow = () => ownerLookup(deps)(owner);
  const refusal = explainRefusal(await callerNow(), [READS_INVOICES]);
  if (refusal !== undefined) return await refuse(deps, { dispatch, reason: refusal });
  const businessUnit = collectPlaceholders(rule).has("logBusinessUnit");
  const found = (await invoiceValues(deps.db, [notice], { businessUnit })).get(
    formatInvoiceKey(notice),
  );
  if (!found) throw notFound("Invoice", formatInvoiceKey(notice));
  const occasion = { notice, invoice: found.values, pdfs: pdfMaker(deps, notice) };
  const record = storedRecord(deps, dispatch, rule.language);
  const outcomes = await runCalls(deps, { rule, callerNow, record, signal }, occasion);
  const author = await callerNow(); // the calls may have taken long
  const prepared = await prepare(deps, { rule, author, outcomes }, occasion);
  const done = await deps.db.transaction(async (tx) => {
    if (!await finishDispatch(tx, eventId, rule.name)) return false;
    await deliver(deps, tx, [{ eventId, notice, prepared: [prepared] }]);
    return true;
  });
  if (done) logDispatch(deps, prepared, notice);
}

/** Its owner lost the right to read invoices since the rule matched. */
async function refuse(
  { db, log }: DispatchChainDeps,
  { dispatch: { eventId, rule, notice }, reason }: { dispatch: DispatchRow; reason: Sentence },
): Promise<void> {
  await db.transaction(async (tx) => {
    await finishDispatch(tx, eventId, rule);
    await recordRefused(tx, { eventId, rule, notice, reason });
  });
  log.error("notification.forbidden", { rule, reason: String(reason) });
}

/** Calls are rows: written before the call is made, settled with its outcome. */
function storedRecord(
  { connectors, crash, db }: Pick<DispatchChainDeps, "connectors" | "crash" | "db">,
  { eventId, rule, notice }: DispatchRow,
  language: Language,
): CallRecord {
  const toRow = (n: number, { connector, target }: ActionCall) => {
    const address = `${n} ${connector}/${target}`;
    return addId({ eventId, rule, notice, channel: "action", address, state: "pending" });
  };
  return {
    async begin(n, action) {
      const row = toRow(n, action);
      const isNew = (await insertDeliveries(db, [row])).has(row.id);
      if (isNew || await isUnderWay(db, row.id) && await connectors.isRepeatable(action)) {
        crash("notification.beforeCall");
        return undefined;
      }
      return await readOutcome(db, row.id, language);
    },
    async end(n, action, { outputs, error }) {
      const success = hasSucceeded(outputs);
      crash("notification.afterCall");
      await settleCall(db, toRow(n, action).id, {
        outputs,
        success,
        error: error ?? null,
      });
      crash("notification.callRecorded");
    },
    keyOf: (n, action) => toRow(n, action).id,
  };
}

async function isUnderWay(db: Db, id: string): Promise<boolean> {
  return (await deliveriesById(db, [id])).get(id)?.state === "pending";
}

/**
 * Returns the outcome of an earlier call. A call without outcome was interrupted. It is repeated only if it has no
 * effect, because it may have succeeded.
 */
async function readOutcome(db: Db, id: string, language: Language): Promise<CallOutputs> {
  const outputs = { success: "false", error: translate(INTERRUPTED, language) };
  await settleCall(db, id, { outputs, success: false, error: INTERRUPTED });
  return (await deliveriesById(db, [id])).get(id)?.outputs ?? outputs;
}

/** Records a dispatch whose calls failed for good as dead; a user may replay it. */
export async function chainDied(
  deps: Pick<Deps, "db" | "log">,
  { eventId, rule }: { eventId: string; rule: string },
  reason: Sentence,
): Promise<void> {
  deps.log.error("notification.failed", { rule, reason: String(reason) });
  const dispatch = await findDispatch(deps.db, eventId, rule);
  if (!dispatch) return;
  await recordDead(deps.db, { eventId, notice: dispatch.notice, rule, reason });
}
