import type { NamedPool } from "#src/ports/databases.ts";
import type { DatabasePool, PoolTable } from "#src/ports/pool.ts";

const KEPT_MS = 60_000;
const MAX_TABLES = 100_000;

const known = new WeakMap<DatabasePool, { at: number; tables: Promise<readonly PoolTable[]> }>();

/** Returns the column types of a table from its database, cached for a minute; none for an invisible table. */
export async function columnTypes(
  { pool, limits }: NamedPool,
  name: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  signal?.throwIfAborted();
  const found = known.get(pool);
  const isFresh = found !== undefined && performance.now() - found.at < KEPT_MS;
  const entry = isFresh
    ? found
    : { at: performance.now(), tables: pool.tables({ ...limits, maxRows: MAX_TABLES }) };
  if (!isFresh) {
    known.set(pool, entry);
    entry.tables.catch(() => known.delete(pool)); // the next caller tries again
  }
  const [own = "", schema] = name.split(".").reverse();
  const tables = (await entry.tables).filter((it) =>
    it.name === own && (schema === undefined || it.schema === schema)
  );
  const [table, other] = tables;
  return new Map(table && !other ? table.columns.map((it) => [it.name, it.type]) : []);
}
