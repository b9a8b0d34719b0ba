import { newMutex } from "#src/kernel/concurrency/mutex.ts";
import { toMessage } from "#src/kernel/errors.ts";
import { newWaker } from "#src/kernel/waker.ts";
import type { Db } from "#src/ports/db.ts";
import type { LiveBus } from "#src/ports/live_bus.ts";
import type { Log } from "#src/ports/log.ts";
import type { RuleBook, RuleSet } from "#src/ports/rule_book.ts";
import type { Manifest, ReleaseFiles } from "#src/ports/rule_manifest.ts";
import { readRevisions } from "./rows.ts";
import { buildRuleSet } from "./rule_set.ts";
import { readSnapshot, type RegistrySnapshot, shippedSnapshot, toPlain } from "./snapshot.ts";
import { SHIPPED_FOLDER, shippedSets } from "./shipped.ts";
import { AS_SHIPPED, releaseTools } from "./shipped_book.ts";
import { type Deadlines, type OpenRuleProcesses, openRuleProcesses } from "./rule_processes.ts";

interface RuleBookOptions {
  readonly db: Db;
  readonly live: LiveBus;
  readonly log: Log;
  /** Interval at which changes of other processes are detected without an announcement. */
  readonly pollMs: number;
  /**
   * Entry of the processes that compile and run installed rule sets and validate large documents. Without it this
   * process does everything, without a deadline.
   */
  readonly process?: URL | undefined;
  readonly deadlines?: Deadlines | undefined;
  /** Variables with which the processes' runtime finds its packages. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** The sets of the product. */
  readonly shipped?: readonly RuleSet[] | undefined;
}

const DEADLINES: Deadlines = { judgeMs: 30_000, prepareMs: 20_000 };

/** Rule book with its child processes; disposing ends them. */
export type OpenRuleBook = RuleBook & AsyncDisposable;

/**
 * Opens the rule book: shipped sets, compiled on first use, and those installed in the database. Resolves when
 * all active installed sets are compiled or known to be broken; inactive versions follow later.
 */
export async function openRuleBook(options: RuleBookOptions): Promise<OpenRuleBook> {
  const { db, live, log, pollMs } = options;
  const { shipped = shippedSets(SHIPPED_FOLDER) } = options;
  let snapshot: RegistrySnapshot = shippedSnapshot(shipped);
  const inOrder = newMutex();
  const processes = createProcesses(options, () => snapshot);
  const check = processes?.check ?? buildHere;
  const read = async (activeOnly: boolean) => {
    snapshot = await readSnapshot(db, { shipped, before: snapshot, check, activeOnly });
    for (const { id, version, reason } of snapshot.broken) {
      log.error("rules.load.failed", { id, version, reason });
    }
  };
  /**
   * Reloads. A reload requested while one runs starts after it, so that it sees everything committed before the
   * request.
   */
  const reload = (activeOnly = false) => inOrder(() => read(activeOnly));
  await reload(true);
  if (!snapshot.complete) {
    reload().catch((error) => log.warn("rules.follow.failed", { error: toMessage(error) }));
  }
  return {
    ...releaseTools,
    sets: () => snapshot.sets,
    overrides: () => snapshot.overrides,
    broken: () => snapshot.broken,
    revision: (id) => getRevision(snapshot.revisions, id),
    storedRevision: async (db, id) => getRevision(await readRevisions(db), id),
    reload: () => reload(),
    ...(processes ? { processes: processes.processes } : {}),
    async run(signal) {
      const waker = newWaker();
      const stop = live.subscribe((event) => event.type === "rules.changed" && waker.wake());
      while (!signal.aborted) {
        await waker.wait(pollMs, signal);
        try {
          if (!signal.aborted && !isSame(await readRevisions(db), snapshot)) await reload();
        } catch (error) {
          log.warn("rules.follow.failed", { error: toMessage(error) });
        }
      }
      stop();
    },
    [Symbol.asyncDispose]: async () => {
      await processes?.close();
      await inOrder(async () => {}); // the running reload ends first
    },
  };
}

function getRevision(revisions: ReadonlyMap<string, string>, id: string): string {
  return revisions.get(id) ?? AS_SHIPPED;
}

/** Creates the child processes; each receives the state of the registry once per revision. */
function createProcesses(
  options: RuleBookOptions,
  snapshot: () => RegistrySnapshot,
): OpenRuleProcesses | undefined {
  const { process: entry, deadlines = DEADLINES, log, environment } = options;
  if (entry === undefined) return undefined;
  const primer = () => {
    const { revisions, complete, sets, overrides } = snapshot();
    return {
      key: JSON.stringify([[...revisions], complete]),
      value: () => ({ sets: toPlain(sets), overrides }),
    };
  };
  return openRuleProcesses({ entry, deadlines, log, environment, primer });
}

function isSame(revisions: ReadonlyMap<string, string>, known: RegistrySnapshot): boolean {
  return JSON.stringify([...revisions]) === JSON.stringify([...known.revisions]);
}

function buildHere(manifest: Manifest, files: ReleaseFiles): Promise<RuleSet> {
  return Promise.resolve().then(() => buildRuleSet(manifest, files));
}
