import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { fileURLToPath } from "node:url";
import { systemClock } from "#src/adapters/clock/system.ts";
import { type Migration, readMigrations } from "#src/adapters/postgres/migrate.ts";
import { migratedSchema } from "#src/adapters/postgres/schema.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { downgrade, type Loss } from "#src/platform/setup/mod.ts";
import { schemaLines, type StoredColumn, storedColumns } from "#src/platform/setup/schema_store.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { emptyDatabase, postgresUrl } from "#tests/support/db.ts";
import { fillTables } from "#tests/support/filled.ts";
import { longTest } from "#tests/support/long.ts";

const MIGRATIONS = fileURLToPath(new URL("../../../drizzle/migrations/", import.meta.url));
/** Newer than all shipped migrations: it renames a table, and adds a column and a table. */
const NEXT: Migration = {
  version: "9990",
  name: "next",
  up: `alter table opened_pools rename to pools_in_use;--> statement-breakpoint
    alter table themes add column own text default 'x' not null;--> statement-breakpoint
    create table carts (id int)`,
  down: `drop table carts;--> statement-breakpoint
    alter table themes drop column own;--> statement-breakpoint
    alter table pools_in_use rename to opened_pools`,
};
const by = { username: "walker", roles: [], permissions: permissionSet(["*"]) };

/** Columns that a migration may fill again from other columns. */
const DERIVED: ReadonlySet<string> = new Set(["invoices.search_text"]);

/**
 * A change between two versions runs through all versions in between, in one transaction. So two properties are enough.
 * Each step keeps the rows that both versions support. Each version has the same schema whether it is reached upwards
 * or downwards.
 */
longTest(
  "with rows in its tables each version migrates to its neighbours and back, keeps common data, and announces losses",
  async () => {
    await using database = await emptyDatabase(postgresUrl);
    const { db } = database;
    const migrations = [...await readMigrations(MIGRATIONS), NEXT];
    const schema = migratedSchema(migrations, () => Promise.reject(new Error("unused")));
    const versions = ["0000", ...migrations.map(({ version }) => version)];
    const made = new Map<string, readonly string[]>();
    const filled = new Set<string>();
    let now = await keptIn(db);
    const step = async (where: string, losses: readonly Loss[] = []) => {
      const after = await keptIn(db);
      sameKept({ before: now, after, losses, where });
      now = after;
    };
    const climb = async (version: string) => {
      assertEquals(await schema.up(db, { to: version }), [version]);
      await step(`up to ${version}`);
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
      await step(`down from ${version}`, losses);
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
  },
);

/** Columns with all their values, by the property that survives renaming. */
type Kept = ReadonlyMap<
  string,
  { readonly column: StoredColumn; readonly values: readonly string[] }
>;

/** Rows that downgrades and upgrades write themselves. */
const OWN = new Set(["audit_log", "schema_migrations"]);
/** Stands for a missing value. */
const NONE = "\x07";

async function keptIn(db: Db): Promise<Kept> {
  const kept = new Map<string, { column: StoredColumn; values: string[] }>();
  const columns = (await storedColumns(db)).filter(({ table }) => !OWN.has(table));
  for (const table of new Set(columns.map((it) => it.table))) {
    const own = columns.filter((it) => it.table === table);
    const texts = own.map(({ column }) => sql`coalesce(${sql.identifier(column)}::text, ${NONE})`);
    const rows = getRows<{ line: string[] }>(
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

/** Asserts that data not reported as lost are unchanged. */
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
    const lost = losses.filter((it) => it.table === table);
    const isOfRows = lost.some((it) => it.column === undefined);
    const now = after.get(key);
    if (!tables.has(tableId)) {
      assertEquals(lost.map(({ rows }) => rows), values.length ? [values.length] : [], place);
    } else if (!now) {
      const isEmpty = values.every((it) => it === NONE);
      const isTold = isOfRows || lost.some((it) => it.column === column);
      assert(isEmpty || isTold, `${place} is lost untold`);
    } else if (!isOfRows && !DERIVED.has(`${table}.${column}`)) {
      assertEquals(now.values, values, place);
    }
  }
}
