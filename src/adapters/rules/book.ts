import { messageOf } from "#src/kernel/errors.ts";
import { newWaker } from "#src/kernel/waker.ts";
import type { Db } from "#src/ports/db.ts";
import type { LiveBus } from "#src/ports/live_bus.ts";
import type { Log } from "#src/ports/log.ts";
import type { RuleBook } from "#src/ports/rule_book.ts";
import { readRevision } from "./rows.ts";
import { readShelf, type Shelf, shippedShelf, toPlain } from "./shelf.ts";
import { SHIPPED_FOLDER, shippedSets } from "./shipped.ts";
import { tools } from "./shipped_book.ts";
import { openThreads } from "./threads.ts";

export interface RuleBookOptions {
  readonly db: Db;
  readonly live: LiveBus;
  readonly log: Log;
  /** How often changes of other processes are looked for when no announcement came. */
  readonly pollMs: number;
  /** The entry of the thread large documents are judged in; absent: they are judged in this one. */
  readonly thread?: URL | undefined;
  readonly folder?: string | undefined;
}

export type OpenRuleBook = RuleBook & AsyncDisposable;

/** The sets of the product and those installed in the database, all compiled. */
export async function openRuleBook(options: RuleBookOptions): Promise<OpenRuleBook> {
  const { db, live, log, pollMs } = options;
  const shipped = shippedSets(options.folder ?? SHIPPED_FOLDER);
  let shelf: Shelf = shippedShelf(shipped);
  let reading: Promise<void> | undefined;
  const threads = options.thread && openThreads(options.thread, () => ({
    revision: shelf.revision,
    shelf: () => ({ sets: toPlain(shelf.sets), overrides: shelf.overrides }),
  }));
  const read = async () => {
    shelf = await readShelf(db, { shipped, before: shelf });
    for (const { id, version, reason } of shelf.broken) {
      log.error("rules.load.failed", { id, version, reason });
    }
  };
  /** A reload asked for while one runs starts after it: it must see what was committed before it was asked for. */
  const reload = () => {
    const next: Promise<void> = (reading ?? Promise.resolve()).catch(() => {}).then(read);
    reading = next;
    return next;
  };
  await reload();
  for (const set of shelf.sets) set.schema();
  return {
    ...tools,
    sets: () => shelf.sets,
    overrides: () => shelf.overrides,
    broken: () => shelf.broken,
    reload,
    ...(threads ? { beside: threads.run } : {}),
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
      await threads?.close();
    },
  };
}
