import type { Limits, PoolRows, PoolTable, ReadLimits, Statement } from "#src/ports/pool.ts";

/** Estimates the size of rows; a driver that returns values reports no better figure. */
export function bytesIn(rows: readonly (readonly unknown[])[]): number {
  let bytes = 0;
  for (const row of rows) {
    for (const value of row) {
      bytes += typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
    }
  }
  return bytes;
}

/** Limits the time of a statement; `cancel` ends it. */
export function watchTime({ timeoutMs, signal }: Limits, cancel: () => void) {
  let late = false;
  const end = () => {
    late = true;
    cancel();
  };
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener("abort", end, { once: true });
  return {
    late: () => late,
    stop() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    },
  };
}

const COLUMNS = `
select c.table_schema, c.table_name, t.table_type, c.column_name, c.data_type, c.is_nullable
from information_schema.columns c
join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
order by c.table_schema, c.table_name, c.ordinal_position`;

const KEYS = `
select k.table_schema, k.table_name, k.column_name
from information_schema.key_column_usage k
join information_schema.table_constraints c on c.constraint_schema = k.constraint_schema
  and c.constraint_name = k.constraint_name and c.constraint_type = 'PRIMARY KEY'
order by k.table_schema, k.table_name, k.ordinal_position`;

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/int$/, "integer"],
  [/^(decimal|numeric|.*money)$/, "decimal"],
  [/^(float|real)$/, "number"],
  [/^bit$/, "boolean"],
  [/^(.*datetime.*)$/, "datetime"],
  [/^(date|time)$/, "$&"],
  [/^uniqueidentifier$/, "uuid"],
  [/binary|image/, "binary"],
];

/** Reads the tables from the views of the SQL standard (ISO 9075-11), without foreign keys. */
export async function informationSchemaTables(
  read: (statement: Statement, limits: ReadLimits) => Promise<PoolRows>,
  limits: ReadLimits,
): Promise<readonly PoolTable[]> {
  const { rows } = await read({ text: COLUMNS, values: [] }, limits);
  const keys = (await read({ text: KEYS, values: [] }, limits)).rows;
  const tables = new Map<string, PoolTable & { columns: PoolTable["columns"][number][] }>();
  for (const [schema, name, kind, column, type, nullable] of rows.map((row) => row.map(String))) {
    const id = `${schema}.${name}`;
    const table = tables.get(id) ?? {
      schema: schema ?? "",
      name: name ?? "",
      kind: kind === "VIEW" ? "view" as const : "table" as const,
      columns: [],
      primaryKey: keys.filter((it) => `${it[0]}.${it[1]}` === id).map((it) => String(it[2])),
      foreignKeys: [],
    };
    table.columns.push({
      name: column ?? "",
      type: typeNamed(type ?? ""),
      nullable: nullable === "YES",
    });
    tables.set(id, table);
  }
  return [...tables.values()];
}

function typeNamed(type: string): string {
  const [, found] = TYPES.find(([pattern]) => pattern.test(type.toLowerCase())) ?? [];
  return found === "$&" ? type.toLowerCase() : found ?? "string";
}
