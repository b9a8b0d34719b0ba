import type { Db } from "#src/ports/db.ts";
import {
  computeDigest,
  describeTables,
  type Digest,
  hasBytes,
  type Line,
  readRows,
  readSequences,
  renderLines,
  speakPlainly,
  type TableModel,
} from "./rows_store.ts";

/** Receiver of a database's rows, table after table, in the order of the calls. */
export interface SnapshotWriter {
  table(table: TableModel): Promise<void>;
  rows(table: TableModel, lines: readonly Line[]): Promise<void>;
  end(table: TableModel, digest: Digest): Promise<void>;
  sequences(sequences: readonly (readonly [string, string | null])[]): Promise<void>;
}

const SNAPSHOT = { isolationLevel: "repeatable read", accessMode: "read only" } as const;

/** Reads the whole database as of one moment; later writes are not included. */
export function readSnapshot(db: Db, writer: SnapshotWriter): Promise<void> {
  return db.transaction(async (tx) => {
    for (const table of await describeTables(tx)) await readTable(tx, table, writer);
    await writer.sequences(await readSequences(tx));
  }, SNAPSHOT);
}

/** Reads a read-only database like `readSnapshot`, but lets other queries, and `between`, run between two tables. */
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
  for await (const lines of readRows(tx, renderLines(table), { hasBytes: hasBytes(table) })) {
    await writer.rows(table, lines);
  }
  await writer.end(table, await computeDigest(tx, table));
}
