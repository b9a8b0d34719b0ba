import { type SQL, sql } from "drizzle-orm";
import { type Db, getRows } from "#src/ports/db.ts";

/** Table from the database catalogue, of any origin. */
export interface TableModel {
  readonly name: string;
  readonly columns: readonly ColumnModel[];
}

export interface ColumnModel {
  readonly name: string;
  /** Type as PostgreSQL writes it: `timestamp with time zone`. */
  readonly type: string;
  readonly nullable: boolean;
}

/** Row of a table as text: a JSON array of the columns' texts, with null for missing values. */
export type Line = string;

/** Table of the migrations, which each database has already. */
const MIGRATIONS = "schema_migrations";

/** Table of live events, copied last because progress is announced while rows are copied. */
const LAST = "live_events";

/** Texts of values mean the same in every session that has this. */
export async function speakPlainly(tx: Db): Promise<void> {
  for (
    const setting of [
      "timezone = 'UTC'",
      "datestyle = 'ISO, YMD'",
      "intervalstyle = 'postgres'",
      "bytea_output = 'hex'",
      "extra_float_digits = 1",
    ]
  ) await tx.execute(sql.raw(`set local ${setting}`));
}

/** All tables of the product with the columns that are stored, by name. */
export async function describeTables(db: Db): Promise<readonly TableModel[]> {
  return getRows<TableModel>(
    await db.execute(sql`
      select c.relname as name,
        (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
            'nullable', not a.attnotnull) order by a.attnum)
          from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> ${MIGRATIONS}
      order by c.relname = ${LAST}, c.relname`),
  );
}

/** Returns sequences with their last number; null for an unused one. */
export async function readSequences(
  db: Db,
): Promise<readonly (readonly [string, string | null])[]> {
  const rows = getRows<{ name: string; last: string | null }>(
    await db.execute(sql`select sequencename as name, last_value::text as last
      from pg_sequences where schemaname = 'public' order by sequencename`),
  );
  return rows.map(({ name, last }) => [name, last]);
}

export async function writeSequences(
  db: Db,
  sequences: readonly (readonly [string, string | null])[],
): Promise<void> {
  for (const [name, last] of sequences) {
    const sequence = `public.${quoteName(name)}`;
    await db.execute(
      sql`select setval(${sequence}::regclass, ${last ?? "1"}::bigint, ${last !== null}::boolean)`,
    );
  }
}

/** Reads tables with possibly large rows in small batches, because row sizes are unknown beforehand. */
const FEW = 4;
const MANY = 1_000;
const BATCH_CHARS = 250_000;

/** Rows of a table in the transaction it is called in, in batches of about a quarter of a million characters. */
export async function* readRows(
  tx: Db,
  select: SQL,
  { hasBytes }: { hasBytes: boolean },
): AsyncGenerator<readonly Line[]> {
  await tx.execute(sql`declare rows_of_table no scroll cursor for ${select}`);
  let count = FEW;
  for (;;) {
    const fetch = sql.raw(`fetch ${count} from rows_of_table`);
    const rows = getRows<{ line: Line }>(await tx.execute(fetch));
    const lines = rows.map(({ line }) => line);
    if (!lines.length) break;
    rows.length = 0; // the driver's results reference later ones, so all rows would stay in memory
    yield lines;
    const mean = lines.reduce((sum, it) => sum + it.length, 0) / lines.length;
    const wanted = Math.min(4 * count, Math.floor(BATCH_CHARS / mean), hasBytes ? FEW : MANY);
    count = Math.max(1, wanted);
  }
  await tx.execute(sql`close rows_of_table`);
}

export const hasBytes = ({ columns }: TableModel): boolean =>
  columns.some(({ type }) => type === "bytea");

/** Rows as lines, in no order. */
export function renderLines({ name, columns }: TableModel): SQL {
  const texts = columns.map((it) => sql`${sql.identifier(it.name)}::text`);
  return sql`select json_build_array(${sql.join(texts, sql`, `)})::text as line
    from public.${sql.identifier(name)}`;
}

export interface Digest {
  readonly rows: string;
  /** A sum over hashes of all rows, whatever their order. */
  readonly sum: string;
}

