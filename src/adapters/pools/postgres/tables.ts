import type { Limits, PoolRows, PoolTable, ReadLimits, Statement } from "#src/ports/pool.ts";
import { getType } from "./values.ts";

type Read = (statement: Statement, limits: ReadLimits) => Promise<PoolRows>;

const NOT_OURS = "n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'";

/** Query for the relations of which the role may read a part: name, kind, columns. */
const RELATIONS = `
select n.nspname, c.relname, case when c.relkind in ('v', 'm') then 'view' else 'table' end,
  json_agg(json_build_array(a.attname, coalesce(nullif(t.typbasetype, 0), a.atttypid)::int8, not a.attnotnull)
    order by a.attnum)
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${NOT_OURS}
  and has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'select')
group by n.nspname, c.relname, c.relkind
order by n.nspname, c.relname`;

const KEYS = `
select n.nspname, c.relname, k.contype::text,
  (select json_agg(a.attname order by o.at) from unnest(k.conkey) with ordinality o(num, at)
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = o.num),
  fn.nspname, fc.relname,
  (select json_agg(a.attname order by o.at) from unnest(k.confkey) with ordinality o(num, at)
    join pg_attribute a on a.attrelid = k.confrelid and a.attnum = o.num)
from pg_constraint k
join pg_class c on c.oid = k.conrelid
join pg_namespace n on n.oid = c.relnamespace
left join pg_class fc on fc.oid = k.confrelid
left join pg_namespace fn on fn.oid = fc.relnamespace
where k.contype in ('p', 'f') and ${NOT_OURS}
order by k.conname`;

export async function postgresTables(
  read: Read,
  limits: Limits & ReadLimits,
): Promise<readonly PoolTable[]> {
  const [relations, keys] = await Promise.all(
    [RELATIONS, KEYS].map((text) => read({ text, values: [] }, limits)),
  );
  const listKeys = (schema: unknown, name: unknown, kind: "p" | "f") =>
    (keys?.rows ?? []).filter((it) => it[0] === schema && it[1] === name && it[2] === kind);
  return (relations?.rows ?? []).map(([schema, name, kind, columns]) => ({
    schema: String(schema),
    name: String(name),
    kind: kind === "view" ? "view" as const : "table" as const,
    columns: (columns as [string, number, boolean][]).map(([name, oid, nullable]) => ({
      name,
      type: getType(oid),
      nullable,
    })),
    primaryKey: listKeys(schema, name, "p").flatMap((it) => it[3] as string[]),
    foreignKeys: listKeys(schema, name, "f").map(([, , , own, otherSchema, table, theirs]) => ({
      columns: own as string[],
      references: {
        schema: String(otherSchema),
        table: String(table),
        columns: theirs as string[],
      },
    })),
  }));
}
