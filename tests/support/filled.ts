import { sql } from "drizzle-orm";
import { type Db, getRows } from "#src/ports/db.ts";

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

const TEXTS = [
  "plain",
  'a "quoted" \\back\\ {brace},comma',
  "line\nbreak\tand \u00e9\u{1f600}",
  "",
  "ENC:c2VhbGVkLXRleHQ=",
];
const JSONS = ['{"a":[1,null,"é\\"x"],"b":1.50}', "null", '"text"', "[]", '{"url":"ENC:c2VhbGVk"}'];

/** Returns values of each type, including unusual ones; `n` makes rows different. */
function getValue({ type, name }: Column, n: number): string {
  const pick = (all: readonly string[]) => all[n % all.length] ?? "";
  if (type === "uuid") return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  if (type === "boolean") return n % 2 ? "true" : "false";
  if (/^(smallint|integer|bigint)$/.test(type)) return String(n + 1);
  if (type.startsWith("numeric")) return `${n}.50`;
  if (/^(double|real)/.test(type)) return pick(["0.1", "1e-7", "12345.678"]);
  if (type === "date") return pick(["2026-02-28", "0044-03-15", "9999-12-31"]);
  if (type.startsWith("timestamp")) return `2026-01-0${1 + n % 9} 10:00:00.12345${n % 10}+02`;
  if (name === "properties") return JSONS[0] ?? ""; // migrations read it as an object in every version
  if (type.startsWith("json")) return pick(JSONS);
  if (type === "bytea") return pick(["\\x00ff10", "\\x", "\\xdeadbeef"]);
  if (type.endsWith("[]")) return type.startsWith("text") ? '{"a b",NULL,"c,\\"d"}' : "{}";
  if (type === "tsvector") return "word";
  return /(^|_)(id|key|name|hash|seq|username|kid|sha256|token)/.test(name)
    ? `${pick(TEXTS)} ${n}`
    : pick(TEXTS);
}

/**
 * Fills every table with values of every type, ignoring references and triggers. Requires a superuser. Resolves to
 * those of the wanted tables that contain rows.
 */
export async function fillTables(
  db: Db,
  perTable = 7,
  isWanted: (table: string) => boolean = () => true,
): Promise<readonly string[]> {
  const columns = getRows<Column>(
    await db.execute(
      sql`select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
        not a.attnotnull as nullable
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = '' and c.relname <> 'schema_migrations' order by c.relname, a.attnum`,
    ),
  );
  const tables = [...new Set(columns.map((it) => it.table))].filter(isWanted);
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const table of tables) {
      const own = columns.filter((it) => it.table === table);
      for (let n = 0; n < perTable; n++) await tryRow(tx, table, own, n);
    }
    await dropOrphans(tx);
  });
  const filled: string[] = [];
  for (const table of tables) {
    const [found] = getRows(
      await db.execute(sql`select 1 from ${sql.identifier(table)} limit 1`),
    );
    if (found) filled.push(table);
  }
  return filled;
}

/** Deletes rows with broken references until none are left. */
async function dropOrphans(tx: Db): Promise<void> {
  const keys = getRows<{ child: string; parent: string; own: string[]; theirs: string[] }>(
    await tx.execute(sql`select c.relname as child, r.relname as parent,
        (select json_agg(a.attname order by i) from unnest(k.conkey) with ordinality u(n, i)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n) as own,
        (select json_agg(a.attname order by i) from unnest(k.confkey) with ordinality u(n, i)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.n) as theirs
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
      where k.contype = 'f' and c.relnamespace = 'public'::regnamespace`),
  );
  for (let dropped = 1; dropped;) {
    dropped = 0;
    for (const { child, parent, own, theirs } of keys) {
      const same = own.map((it, at) =>
        sql`c.${sql.identifier(it)} = p.${sql.identifier(theirs[at] ?? "")}`
      );
      const given = own.map((it) => sql`c.${sql.identifier(it)} is not null`);
      const gone = getRows(
        await tx.execute(
          sql`delete from ${sql.identifier(child)} c where ${
            sql.join(given, sql` and `)
          } and not exists (select from ${sql.identifier(parent)} p where ${
            sql.join(same, sql` and `)
          }) returning 1`,
        ),
      );
      dropped += gone.length;
    }
  }
}

/** Tries to insert a row. If a check refuses it, tries without optional columns, then skips it. */
async function tryRow(tx: Db, table: string, columns: readonly Column[], n: number): Promise<void> {
  for (const some of [columns, columns.filter((it) => !it.nullable)]) {
    const names = sql.join(some.map((it) => sql.identifier(it.name)), sql`, `);
    const values = some.map((it) =>
      it.nullable && n % 3 === 2 ? sql`null` : sql`${getValue(it, n)}::text::${sql.raw(it.type)}`
    );
    const done = await tx.transaction(async (inner) => {
      await inner.execute(
        sql`insert into ${sql.identifier(table)} (${names}) overriding system value
        values (${sql.join(values, sql`, `)})`,
      );
      return true;
    }).catch(() => false);
    if (done) return;
  }
}

/** Returns every row of every table as sorted text, and the value of each sequence. */
export async function contents(db: Db): Promise<Record<string, readonly string[]>> {
  const tables = getRows<{ name: string }>(
    await db.execute(sql`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations' order by relname`),
  );
  const found: Record<string, readonly string[]> = {};
  for (const { name } of tables) {
    const rows = getRows<{ line: string }>(
      await db.execute(sql`select t::text as line from ${sql.identifier(name)} t`),
    );
    found[name] = rows.map(({ line }) => line).sort();
  }
  found["sequences"] = getRows<{ line: string }>(
    await db.execute(sql`select sequencename || ' ' || coalesce(last_value::text, '-') as line
      from pg_sequences where schemaname = 'public' order by 1`),
  ).map(({ line }) => line);
  return found;
}
