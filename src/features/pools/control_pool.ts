import type { Deps } from "#src/deps.ts";
import { OWN_POOL } from "#src/definitions/pools.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Dialect } from "#src/ports/pool.ts";
import { readMoment } from "./store.ts";

type Needs = Pick<Deps, "clock" | "configuration" | "databases" | "db">;

interface Controlled {
  readonly name: string;
  readonly by: Actor;
}

/** By dialect: the moment as a row of one column. */
const NOW: Partial<Record<Dialect, string>> = {
  oracle: `select to_char(systimestamp, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') from dual`,
  mssql: "select sysdatetimeoffset()",
};

/** The moment as the database of a pool has it, which proves that it answers. Throws what `Databases.use` and a read throw. */
export async function checkPool(
  { configuration, databases }: Needs,
  { name, signal }: { name: string; signal?: AbortSignal },
): Promise<string> {
  const { pool, limits } = await databases.use(configuration.current(), name);
  const text = NOW[pool.dialect] ?? "select current_timestamp";
  const { rows } = await pool.read({ text, values: [] }, { ...limits, maxRows: 1, signal });
  return momentOf(rows[0]?.[0]);
}

/** The same of the product's own database, over the connections it works with: its readers' role may be missing while it answers. */
export const checkOwn = ({ db }: Pick<Deps, "db">): Promise<string> => readMoment(db);

/** Databases write it in several ways; SQLite and MySQL mean UTC where they say no zone. */
function momentOf(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value).replace(" ", "T");
  const zoned = /(Z|[+-]\d\d(:?\d\d)?)$/.test(text.slice(10)) ? text : `${text}Z`;
  const date = new Date(zoned.replace(/([+-]\d\d)$/, "$1:00"));
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString();
}

/** Opens a pool in every process, and connects. Throws what `Databases.open` throws. */
export async function openPool(needs: Needs, { name, by }: Controlled): Promise<void> {
  await needs.databases.open(needs.configuration.current(), name, by);
  if (name === OWN_POOL) return;
  await recordAudit(needs, { actor: by, event: "pool.opened", target: name });
}

/** Closes a pool in every process: queries under way end, new ones are refused. Throws what `Databases.disconnect` throws. */
export async function closePool(needs: Needs, { name, by }: Controlled): Promise<void> {
  await needs.databases.disconnect(needs.configuration.current(), name, by);
  await recordAudit(needs, { actor: by, event: "pool.closed", target: name });
}
