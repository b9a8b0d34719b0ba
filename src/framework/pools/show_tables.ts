import type { Deps } from "#src/deps.ts";

/** Tables and views of a pool; throws what `Databases.use` and `Pool.tables` throw. */
export async function showTables(
  { configuration, databases }: Pick<Deps, "configuration" | "databases">,
  { name, signal }: { name: string; signal?: AbortSignal },
) {
  const { pool, limits } = await databases.use(configuration.current(), name);
  const tables = await pool.tables({ ...limits, maxRows: 100_000, signal });
  return { dialect: pool.dialect, tables };
}
