import { messageOf } from "#src/kernel/errors.ts";
import { newWaker } from "#src/kernel/waker.ts";
import type { Db } from "#src/ports/db.ts";
import type { LiveBus } from "#src/ports/live_bus.ts";
import type { Log } from "#src/ports/log.ts";
import type { Manifest, ReleaseFiles, RuleBook, RuleSet } from "#src/ports/rule_book.ts";
import { readRevision } from "./rows.ts";
import { buildRuleSet } from "./rule_set.ts";
import { readShelf, type Shelf, shippedShelf, toPlain } from "./shelf.ts";
import { SHIPPED_FOLDER, shippedSets } from "./shipped.ts";
import { tools } from "./shipped_book.ts";
import { type Deadlines, openWorks, type Works } from "./works.ts";

export interface RuleBookOptions {
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
  readonly folder?: string | undefined;
}

export type { Deadlines };

const DEADLINES: Deadlines = { judgeMs: 30_000, prepareMs: 20_000 };

export type OpenRuleBook = RuleBook & AsyncDisposable;

/**
 * The sets of the product and those installed in the database. Resolves when all that may judge are compiled, or known
 * to be broken; versions that are kept inactive follow.
 */
export async function openRuleBook(options: RuleBookOptions): Promise<OpenRuleBook> {
  const { db, live, log, pollMs } = options;
  const shipped = shippedSets(options.folder ?? SHIPPED_FOLDER);
  let shelf: Shelf = shippedShelf(shipped);
  let reading: Promise<void> | undefined;
  const works = worksOf(options, () => shelf);
  const check = works?.check ?? buildHere;
  const read = async (activeOnly: boolean) => {
    shelf = await readShelf(db, { shipped, before: shelf, check, activeOnly });
    for (const { id, version, reason } of shelf.broken) {
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
  for (const set of shipped) set.schema();
  if (!shelf.complete) {
    reload().catch((error) => log.warn("rules.follow.failed", { error: messageOf(error) }));
  }
  return {
    ...tools,
    sets: () => shelf.sets,
    overrides: () => shelf.overrides,
    broken: () => shelf.broken,
    reload: () => reload(),
    ...(works ? { beside: works.beside } : {}),
    async run(signal) {
      const waker = newWaker();
      const stop = live.subscribe((event) => event.type === "rules.changed" && waker.wake());
      while (!signal.aborted) {
        await waker.wait(pollMs, signal);
        try {
          if (!signal.aborted && await readRevision(db) !== shelf.revision) await reload();
        } catch (error) {
          log.warn("rules.follow.failed", { error: messageOf(error) });
        }
      }
      stop();
    },
    [Symbol.asyncDispose]: async () => {
      await works?.close();
      await reading?.catch(() => {});
    },
  };
}

/** A process learns what is on the shelf once per revision. */
function worksOf(options: RuleBookOptions, shelf: () => Shelf): Works | undefined {
  const { process: entry, deadlines = DEADLINES, log, environment } = options;
  if (entry === undefined) return undefined;
  const primer = () => {
    const { revision, complete, sets, overrides } = shelf();
    return {
      key: `${revision} ${complete}`,
      value: () => ({ sets: toPlain(sets), overrides }),
    };
  };
  return openWorks({ entry, deadlines, log, environment, primer });
}

function buildHere(manifest: Manifest, files: ReleaseFiles): Promise<RuleSet> {
  return Promise.resolve().then(() => buildRuleSet(manifest, files));
}
