import type { Limits, PoolRows, PoolTable, ReadLimits, Statement } from "#src/ports/pool.ts";
import { typeNamed } from "./values.ts";

/**
 * Query for the columns. MariaDB stores JSON as a text column with a check; only MariaDB runs the code in these
 * comments.
 */
const COLUMNS = `
select c.table_schema, c.table_name, t.table_type, c.column_name,
  /*M! case when exists (select 1 from information_schema.check_constraints k
    where k.constraint_schema = c.table_schema and k.table_name = c.table_name
      and k.check_clause = concat('json_valid(\`', c.column_name, '\`)')) then 'json' else */ c.data_type /*M! end */, c.is_nullable
from information_schema.columns c
join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
where c.table_schema = database()
order by c.table_name, c.ordinal_position`;

const KEYS = `
select k.table_name, k.constraint_name, k.column_name, k.referenced_table_schema, k.referenced_table_name,
  k.referenced_column_name
from information_schema.key_column_usage k
where k.table_schema = database() and (k.constraint_name = 'PRIMARY' or k.referenced_table_name is not null)
order by k.table_name, k.constraint_name, k.ordinal_position`;

/** Tables and views of the pool's own database. */
export async function mysqlTables(
  read: (statement: Statement, limits: ReadLimits) => Promise<PoolRows>,
  limits: Limits & ReadLimits,
): Promise<readonly PoolTable[]> {
  const columns = await read({ text: COLUMNS, values: [] }, limits);
  const keys = await read({ text: KEYS, values: [] }, limits);
  const names = [...new Set(columns.rows.map((it) => String(it[1])))];
  return names.map((name) => {
    const own = columns.rows.filter((it) => it[1] === name);
    const ownKeys = keys.rows.filter((it) => it[0] === name);
    const foreign = [...new Set(ownKeys.filter((it) => it[4] !== null).map((it) => String(it[1])))];
    return {
      schema: String(own[0]?.[0]),
      name,
      kind: String(own[0]?.[2]).includes("VIEW") ? "view" as const : "table" as const,
      columns: own.map(([, , , column, type, nullable]) => ({
        name: String(column),
        type: typeNamed(String(type)),
        nullable: nullable === "YES",
      })),
      primaryKey: ownKeys.filter((it) => it[1] === "PRIMARY").map((it) => String(it[2])),
      foreignKeys: foreign.map((key) => {
        const parts = ownKeys.filter((it) => it[1] === key);
        return {
          columns: parts.map((it) => String(it[2])),
          references: {
            schema: String(parts[0]?.[3]),
            table: String(parts[0]?.[4]),
            columns: parts.map((it) => String(it[5])),
          },
        };
      }),
    };
  });
}
