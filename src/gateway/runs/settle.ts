import type { LiveEventType } from "#src/ports/live_bus.ts";
import { toColumns } from "#src/kernel/i18n/kept.ts";
import type { Deps } from "#src/deps.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import {
  appendItemLogs,
  countOpen,
  endDone,
  findRun,
  lockRun,
  lockRuns,
  type MovedItem,
  moveItems,
  type RunLogEntry,
  updateRun,
} from "./store.ts";
import { isEnded } from "./views.ts";

type SettleDeps = Pick<Deps, "db" | "live">;

/** Outcome of one item of a run. */
export interface Settlement {
  readonly runId: string;
  readonly index: number;
  readonly state: ItemState;
  /** Key, as far as it is known; known parts stay. */
  readonly key?: Partial<InvoiceKey> | undefined;
  /** Message of the item; the stored one stays when absent. */
  readonly message?: Sentence | undefined;
  readonly logs?: readonly RunLogEntry[] | undefined;
  /** Total with VAT, negative for a credit note; in previews. */
  readonly money?: { readonly amount: string; readonly currency: string } | undefined;
  /** Number and customer of the invoice; in previews. */
  readonly name?: { readonly number?: string | undefined; readonly customer?: string | undefined };
  /** A log entry about the item's invoice, which is named before its message. */
  readonly entry?: RunLogEntry | undefined;
}

/**
 * Resolves to the number of changed items. An item that was settled otherwise meanwhile stays, and is not announced
 * twice.
 */
export type SettleItems = (settlements: readonly Settlement[]) => Promise<number>;

/**
 * Runs a transaction in which items of runs may settle; there is no other way. A run without open items ends in it, as
 * the last step. So the caller that settles the last item ends the run, in spite of concurrency and later failures.
 * `also` names a run that may end although none of its items settles here.
 */
export function settlingRuns<T>(
  deps: SettleDeps,
  work: (tx: Db, settle: SettleItems) => Promise<T>,
  { also }: { also?: string } = {},
): Promise<T> {
  return deps.db.transaction(async (tx) => {
    const touched = new Set<string>(also === undefined ? [] : [also]);
    const result = await work(tx, async (settlements) => {
      for (const { runId, state } of settlements) if (state !== "recorded") touched.add(runId);
      return await settleItems(tx, settlements);
    });
    await endRuns(deps, tx, [...touched].sort());
    return result;
  });
}

/** Ends a run of which nothing could be processed. A run that was ended meanwhile stays unchanged. */
export async function failRun(
  deps: SettleDeps & Pick<Deps, "clock">,
  runId: string,
  error: Sentence,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (!run || isEnded(run)) return;
    const finishedAt = deps.clock.now();
    await updateRun(tx, runId, { state: "failed", ...toColumns("error", error), finishedAt });
    await tellRun(deps, tx, { runId, type: "run.finished" });
  });
}

/** Tells the live channel how far a run is. */
export async function tellProgress(deps: SettleDeps, runId: string): Promise<void> {
  await tellRun(deps, deps.db, { runId, type: "run.progress" });
}

async function settleItems(tx: Db, settlements: readonly Settlement[]): Promise<number> {
  if (!settlements.length) return 0;
  const moved = await moveItems(tx, settlements);
  const at = new Map(moved.map((it) => [`${it.runId} ${it.index}`, it]));
  const entries = settlements.flatMap(({ runId, index, logs = [], entry }) => {
    const item = at.get(`${runId} ${index}`);
    if (!item) return [];
    return [...logs, ...entry ? [naming(item, entry)] : []].map((it) => ({
      ...it,
      runId,
      item: index,
    }));
  });
  await appendItemLogs(tx, entries);
  return moved.length;
}

function naming({ doc, dct, kco }: MovedItem, entry: RunLogEntry): RunLogEntry {
  if (doc === null || dct === null || kco === null) return entry;
  return { ...entry, message: say`${formatInvoiceKey({ doc, dct, kco })}: ${entry.message}` };
}

/** Locks the runs first, so that when two transactions settle the last two items the later one sees both. */
async function endRuns(deps: SettleDeps, tx: Db, runIds: readonly string[]): Promise<void> {
  if (!runIds.length) return;
  await lockRuns(tx, runIds);
  for (const runId of await endDone(tx, runIds)) {
    await tellRun(deps, tx, { runId, type: "run.finished" });
  }
}

/** Announces the progress of a run. */
export async function tellRun(
  deps: Pick<Deps, "live">,
  tx: Db,
  { runId, type }: { runId: string; type: LiveEventType },
): Promise<void> {
  const run = await findRun(tx, runId);
  if (!run) return;
  const data = { runId, state: run.state, total: run.total, open: await countOpen(tx, runId) };
  await deps.live.publish(tx, { topic: "runs", type, data, permission: "invoices:run" });
}
