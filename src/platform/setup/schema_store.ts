import { sql } from "drizzle-orm";
import { type Db, getRows } from "#src/ports/db.ts";

/**
 * Describes a schema, one sorted line per part: columns with types and defaults, constraints, indexes, triggers,
 * functions and views. The lines are equal on all supported versions of PostgreSQL, so that databases can be compared.
 */
export async function schemaLines(db: Db): Promise<readonly string[]> {
  const rows = getRows<{ line: string }>(
    await db.execute(sql`
      with ours as (
        select c.*, n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'passerelle') and c.relname <> 'schema_migrations'
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e'))
      select 'column ' || c.nspname || '.' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) ||
          case when a.attnotnull then ' not null' else '' end ||
          coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
        from ours c join pg_attribute a on a.attrelid = c.oid
          left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
        where c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped
      union all
      select 'constraint ' || c.nspname || '.' || c.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
        from pg_constraint k join ours c on c.oid = k.conrelid where k.contype in ('p', 'u', 'f', 'c', 'x')
      union all
      select 'index ' || pg_get_indexdef(i.indexrelid) from pg_index i join ours c on c.oid = i.indrelid
        where not exists (select from pg_constraint k where k.conindid = i.indexrelid)
      union all
      select 'trigger ' || pg_get_triggerdef(t.oid) from pg_trigger t join ours c on c.oid = t.tgrelid where not t.tgisinternal
      union all
      select 'function ' || n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ') ' || md5(p.prosrc)
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('public', 'passerelle')
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      union all
      select 'sequence ' || c.nspname || '.' || c.relname from ours c where c.relkind = 'S'`),
  );
  return rows.map(({ line }) => line).sort((a, b) => a < b ? -1 : a > b ? 1 : 0);
}

/** A column by what stays when it or its table is renamed. */
export interface StoredColumn {
  readonly table: string;
  readonly column: string;
  readonly tableId: string;
  readonly number: number;
}

export async function storedColumns(db: Db): Promise<readonly StoredColumn[]> {
  return getRows<StoredColumn>(
    await db.execute(sql`
      select c.relname as "table", a.attname as "column", c.oid::text as "tableId", a.attnum::int as "number"
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
        and c.relname <> 'schema_migrations'
      order by c.relname, a.attnum`),
  );
}

/** Rows of a table, or those with a value in a column. */
export async function countRows(db: Db, table: string, column?: string): Promise<number> {
  const what = column === undefined ? sql`*` : sql.identifier(column);
  const [found] = getRows<{ n: string }>(
    await db.execute(sql`select count(${what})::text as n from public.${sql.identifier(table)}`),
  );
  return Number(found?.n ?? 0);
}

/** Limits the wait for locks of a schema change, because other queries would wait behind it. */
export async function waitBriefly(tx: Db): Promise<void> {
  await tx.execute(sql`set local lock_timeout = '10s'`);
}

/** Rows of all tables stay as they are until the transaction ends; they can be read. */
export async function stopWrites(tx: Db): Promise<void> {
  const tables = [...new Set((await storedColumns(tx)).map((it) => it.table))];
  if (!tables.length) return;
  const names = sql.join(tables.map((it) => sql`public.${sql.identifier(it)}`), sql`, `);
  await tx.execute(sql`lock table ${names} in share row exclusive mode`);
}
