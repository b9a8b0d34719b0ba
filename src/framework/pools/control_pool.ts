import type { Deps } from "#src/deps.ts";
import { OWN_POOL } from "#src/definitions/pools.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Dialect } from "#src/ports/pool.ts";
import { readMoment } from "./store.ts";

type ControlPoolDeps = Pick<Deps, "clock" | "configuration" | "databases" | "db">;

interface Controlled {
  readonly name: string;
  readonly by: Actor;
}

/** Queries by dialect that return the current time as one row of one column. */
const NOW: Partial<Record<Dialect, string>> = {
  oracle: `select to_char(systimestamp, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') from dual`,
  mssql: "select sysdatetimeoffset()",
};

/**
 * Reads the current time from a pool's database, which proves that it answers. Throws the errors of `Databases.use` and
 * of a read.
 */
export async function checkPool(
  { configuration, databases }: ControlPoolDeps,
  { name, signal }: { name: string; signal?: AbortSignal },
): Promise<string> {
  const { pool, limits } = await databases.use(configuration.current(), name);
  const text = NOW[pool.dialect] ?? "select current_timestamp";
  const { rows } = await pool.read({ text, values: [] }, { ...limits, maxRows: 1, signal });
  return parseMoment(rows[0]?.[0]);
}

/** The same of the product's own database, over the connections it works with: its readers' role may be missing while it answers. */
export const checkOwn = ({ db }: Pick<Deps, "db">): Promise<string> => readMoment(db);

/** Parses the time formats of databases; SQLite and MySQL mean UTC when no zone is given. */
function parseMoment(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value).replace(" ", "T");
  const zoned = /(Z|[+-]\d\d(:?\d\d)?)$/.test(text.slice(10)) ? text : `${text}Z`;
  const date = new Date(zoned.replace(/([+-]\d\d)$/, "$1:00"));
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString();
}

/** Opens a pool in every process, and connects. Throws what `Databases.open` throws. */
export async function openPool(deps: ControlPoolDeps, { name, by }: Controlled): Promise<void> {
  await deps.databases.open(deps.configuration.current(), name, by);
  if (name === OWN_POOL) return;
  await recordAudit(deps, { actor: by, event: "pool.opened", target: name });
}

/**
 * Closes a pool in every process: running queries are aborted, new ones refused. Throws the errors of
 * `Databases.disconnect`.
 */
export async function closePool(deps: ControlPoolDeps, { name, by }: Controlled): Promise<void> {
  await deps.databases.disconnect(deps.configuration.current(), name, by);
  await recordAudit(deps, { actor: by, event: "pool.closed", target: name });
}
