import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { fileURLToPath } from "node:url";
import { systemClock } from "#src/adapters/clock/system.ts";
import { readMigrations } from "#src/adapters/postgres/migrate.ts";
import { migratedSchema } from "#src/adapters/postgres/schema.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { downgrade, type Loss } from "#src/features/setup/mod.ts";
import { schemaLines, type StoredColumn, storedColumns } from "#src/features/setup/schema_store.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";
import { emptyDatabase, postgresUrl } from "#tests/support/db.ts";
import { fillTables } from "#tests/support/filled.ts";

const MIGRATIONS = fileURLToPath(new URL("../../../drizzle/migrations/", import.meta.url));
/** What a step makes anew from what there is, or moves elsewhere: nobody's words are lost. */
const REMADE: readonly string[] = [
  "up to 0160: invoices.search_text",
  "up to 0320: schedule_runs",
  "up to 0660: invoice_group_counts",
  "up to 0660: invoice_values",
  "down from 0660: invoice_group_counts",
  "down from 0660: invoice_values",
];
const by = { username: "walker", roles: [], permissions: permissionSet(["*"]) };

/**
 * From every version to every other is a walk over the versions between, in one transaction. So it is enough that each step, with
 * rows in the tables, keeps what both versions have, and that a version is the same schema whichever way it was come to: up through
 * all of them, each with rows of its own, and then from each down, up and down again.
 */
Deno.test("with rows in its tables each version goes to its neighbours and back, keeps what both have, and says before what the lower one has no place for", async () => {
  await using database = await emptyDatabase(postgresUrl);
  const { db } = database;
  const migrations = await readMigrations(MIGRATIONS);
  const schema = migratedSchema(migrations, () => Promise.reject(new Error("unused")));
  const versions = ["0000", ...migrations.map(({ version }) => version)];
  const made = new Map<string, readonly string[]>();
  const filled = new Set<string>();
  let now = await keptIn(db);
  const stepped = async (where: string, losses: readonly Loss[] = []) => {
    const after = await keptIn(db);
    sameKept({ before: now, after, losses, where });
    now = after;
  };
  const climb = async (version: string) => {
    assertEquals(await schema.up(db, { to: version }), [version]);
    await stepped(`up to ${version}`);
  };
  const descend = async (version: string, below: string) => {
    const go = (force: boolean) =>
      downgrade({ clock: systemClock, db, schema }, {
        target: below,
        force,
        by,
        behindAudit: true,
      });
    const losses = await go(false).then(() => [], (error) => {
      assert(error instanceof AppError && error.code === "conflict", String(error));
      return error.details?.["losses"] as Loss[];
    });
    if (losses.length) assertEquals(await go(true), [version]);
    await stepped(`down from ${version}`, losses);
    assertEquals(await schemaLines(db), made.get(below) ?? [], `${below} from above`);
  };
  for (const version of versions.slice(1)) {
    await climb(version);
    made.set(version, await schemaLines(db));
    for (const table of await fillTables(db, 2, (table) => !filled.has(table))) filled.add(table);
    now = await keptIn(db);
  }
  assert(filled.size > 50, `only ${filled.size} tables had rows`);
  for (let at = versions.length - 1; at > 0; at--) {
    const [version, below] = [versions[at] ?? "", versions[at - 1] ?? ""];
    await descend(version, below);
    await climb(version);
    assertEquals(await schemaLines(db), made.get(version), `${version} from below`);
    await descend(version, below);
  }
});

/** Columns by what stays when they are renamed, with all their values. */
type Kept = ReadonlyMap<
  string,
  { readonly column: StoredColumn; readonly values: readonly string[] }
>;

/** What downgrades and upgrades write of themselves. */
const OWN = new Set(["audit_log", "schema_migrations"]);
/** Stands for no value. */
const NONE = "\x07";

async function keptIn(db: Db): Promise<Kept> {
  const kept = new Map<string, { column: StoredColumn; values: string[] }>();
  const columns = (await storedColumns(db)).filter(({ table }) => !OWN.has(table));
  for (const table of new Set(columns.map((it) => it.table))) {
    const own = columns.filter((it) => it.table === table);
    const texts = own.map(({ column }) => sql`coalesce(${sql.identifier(column)}::text, ${NONE})`);
    const rows = rowsOf<{ line: string[] }>(
      await db.execute(
        sql`select json_build_array(${sql.join(texts, sql`, `)}) as line from ${
          sql.identifier(table)
        }`,
      ),
    );
    own.forEach((column, at) => {
      const values = rows.map(({ line }) => line[at] ?? "").sort();
      kept.set(`${column.tableId} ${column.number}`, { column, values });
    });
  }
  return kept;
}

/** What is not told as lost is there as it was. */
function sameKept(
  { before, after, losses, where }: {
    before: Kept;
    after: Kept;
    losses: readonly Loss[];
    where: string;
  },
): void {
  const tables = new Set([...after.values()].map(({ column }) => column.tableId));
  for (const [key, { column: { table, column, tableId }, values }] of before) {
    const place = `${where}: ${table}.${column}`;
    if (REMADE.includes(place) || REMADE.includes(`${where}: ${table}`)) continue;
    const lost = losses.filter((it) => it.table === table);
    const isOfRows = lost.some((it) => it.column === undefined);
    const now = after.get(key);
    if (!tables.has(tableId)) {
      assertEquals(lost.map(({ rows }) => rows), values.length ? [values.length] : [], place);
    } else if (!now) {
      const isEmpty = values.every((it) => it === NONE);
      const isTold = isOfRows || lost.some((it) => it.column === column);
      assert(isEmpty || isTold, `${place} is lost untold`);
    } else if (!isOfRows) assertEquals(now.values, values, place);
  }
}
