import type { PoolRows, PoolTable, ReadLimits, Statement } from "#src/ports/pool.ts";
import { typeNamed } from "./values.ts";

const COLUMNS = `
select m.name, m.type, c.name, c.type, c."notnull", c.pk
from sqlite_schema m join pragma_table_info(m.name) c
where m.type in ('table', 'view') and m.name not like 'sqlite\\_%' escape '\\'
order by m.name, c.cid`;

const KEYS = `
select m.name, k.id, k."from", k."table", k."to"
from sqlite_schema m join pragma_foreign_key_list(m.name) k
where m.type = 'table'
order by m.name, k.id, k.seq`;

export async function sqliteTables(
  read: (statement: Statement, limits: ReadLimits) => Promise<PoolRows>,
  limits: ReadLimits,
): Promise<readonly PoolTable[]> {
  const columns = await read({ text: COLUMNS, values: [] }, limits);
  const keys = await read({ text: KEYS, values: [] }, limits);
  return [...new Set(columns.rows.map((it) => String(it[0])))].map((name) => {
    const own = columns.rows.filter((it) => it[0] === name);
    const ownKeys = keys.rows.filter((it) => it[0] === name);
    return {
      schema: "main",
      name,
      kind: own[0]?.[1] === "view" ? "view" as const : "table" as const,
      columns: own.map(([, , column, type, notNull, pk]) => ({
        name: String(column),
        type: typeNamed(String(type)) ?? "string",
        nullable: notNull === 0 && pk === 0,
      })),
      primaryKey: own.filter((it) => Number(it[5]) > 0)
        .sort((a, b) => Number(a[5]) - Number(b[5])).map((it) => String(it[2])),
      foreignKeys: [...new Set(ownKeys.map((it) => it[1]))].map((id) => {
        const parts = ownKeys.filter((it) => it[1] === id);
        return {
          columns: parts.map((it) => String(it[2])),
          references: {
            schema: "main",
            table: String(parts[0]?.[3]),
            columns: parts.map((it) => String(it[4])),
          },
        };
      }),
    };
  });
}