export async function computeDigest(db: Db, table: TableModel): Promise<Digest> {
  const [found] = getRows<Digest>(
    await db.execute(sql`select count(*)::text as rows,
      coalesce(sum(('x' || substr(md5(line), 1, 15))::bit(60)::bigint), 0)::text as sum
      from (${renderLines(table)}) lines`),
  );
  return found ?? { rows: "0", sum: "0" };
}

/** Inserts rows; column types come from the catalogue of this database, which defines how a text is parsed. */
export async function insertRows(
  tx: Db,
  { name, columns }: TableModel,
  lines: readonly Line[],
): Promise<void> {
  const names = sql.join(columns.map((it) => sql.identifier(it.name)), sql`, `);
  const values = columns.map((it, at) => sql.raw(`(v ->> ${at})::${it.type}`));
  await tx.execute(sql`insert into public.${sql.identifier(name)} (${names})
    overriding system value
    select ${sql.join(values, sql`, `)} from jsonb_array_elements(${`[${
    lines.join(",")
  }]`}::jsonb) v`);
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Empties all tables and fills them by `work`, with triggers and reference checks disabled until all rows are there.
 * Runs in one transaction: other sessions see the tables as before or as after.
 */
export async function refill(
  tx: Db,
  tables: readonly TableModel[],
  work: () => Promise<void>,
): Promise<void> {
  const keys = getRows<ForeignKey>(
    await tx.execute(
      sql`select c.relname as "table", k.conname as name, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and c.relnamespace = 'public'::regnamespace`,
    ),
  );
  const alter = (table: string, what: string) =>
    tx.execute(sql.raw(`alter table public.${quoteName(table)} ${what}`));
  for (const { table, name } of keys) await alter(table, `drop constraint ${quoteName(name)}`);
  for (const { name } of tables) await alter(name, "disable trigger user");
  if (tables.length) {
    const names = tables.map(({ name }) => `public.${quoteName(name)}`);
    await tx.execute(sql.raw(`truncate ${names.join(", ")}`));
  }
  await work();
  for (const { name } of tables) await alter(name, "enable trigger user");
  for (const { table, name, definition } of keys) {
    await alter(table, `add constraint ${quoteName(name)} ${definition}`);
  }
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Tables there are that no migration of ours is known to have made, or all of them. */
export async function tableCount(db: Db): Promise<number> {
  const [found] = getRows<{ n: number }>(
    await db.execute(sql`select count(*)::int as n from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')`),
  );
  return found?.n ?? 0;
}

/** Pattern of columns with secrets or their equivalents, which also masks future columns. */
const SECRET =
  /password|passphrase|secret|token|private|jwk|signing_?key|credential|authorization|api_?key|cookie|ticket|signature/i;
/** Masked columns whose names the pattern does not match. */
const ALSO = ["idempotency_keys.body", "live_tickets.hash", "sign_in_attempts.key"];
const TEXT = /^(text|character|json|bytea|uuid)/;

export function isMasked(table: string, { name, type }: ColumnModel): boolean {
  return TEXT.test(type) && (SECRET.test(name) || ALSO.includes(`${table}.${name}`));
}

/** Selects rows as JSON objects with names in capitals; encrypted texts inside other texts are masked too. */
export function maskedRows({ name, columns }: TableModel): SQL {
  const shown = columns.map((column) => {
    const own = sql.identifier(column.name);
    const expression = isMasked(name, column)
      ? sql.raw(`case when ${quoteName(column.name)} is null then null else '********' end`)
      : /^(text|character|json)/.test(column.type)
      ? sql.raw(castColumn(quoteName(column.name), column.type))
      : sql`${own}`;
    return sql`${expression} as ${sql.identifier(column.name.toUpperCase())}`;
  });
  return sql`select row_to_json(shown)::text as line
    from (select ${sql.join(shown, sql`, `)} from public.${sql.identifier(name)}) shown`;
}

function castColumn(column: string, type: string): string {
  const masked =
    `regexp_replace(${column}::text, 'ENC:[A-Za-z0-9+/=]+', 'ENC:********', 'g')::${type}`;
  return `case when ${column}::text like '%ENC:%' then ${masked} else ${column} end`;
}

/** Writes in a transaction although the database is read-only. */
export function announce(db: Db, work: (tx: Db) => Promise<void>): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set transaction read write`);
    await work(tx);
  });
}
