import { messageOf } from "#src/kernel/errors.ts";
import { newWaker } from "#src/kernel/waker.ts";
import type { Db } from "#src/ports/db.ts";
import type { LiveBus } from "#src/ports/live_bus.ts";
import type { Log } from "#src/ports/log.ts";
import type { Manifest, ReleaseFiles, RuleBook, RuleSet } from "#src/ports/rule_book.ts";
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
  /** How often changes of other processes are looked for when no announcement came. */
  readonly pollMs: number;
  /**
   * The entry of the processes that compile and judge what was installed, and judge large documents; absent: all is done
   * in this one, without a deadline.
   */
  readonly process?: URL | undefined;
  readonly deadlines?: Deadlines | undefined;
  /** What the processes' runtime needs to find its packages. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** The sets of the product. */
  readonly shipped?: readonly RuleSet[] | undefined;
}

const DEADLINES: Deadlines = { judgeMs: 30_000, prepareMs: 20_000 };

/** A rule book with the processes it judges in; disposing ends them. */
export type OpenRuleBook = RuleBook & AsyncDisposable;

/**
 * The sets of the product, which are compiled when they first judge, and those installed in the database. Resolves when of the
 * latter all that may judge are compiled, or known to be broken; versions that are kept inactive follow.
 */
export async function openRuleBook(options: RuleBookOptions): Promise<OpenRuleBook> {
  const { db, live, log, pollMs } = options;
  const { shipped = shippedSets(SHIPPED_FOLDER) } = options;
  let snapshot: RegistrySnapshot = shippedSnapshot(shipped);
  let reading: Promise<void> | undefined;
  const processes = processesOf(options, () => snapshot);
  const check = processes?.check ?? buildHere;
  const read = async (activeOnly: boolean) => {
    snapshot = await readSnapshot(db, { shipped, before: snapshot, check, activeOnly });
    for (const { id, version, reason } of snapshot.broken) {
      log.error("rules.load.failed", { id, version, reason });
    }
  };
  /** A reload asked for while one runs starts after it: it must see what was committed before it was asked for. */
  const reload = (activeOnly = false) => {
    const next: Promise<void> = (reading ?? Promise.resolve()).catch(() => {})
      .then(() => read(activeOnly));
    reading = next;
    return next;
  };
  await reload(true);
  if (!snapshot.complete) {
    reload().catch((error) => log.warn("rules.follow.failed", { error: messageOf(error) }));
  }
  return {
    ...releaseTools,
    sets: () => snapshot.sets,
    overrides: () => snapshot.overrides,
    broken: () => snapshot.broken,
    revision: (id) => revisionOf(snapshot.revisions, id),
    storedRevision: async (db, id) => revisionOf(await readRevisions(db), id),
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
          log.warn("rules.follow.failed", { error: messageOf(error) });
        }
      }
      stop();
    },
    [Symbol.asyncDispose]: async () => {
      await processes?.close();
      await reading?.catch(() => {});
    },
  };
}

function revisionOf(revisions: ReadonlyMap<string, string>, id: string): string {
  return revisions.get(id) ?? AS_SHIPPED;
}

/** A child process is told the state of the registry once per revision. */
function processesOf(
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
