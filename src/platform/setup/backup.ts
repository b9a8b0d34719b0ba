import { z } from "zod";
import type { Deps } from "#src/deps.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { isRefusedData } from "#src/ports/db.ts";
import type { DatabaseSchema } from "#src/ports/schema.ts";
import { restoreRows, type SnapshotPart } from "./restore.ts";
import { tableCount } from "./rows_store.ts";
import { readSnapshot } from "./snapshot.ts";
import { writeSendingOff } from "./store.ts";

const FORMAT = "passerelle-backup-1";

const Header = z.object({
  format: z.literal(FORMAT),
  product: z.string(),
  made_at: z.string(),
  /** Version and SHA-256 of the migrations that made the schema. */
  migrations: z.array(z.tuple([z.string(), z.string()])),
  /** Tells whether secrets in it open: sealed by the same key, it opens to `CHECK`. */
  sealed: z.string(),
});
type Header = z.infer<typeof Header>;

const Sums = z.object({ rows: z.string(), sum: z.string() });
const Done = z.object({ done: z.object({ tables: z.int() }) });
/** A line between rows. */
const Mark = z.union([
  z.object({ table: z.string(), columns: z.array(z.string()).min(1) }),
  z.object({ end: Sums }),
  z.object({ sequences: z.array(z.tuple([z.string(), z.string().nullable()])) }),
  Done,
]);

const CHECK = "passerelle";
const CONTEXT = "backup";

interface BackupDeps extends Pick<Deps, "clock" | "db" | "vault"> {
  readonly schema: DatabaseSchema;
  readonly settings: Pick<Deps["settings"], "version">;
}

const NOTHING =
  say`There is nothing to back up: no database of the product is where DATABASE_URL or DATA_DIR lead`;

/**
 * Writes the whole database as lines of JSON, with secrets encrypted and passwords hashed. Throws AppError `refused`
 * when no schema exists, because an empty backup would look complete.
 */
export async function backup(
  { clock, db, settings, vault, schema }: BackupDeps,
  write: (text: string) => Promise<void>,
): Promise<{ tables: number; rows: number }> {
  const line = (value: unknown) => write(`${JSON.stringify(value)}\n`);
  const { applied } = await schema.state(db);
  if (!applied.length) throw new AppError("refused", NOTHING);
  const header: Header = {
    format: FORMAT,
    product: settings.version,
    made_at: clock.now().toISOString(),
    migrations: applied.map(({ version, sha256 }): [string, string] => [version, sha256]),
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

/** Totals of a restored backup. */
export interface Restored {
  readonly tables: number;
  readonly rows: number;
  /** False when its secrets were encrypted with another key. */
  readonly opens: boolean;
}

/**
 * Fills an empty database from a backup, in one transaction: its old schema, its rows, then later migrations. Throws
 * AppError `conflict` for a database that is not empty, or that another process is filling. Throws `refused` for an
 * invalid or truncated backup, or when the restored rows differ.
 */
export async function restore(
  { db, vault, schema }: Pick<BackupDeps, "db" | "vault" | "schema">,
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
    const header = getHeader(await source.next());
    schema.check(header.migrations);
    const last = header.migrations.at(-1)?.[0] ?? "0000";
    await schema.up(tx, { to: last });
    await restoreRows(tx, async (put) => {
      for await (const piece of readParts(source, count)) await put(piece);
    });
    await schema.up(tx);
    await writeSendingOff(tx, true); // the original may be at work: two copies would send the same invoices
    return header;
  }).catch((error) => {
    throw isRefusedData(error) ? createDamageError(toMessage(error)) : error;
  });
  return { ...count, opens: opens(vault, header.sealed) };
}

function getHeader({ value, done }: IteratorResult<string>): Header {
  const header = Header.safeParse(done ? undefined : parseLine(value));
  if (header.success) return header.data;
  throw new AppError("refused", say`This is no backup that this version reads (${FORMAT})`);
}

const BATCH_LINES = 500;
const BATCH_CHARS = 1_000_000;

/** Throws AppError `refused` where the file ends before its end, or lacks tables or sums of tables that its end counts. */
async function* readParts(
  source: AsyncIterator<string>,
  count: { tables: number; rows: number },
): AsyncGenerator<SnapshotPart> {
  let lines: string[] = [];
  let chars = 0;
  let ends = 0;
  const flush = function* (): Generator<SnapshotPart> {
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
    const { data: piece } = Mark.safeParse(parseLine(value));
    if (piece === undefined) throw createDamageError(value);
    if ("done" in piece) {
      if (piece.done.tables !== count.tables || ends !== count.tables) {
        throw createDamageError(value);
      }
      return;
    }
    if ("table" in piece) count.tables++;
    if ("end" in piece) ends++;
    yield piece;
  }
}

function parseLine(line: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // told below
  }
  throw createDamageError(line);
}

function createDamageError(why: string): AppError {
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
