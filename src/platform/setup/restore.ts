import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import {
  computeDigest,
  describeTables,
  type Digest,
  insertRows,
  type Line,
  refill,
  speakPlainly,
  type TableModel,
  writeSequences,
} from "./rows_store.ts";

/** Parts of a snapshot in their order. */
export type SnapshotPart =
  | { readonly table: string; readonly columns: readonly string[] }
  | { readonly lines: readonly Line[] }
  | { readonly end: Digest }
  | { readonly sequences: readonly (readonly [string, string | null])[] };

/** Passes the parts one after the other, each after the previous one is in the database. */
export type Feed = (put: (piece: SnapshotPart) => Promise<void>) => Promise<void>;

/**
 * Replaces all rows by those of a snapshot, in the caller's transaction, and compares each table. Throws AppError
 * `refused` for a missing table or column, and when the restored rows differ.
 */
export async function restoreRows(tx: Db, feed: Feed): Promise<void> {
  await speakPlainly(tx);
  const tables = await describeTables(tx);
  const known = new Map(tables.map((it) => [it.name, it]));
  const filled = new Map<TableModel, Digest>();
  await refill(tx, tables, async () => {
    let current: TableModel | undefined;
    await feed(async (piece) => {
      if ("table" in piece) current = requireModel(known.get(piece.table), piece);
      else if ("sequences" in piece) await writeSequences(tx, piece.sequences);
      else if (current && "lines" in piece) await insertRows(tx, current, piece.lines);
      else if (current && "end" in piece) filled.set(current, piece.end);
    });
    for (const [table, digest] of filled) await verify(tx, table, digest);
  });
}

/** The columns in the order of the snapshot, with the types they have here. */
function requireModel(
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
  const { rows, sum } = await computeDigest(tx, table);
  if (rows === expected.rows && sum === expected.sum) return;
  throw new AppError(
    "refused",
    say`The table ${table.name} came out differently: ${rows} rows (${sum}), not ${expected.rows} (${expected.sum})`,
  );
}
