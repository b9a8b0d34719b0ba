import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Db } from "#src/ports/db.ts";
import type { Installation, ServerAddress } from "#src/ports/installation.ts";
import type { Schema } from "#src/ports/schema.ts";
import { announce, describeTables, tableCount } from "./rows_store.ts";
import { type Feed, restoreRows } from "./restore.ts";
import { readFrozen } from "./snapshot.ts";
import { markCopied, readInstallation } from "./store.ts";

export interface InstallNeeds extends Pick<Deps, "clock" | "crash" | "db" | "live" | "log"> {
  readonly installation: Installation;
  readonly schema: Schema;
}

/** How far a move to another database has come. */
export interface Copied {
  readonly table: string;
  /** So far, of a large table that is not done. */
  readonly rows: number;
  readonly isDone: boolean;
  /** Which table it is of how many. */
  readonly number: number;
  readonly of: number;
}

export const INSTALL_PROGRESS = "setup.install.progress";

/**
 * Moves an embedded installation to a PostgreSQL server: connects, makes the schema, copies all rows and compares each table, in one
 * transaction there, and then has the next start use it. The embedded database takes no writes meanwhile, and none after; it keeps
 * all it has. Interrupted anywhere, the embedded one goes on, and another call begins anew. Throws AppError `conflict` on a
 * server, after it was done, for a database that holds something else, and where somebody fills it at the same time.
 */
export async function install(
  needs: InstallNeeds,
  { address, by, tell }: {
    address: ServerAddress;
    by: Actor;
    /** Hears of each table that was copied, and of large ones on the way. */
    tell?: (copied: Copied) => void;
  },
): Promise<readonly Copied[]> {
  const { installation, db, crash, log } = needs;
  if (!await installation.isEmbedded()) {
    throw new AppError("conflict", say`The product works on a server already`);
  }
  await using server = await installation.open(address);
  const copied: Copied[] = [];
  let release = () => Promise.resolve();
  try {
    await server.db.transaction(async (tx) => {
      await needs.schema.hold(tx);
      await checkTarget(db, tx);
      release = await installation.freeze();
      await needs.schema.up(tx);
      await restoreRows(
        tx,
        feedOf(needs, async (it) => {
          tell?.(it);
          if (!it.isDone) return;
          copied.push(it);
          await progress(needs, it);
        }),
      );
      await markCopied(tx);
      const { password: _, ...after } = address;
      await recordAudit({ ...needs, db: tx }, { actor: by, event: "setup.installed", after });
      crash("setup.beforeCommit");
    });
    crash("setup.afterCommit");
    await installation.moveTo(address);
    crash("setup.afterMove");
    log.info("setup.installed", { host: address.host, tables: copied.length });
    return copied;
  } catch (error) {
    await release();
    throw error;
  }
}

/** Empty, or the copy of this very installation that nobody began to work on. */
async function checkTarget(own: Db, target: Db): Promise<void> {
  if (!await tableCount(target)) return;
  const [mine, there] = await Promise.all([
    readInstallation(own),
    target.transaction(readInstallation).catch(() => undefined), // there may be no such table
  ]);
  const isOurs = there !== undefined && there.id === mine?.id;
  if (isOurs && there.copiedAt && !there.startedAt) return;
  throw new AppError(
    "conflict",
    isOurs
      ? say`A product works on the copy in that database already`
      : say`The database is not empty; the product moves into an empty one`,
  );
}

/** Rows of one table between two words about it. */
const OFTEN = 20_000;

function feedOf(
  { db }: InstallNeeds,
  tell: (it: Copied) => Promise<void>,
): Feed {
  return async (put) => {
    const done: Copied[] = [];
    const tables = await describeTables(db);
    let number = 0;
    let rows = 0;
    await readFrozen(db, tables, {
      table({ name, columns }) {
        number++;
        rows = 0;
        return put({ table: name, columns: columns.map((it) => it.name) });
      },
      async rows({ name }, lines) {
        await put({ lines });
        const before = rows;
        rows += lines.length;
        const isDone = false;
        const of = tables.length;
        if (Math.floor(before / OFTEN) < Math.floor(rows / OFTEN)) {
          await tell({ table: name, rows, isDone, number, of });
        }
      },
      async end({ name }, digest) {
        await put({ end: digest });
        done.push({
          table: name,
          rows: Number(digest.rows),
          isDone: true,
          number,
          of: tables.length,
        });
      },
      sequences: (sequences) => put({ sequences }),
    }, async () => {
      for (const it of done.splice(0)) await tell(it);
    });
  };
}

/** A hint: what cannot be told does not keep rows from being copied. */
async function progress(
  { db, live, log }: InstallNeeds,
  { isDone: _, ...data }: Copied,
): Promise<void> {
  await announce(
    db,
    (tx) =>
      live.publish(tx, { topic: "setup", type: INSTALL_PROGRESS, permission: "setup:read", data }),
  ).catch((error) => log.debug("setup.progress.untold", { error }));
}
