import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Db } from "#src/ports/db.ts";
import type { Installation, ServerAddress } from "#src/ports/installation.ts";
import type { DatabaseSchema } from "#src/ports/schema.ts";
import { announce, describeTables, tableCount } from "./rows_store.ts";
import { type Feed, restoreRows } from "./restore.ts";
import { readFrozen } from "./snapshot.ts";
import { markCopied, readInstallation } from "./store.ts";

export interface InstallDeps extends Pick<Deps, "clock" | "crash" | "db" | "live" | "log"> {
  readonly installation: Installation;
  readonly schema: DatabaseSchema;
}

/** Progress of a move to another database. */
export interface Copied {
  readonly table: string;
  /** Rows copied so far, for a large unfinished table. */
  readonly rows: number;
  readonly isDone: boolean;
  /** Number of the table among all tables. */
  readonly number: number;
  readonly of: number;
}

const INSTALL_PROGRESS = "setup.install.progress";

/**
 * Moves an embedded installation to a PostgreSQL server. Connects, creates the schema, copies and compares all tables
 * in one transaction there, and makes the next start use it. The embedded database is read-only from then on and keeps
 * all data. After an interruption the embedded one continues, and another call starts over.
 * Throws AppError `conflict` on a server, after a completed move, for a database with other contents, and while another
 * process fills it.
 */
export async function install(
  deps: InstallDeps,
  { address, by, tell }: {
    address: ServerAddress;
    by: Actor;
    /** Hears of each table that was copied, and of large ones on the way. */
    tell?: (copied: Copied) => void;
  },
): Promise<readonly Copied[]> {
  const { installation, db, crash, log } = deps;
  if (!await installation.isEmbedded()) {
    throw new AppError("conflict", say`The product works on a server already`);
  }
  await using server = await installation.open(address);
  const copied: Copied[] = [];
  let release = () => Promise.resolve();
  try {
    await server.db.transaction(async (tx) => {
      await deps.schema.hold(tx);
      await checkTarget(db, tx);
      release = await installation.freeze();
      await deps.schema.up(tx);
      await restoreRows(
        tx,
        readFeed(deps, async (it) => {
          tell?.(it);
          if (!it.isDone) return;
          copied.push(it);
          await progress(deps, it);
        }),
      );
      await markCopied(tx);
      const { password: _, ...after } = address;
      await recordAudit({ ...deps, db: tx }, { actor: by, event: "setup.installed", after });
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

/** Requires an empty database, or an unused copy of this same installation. */
async function checkTarget(own: Db, target: Db): Promise<void> {
  if (!await tableCount(target)) return;
  const [mine, there] = await Promise.all([
    readInstallation(own),
    target.transaction(readInstallation).catch(() => undefined), // the table may not exist
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

function readFeed(
  { db }: InstallDeps,
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

/** Announces progress as a hint; a failed announcement does not stop the copy. */
async function progress(
  { db, live, log }: InstallDeps,
  { isDone: _, ...data }: Copied,
): Promise<void> {
  await announce(
    db,
    (tx) =>
      live.publish(tx, { topic: "setup", type: INSTALL_PROGRESS, permission: "setup:read", data }),
  ).catch((error) => log.debug("setup.progress.untold", { error }));
}
