import type { Db } from "#src/ports/db.ts";
import {
  describeTables,
  type Digest,
  digestOf,
  hasBytes,
  type Line,
  linesOf,
  readRows,
  readSequences,
  speakPlainly,
  type TableModel,
} from "./rows_store.ts";

/** What hears of a database's rows, table after table, in the order they are told. */
export interface SnapshotWriter {
  table(table: TableModel): Promise<void>;
  rows(table: TableModel, lines: readonly Line[]): Promise<void>;
  end(table: TableModel, digest: Digest): Promise<void>;
  sequences(sequences: readonly (readonly [string, string | null])[]): Promise<void>;
}

const SNAPSHOT = { isolationLevel: "repeatable read", accessMode: "read only" } as const;

/** Everything in the database as it was at one moment; what is written meanwhile is not among it. */
export function readSnapshot(db: Db, writer: SnapshotWriter): Promise<void> {
  return db.transaction(async (tx) => {
    for (const table of await describeTables(tx)) await readTable(tx, table, writer);
    await writer.sequences(await readSequences(tx));
  }, SNAPSHOT);
}

/** As `readSnapshot`, of a database nothing is written into, which others may ask between two tables, and `between` may too. */
export async function readFrozen(
  db: Db,
  tables: readonly TableModel[],
  writer: SnapshotWriter,
  between: () => Promise<void>,
): Promise<void> {
  for (const table of tables) {
    await db.transaction((tx) => readTable(tx, table, writer), SNAPSHOT);
    await between();
  }
  await writer.sequences(await readSequences(db));
}

async function readTable(tx: Db, table: TableModel, writer: SnapshotWriter): Promise<void> {
  await speakPlainly(tx);
  await writer.table(table);
  for await (const lines of readRows(tx, linesOf(table), { hasBytes: hasBytes(table) })) {
    await writer.rows(table, lines);
  }
  await writer.end(table, await digestOf(tx, table));
}
