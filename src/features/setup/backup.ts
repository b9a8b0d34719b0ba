import type { Deps } from "#src/deps.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { isRefusedData } from "#src/ports/db.ts";
import type { Schema } from "#src/ports/schema.ts";
import { type Piece, restoreRows } from "./restore.ts";
import { tableCount } from "./rows_store.ts";
import { readSnapshot } from "./snapshot.ts";

const FORMAT = "passerelle-backup-1";

interface Header {
  readonly format: string;
  readonly product: string;
  readonly made_at: string;
  /** Version and SHA-256 of the migrations that made the schema. */
  readonly migrations: readonly (readonly [string, string])[];
  /** Tells whether secrets in it open: sealed by the same key, it opens to `CHECK`. */
  readonly sealed: string;
}

const CHECK = "passerelle";
const CONTEXT = "backup";

interface Needs extends Pick<Deps, "clock" | "db" | "vault"> {
  readonly schema: Schema;
  readonly settings: Pick<Deps["settings"], "version">;
}

const NOTHING =
  say`There is nothing to back up: no database of the product is where DATABASE_URL or DATA_DIR lead`;

/**
 * Writes all that is in the database as lines of JSON, secrets as they are kept: sealed, and passwords as hashes. Throws AppError
 * `refused` where there is none: whoever keeps an empty file thinks that they have everything.
 */
export async function backup(
  { clock, db, settings, vault, schema }: Needs,
  write: (text: string) => Promise<void>,
): Promise<{ tables: number; rows: number }> {
  const line = (value: unknown) => write(`${JSON.stringify(value)}\n`);
  const { applied } = await schema.state(db);
  if (!applied.length) throw new AppError("refused", NOTHING);
  const header: Header = {
    format: FORMAT,
    product: settings.version,
    made_at: clock.now().toISOString(),
    migrations: applied.map(({ version, sha256 }) => [version, sha256]),
    sealed: vault.seal(CHECK, CONTEXT),
  };
  await line(header);
  const count = { tables: 0, rows: 0 };
  await readSnapshot(db, {
    table: ({ name, columns }) => line({ table: name, columns: columns.map((it) => it.name) }),
    rows: (_, lines) => write(`${lines.join("\n")}\n`),
    end(_, digest) {
      count.tables++;
      count.rows += Number(digest.rows);
      return line({ end: digest });
    },
    sequences: (sequences) => line({ sequences }),
  });
  await line({ done: count });
  return count;
}

/** What a backup filled the database with. */
export interface Restored {
  readonly tables: number;
  readonly rows: number;
  /** False where the secrets in it were sealed by another key. */
  readonly opens: boolean;
}

/**
 * Fills an empty database with a backup, in one transaction: its schema as it was, its rows, then the migrations since. Throws AppError
 * `conflict` for a database that is not empty or that somebody else fills at the same time, `refused` for what is no backup, is cut off or comes out differently.
 */
export async function restore(
  { db, vault, schema }: Pick<Needs, "db" | "vault" | "schema">,
  lines: AsyncIterable<string>,
): Promise<Restored> {
  const source = lines[Symbol.asyncIterator]();
  const count = { tables: 0, rows: 0 };
  const header = await db.transaction(async (tx) => {
    await schema.hold(tx);
    if (await tableCount(tx)) {
      throw new AppError(
        "conflict",
        say`The database is not empty; a backup is restored into an empty one`,
      );
    }
    const header = headerOf(await source.next());
    schema.check(header.migrations);
    const last = header.migrations.at(-1)?.[0] ?? "0000";
    await schema.up(tx, { to: last });
    await restoreRows(tx, async (put) => {
      for await (const piece of piecesOf(source, count)) await put(piece);
    });
    await schema.up(tx);
    return header;
  }).catch((error) => {
    throw isRefusedData(error) ? damaged(messageOf(error)) : error;
  });
  return { ...count, opens: opens(vault, header.sealed) };
}

function headerOf({ value, done }: IteratorResult<string>): Header {
  const header = done ? undefined : parsed(value);
  if ((header as Header | undefined)?.format === FORMAT) return header as Header;
  throw new AppError("refused", say`This is no backup that this version reads (${FORMAT})`);
}

const BATCH_LINES = 500;
const BATCH_CHARS = 1_000_000;

/** Throws AppError `refused` where the file ends before its end. */
async function* piecesOf(
  source: AsyncIterator<string>,
  count: { tables: number; rows: number },
): AsyncGenerator<Piece> {
  let lines: string[] = [];
  let chars = 0;
  const flush = function* (): Generator<Piece> {
    if (lines.length) yield { lines };
    count.rows += lines.length;
    [lines, chars] = [[], 0];
  };
  for (;;) {
    const { value, done } = await source.next();
    if (done) throw new AppError("refused", say`The backup is cut off`);
    if (value.startsWith("[")) {
      lines.push(value);
      chars += value.length;
      if (lines.length >= BATCH_LINES || chars >= BATCH_CHARS) yield* flush();
      continue;
    }
    yield* flush();
    const piece = parsed(value) as Piece | { done: unknown };
    if ("done" in piece) return;
    if ("table" in piece) count.tables++;
    yield piece;
  }
}

function parsed(line: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // told below
  }
  throw damaged(line);
}

function damaged(why: string): AppError {
  return new AppError(
    "refused",
    say`The backup is damaged: ${why.slice(0, 100).replace(/\p{C}/gu, "?")}`,
  );
}

function opens(vault: Deps["vault"], sealed: string): boolean {
  try {
    return vault.open(sealed, CONTEXT) === CHECK;
  } catch {
    return false;
  }
}
