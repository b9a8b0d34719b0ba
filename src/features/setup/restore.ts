import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import {
  describeTables,
  type Digest,
  digestOf,
  insertRows,
  type Line,
  refill,
  speakPlainly,
  type TableModel,
  writeSequences,
} from "./rows_store.ts";

/** What of a snapshot comes, in the order it comes. */
export type Piece =
  | { readonly table: string; readonly columns: readonly string[] }
  | { readonly lines: readonly Line[] }
  | { readonly end: Digest }
  | { readonly sequences: readonly (readonly [string, string | null])[] };

/** Tells the pieces one after the other; the next one when the one before is in the database. */
export type Feed = (put: (piece: Piece) => Promise<void>) => Promise<void>;

/**
 * Puts the rows of a snapshot in the place of all there are, in the caller's transaction, and compares each table with what it was.
 * Throws AppError `refused` for a table or column that is not there, and for rows that came out differently.
 */
export async function restoreRows(tx: Db, feed: Feed): Promise<void> {
  await speakPlainly(tx);
  const tables = await describeTables(tx);
  const known = new Map(tables.map((it) => [it.name, it]));
  const filled = new Map<TableModel, Digest>();
  await refill(tx, tables, async () => {
    let current: TableModel | undefined;
    await feed(async (piece) => {
      if ("table" in piece) current = modelOf(known.get(piece.table), piece);
      else if ("sequences" in piece) await writeSequences(tx, piece.sequences);
      else if (current && "lines" in piece) await insertRows(tx, current, piece.lines);
      else if (current && "end" in piece) filled.set(current, piece.end);
    });
    for (const [table, digest] of filled) await verify(tx, table, digest);
  });
}

/** The columns in the order of the snapshot, with the types they have here. */
function modelOf(
  found: TableModel | undefined,
  { table, columns }: { table: string; columns: readonly string[] },
): TableModel {
  if (!found) throw new AppError("refused", say`There is no table ${table} in this schema`);
  const own = columns.map((name) => {
    const column = found.columns.find((it) => it.name === name);
    if (!column) throw new AppError("refused", say`The table ${table} has no column ${name}`);
    return column;
  });
  return { ...found, columns: own };
}

async function verify(tx: Db, table: TableModel, expected: Digest): Promise<void> {
  const { rows, sum } = await digestOf(tx, table);
  if (rows === expected.rows && sum === expected.sum) return;
  throw new AppError(
    "refused",
    say`The table ${table.name} came out differently: ${rows} rows (${sum}), not ${expected.rows} (${expected.sum})`,
  );
}
