import { type SQL, sql } from "drizzle-orm";
import { type Db, rowsOf } from "#src/ports/db.ts";

/** A table as it is, whoever made it: what is copied is read from the catalogue, never from a list. */
export interface TableModel {
  readonly name: string;
  readonly columns: readonly ColumnModel[];
}

export interface ColumnModel {
  readonly name: string;
  /** As PostgreSQL writes it: `timestamp with time zone`. */
  readonly type: string;
  readonly nullable: boolean;
}

/** Rows of one table as text: each is a JSON array of the columns' own texts, null for no value. */
export type Line = string;

/** Of the migrations themselves, which each database has by itself. */
const MIGRATIONS = "schema_migrations";

/** What is announced while rows are copied goes on coming; so it is copied last. */
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
  return rowsOf<TableModel>(
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

/** Sequences with the last number given; null for one that gave none. */
export async function readSequences(
  db: Db,
): Promise<readonly (readonly [string, string | null])[]> {
  const rows = rowsOf<{ name: string; last: string | null }>(
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
    const sequence = `public.${quoted(name)}`;
    await db.execute(
      sql`select setval(${sequence}::regclass, ${last ?? "1"}::bigint, ${last !== null}::boolean)`,
    );
  }
}

/** A table whose rows may be large is read a few at a time: nothing tells beforehand how large one is. */
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
    const rows = rowsOf<{ line: Line }>(await tx.execute(fetch));
    const lines = rows.map(({ line }) => line);
    if (!lines.length) break;
    rows.length = 0; // the driver's results hold on to the next ones: all rows would grow old with them
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
export function linesOf({ name, columns }: TableModel): SQL {
  const texts = columns.map((it) => sql`${sql.identifier(it.name)}::text`);
  return sql`select json_build_array(${sql.join(texts, sql`, `)})::text as line
    from public.${sql.identifier(name)}`;
}

export interface Digest {
  readonly rows: string;
  /** A sum over hashes of all rows, whatever their order. */
  readonly sum: string;
}

export async function digestOf(db: Db, table: TableModel): Promise<Digest> {
  const [found] = rowsOf<Digest>(
    await db.execute(sql`select count(*)::text as rows,
      coalesce(sum(('x' || substr(md5(line), 1, 15))::bit(60)::bigint), 0)::text as sum
      from (${linesOf(table)}) lines`),
  );
  return found ?? { rows: "0", sum: "0" };
}

/** Types come from the catalogue of this database, which alone knows what a text means. */
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
 * Empties all tables and does the work while nothing of the database's own runs beside it: no trigger, and no reference is
 * checked before all rows are there. In one transaction: whoever looks sees the tables as they were, or as they are after.
 */
export async function refill(
  tx: Db,
  tables: readonly TableModel[],
  work: () => Promise<void>,
): Promise<void> {
  const keys = rowsOf<ForeignKey>(
    await tx.execute(
      sql`select c.relname as "table", k.conname as name, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and c.relnamespace = 'public'::regnamespace`,
    ),
  );
  const alter = (table: string, what: string) =>
    tx.execute(sql.raw(`alter table public.${quoted(table)} ${what}`));
  for (const { table, name } of keys) await alter(table, `drop constraint ${quoted(name)}`);
  for (const { name } of tables) await alter(name, "disable trigger user");
  if (tables.length) {
    const names = tables.map(({ name }) => `public.${quoted(name)}`);
    await tx.execute(sql.raw(`truncate ${names.join(", ")}`));
  }
  await work();
  for (const { name } of tables) await alter(name, "enable trigger user");
  for (const { table, name, definition } of keys) {
    await alter(table, `add constraint ${quoted(name)} ${definition}`);
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Tables there are that no migration of ours is known to have made, or all of them. */
export async function tableCount(db: Db): Promise<number> {
  const [found] = rowsOf<{ n: number }>(
    await db.execute(sql`select count(*)::int as n from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')`),
  );
  return found?.n ?? 0;
}

/** Columns that hold a secret, or what stands for one, by their names: new ones are masked before anybody thinks of it. */
const SECRET =
  /password|passphrase|secret|token|private|jwk|signing_?key|credential|authorization|api_?key|cookie|ticket|signature/i;
/** What is called otherwise. */
const ALSO = ["idempotency_keys.body", "live_tickets.hash", "sign_in_attempts.key"];
const TEXT = /^(text|character|json|bytea|uuid)/;

export function isMasked(table: string, { name, type }: ColumnModel): boolean {
  return TEXT.test(type) && (SECRET.test(name) || ALSO.includes(`${table}.${name}`));
}

/** Rows as JSON objects whose names are in capitals; sealed texts inside other texts are masked too. */
export function maskedRows({ name, columns }: TableModel): SQL {
  const shown = columns.map((column) => {
    const own = sql.identifier(column.name);
    const expression = isMasked(name, column)
      ? sql.raw(`case when ${quoted(column.name)} is null then null else '********' end`)
      : /^(text|character|json)/.test(column.type)
      ? sql.raw(unsealed(quoted(column.name), column.type))
      : sql`${own}`;
    return sql`${expression} as ${sql.identifier(column.name.toUpperCase())}`;
  });
  return sql`select row_to_json(shown)::text as line
    from (select ${sql.join(shown, sql`, `)} from public.${sql.identifier(name)}) shown`;
}

function unsealed(column: string, type: string): string {
  const masked =
    `regexp_replace(${column}::text, 'ENC:[A-Za-z0-9+/=]+', 'ENC:********', 'g')::${type}`;
  return `case when ${column}::text like '%ENC:%' then ${masked} else ${column} end`;
}

/** What is written though the database takes no writes. */
export function announce(db: Db, work: (tx: Db) => Promise<void>): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set transaction read write`);
    await work(tx);
  });
}
