import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { fileURLToPath } from "node:url";
import { migrateUp, type Migration, readMigrations } from "#src/adapters/postgres/migrate.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { openPgliteInMemory } from "#tests/support/memory_database.ts";
import { RELEASED } from "#tests/support/released_code.ts";

const MIGRATIONS = fileURLToPath(new URL("../drizzle/migrations/", import.meta.url));

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly isFilled: boolean;
}

async function readColumns(db: Db): Promise<Column[]> {
  return getRows<Column>(
    await db.execute(sql`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as "isNullable",
      (a.atthasdef or a.attidentity <> '' or a.attgenerated <> '') as "isFilled"
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by 1, 2`),
  );
}

/** Returns the constraints that refuse rows: checks, uniqueness, references. */
async function readLimits(db: Db): Promise<string[]> {
  const rows = getRows<{ line: string }>(
    await db.execute(sql`
    select c.relname || ': ' || pg_get_constraintdef(k.oid) as line
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and k.contype in ('c', 'u', 'f', 'p', 'x')
    union
    select c.relname || ': ' || regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', 'unique ')
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and i.indisunique order by 1`),
  );
  return rows.map((it) => it.line);
}

async function schemas() {
  const all = await readMigrations(MIGRATIONS);
  const until = (last: string): Migration[] => all.filter((it) => it.version <= last);
  const released = await openPgliteInMemory();
  const current = await openPgliteInMemory();
  await migrateUp(released.db, until(RELEASED));
  await migrateUp(current.db, all);
  return { released, current };
}

Deno.test("processes of the release before read and write the migrated database: expand first, contract a release later", async (t) => {
  const both = await schemas();
  await using released = both.released;
  await using current = both.current;
  const before = await readColumns(released.db);
  const now = new Map((await readColumns(current.db)).map((it) => [`${it.table}.${it.name}`, it]));
  assert(before.length > 200, "the columns were found");

  await t.step("each named column exists with its type, and accepts the same values", () => {
    const wrong = before.flatMap(({ table, name, type, isNullable }) => {
      const column = now.get(`${table}.${name}`);
      if (!column) return [`${table}.${name} is gone`];
      if (column.type !== type) return [`${table}.${name} was ${type} and is ${column.type}`];
      return isNullable && !column.isNullable ? [`${table}.${name} takes no null any more`] : [];
    });
    assertEquals(wrong, []);
  });

  await t.step("a column they do not know fills itself", () => {
    const tables = new Set(before.map((it) => it.table));
    const known = new Set(before.map((it) => `${it.table}.${it.name}`));
    const needed = [...now].filter(([name, it]) =>
      tables.has(it.table) && !known.has(name) && !it.isNullable && !it.isFilled
    );
    assertEquals(needed.map(([name]) => name), []);
  });

  await t.step("no new limit refuses their rows", async () => {
    const tables = new Set(before.map((it) => it.table));
    const had = new Set(await readLimits(released.db));
    const added = (await readLimits(current.db)).filter((it) =>
      !had.has(it) && tables.has(it.split(":")[0] ?? "")
    );
    assertEquals(added, []);
  });

  await t.step("statements over all their columns are understood", async () => {
    for (const table of new Set(before.map((it) => it.table))) {
      const names = before.filter((it) => it.table === table).map((it) => `"${it.name}"`);
      await current.db.execute(sql.raw(`explain select ${names} from "${table}"`));
      await current.db.execute(
        sql.raw(`explain update "${table}" set ${names.map((it) => `${it} = ${it}`)} where false`),
      ).catch((error: Error) => {
        if (!/generated column|can only be updated to DEFAULT/.test(String(error.cause ?? error))) {
          throw error;
        }
      });
    }
  });

  await t.step(
    "this release claims a task that a process of the release before wrote",
    async () => {
      const names = before.filter((it) => it.table === "tasks" && !it.isFilled && !it.isNullable)
        .map((it) => it.name);
      assertEquals(new Set(names), new Set(["queue", "name", "payload", "max_attempts"]));
      await current.db.execute(sql`
      insert into tasks (queue, name, payload, max_attempts) values ('polling', 'poll', '{}', 3)`);
      const [row] = getRows<{ state: string; trace: string | null }>(
        await current.db.execute(sql`select state, trace from tasks`),
      );
      assertEquals(row, { state: "ready", trace: null });
    },
  );
});
