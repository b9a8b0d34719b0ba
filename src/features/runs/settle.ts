import { kept } from "#src/kernel/sentences/kept.ts";
import type { Deps } from "#src/deps.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import {
  appendItemLogs,
  countOpen,
  endDone,
  findRun,
  lockRun,
  lockRuns,
  type LogEntry,
  type MovedItem,
  moveItems,
  updateRun,
} from "./store.ts";
import { isEnded } from "./views.ts";

type Needs = Pick<Deps, "db" | "live">;

/** What came of one item of a run. */
export interface Settlement {
  readonly runId: string;
  readonly index: number;
  readonly state: ItemState;
  /** As much of it as is known; what is known already stays. */
  readonly key?: Partial<InvoiceKey> | undefined;
  /** Kept with the item; what was kept stays where it is absent. */
  readonly message?: Sentence | undefined;
  readonly logs?: readonly LogEntry[] | undefined;
  /** A log entry about the item's invoice, which is named before its message. */
  readonly entry?: LogEntry | undefined;
}

/** Resolves to how many items moved: one that was settled otherwise meanwhile stays, and is not told twice. */
export type SettleItems = (settlements: readonly Settlement[]) => Promise<number>;

/**
 * A transaction in which items of runs may settle, the only way they do: a run of which nothing is open ends in it, as
 * the last step, so that whoever settles the last item ends the run, however many do at once and whatever breaks
 * afterwards. `also`: a run that may end although none of its items moves here.
 */
export function settlingRuns<T>(
  deps: Needs,
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

/** Nothing of the file could be processed. A run that somebody ended meanwhile stays as it ended. */
export async function failRun(
  deps: Needs & Pick<Deps, "clock">,
  runId: string,
  error: Sentence,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (!run || isEnded(run)) return;
    const finishedAt = deps.clock.now();
    await updateRun(tx, runId, { state: "failed", ...kept("error", error), finishedAt });
    await tellRun(deps, tx, { runId, type: "run.finished" });
  });
}

/** Tells the live channel how far a run is. */
export async function tellProgress(deps: Needs, runId: string): Promise<void> {
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

function naming({ doc, dct, kco }: MovedItem, entry: LogEntry): LogEntry {
  if (doc === null || dct === null || kco === null) return entry;
  return { ...entry, message: say`${formatInvoiceKey({ doc, dct, kco })}: ${entry.message}` };
}

/** Held first, so that of two transactions that settle the last two items the later one sees both. */
async function endRuns(deps: Needs, tx: Db, runIds: readonly string[]): Promise<void> {
  if (!runIds.length) return;
  await lockRuns(tx, runIds);
  for (const runId of await endDone(tx, runIds)) {
    await tellRun(deps, tx, { runId, type: "run.finished" });
  }
}

/** Announces where a run stands. */
export async function tellRun(
  deps: Pick<Deps, "live">,
  tx: Db,
  { runId, type }: { runId: string; type: string },
): Promise<void> {
  const run = await findRun(tx, runId);
  if (!run) return;
  const data = { runId, state: run.state, total: run.total, open: await countOpen(tx, runId) };
  await deps.live.publish(tx, { topic: "runs", type, data, permission: "invoices:run" });
}
