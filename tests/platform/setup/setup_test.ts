import { assert, assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderSpool } from "#src/adapters/fs/spool.ts";
import { migrateUp, type Migration } from "#src/adapters/postgres/migrate.ts";
import { migratedSchema } from "#src/adapters/postgres/schema.ts";
import { shippedMigrations } from "#src/compose/database.ts";
import { setupRoutes } from "#src/platform/setup/routes.ts";
import { runningRoutes } from "#src/platform/setup/running_routes.ts";
import { noCrash } from "#src/kernel/crash_points.ts";
import { getRows } from "#src/ports/db.ts";
import { themes } from "#drizzle/schema/mod.ts";
import { seed } from "#drizzle/seed/seed.ts";
import { ADMIN_PASSWORD, must, startAccess } from "#tests/support/access.ts";
import { deps, embeddedTestDatabase, postgresUrl, testDatabase } from "#tests/support/db.ts";
import { fillTables } from "#tests/support/filled.ts";
import { until } from "#tests/support/until.ts";

const server = deps("PostgreSQL", postgresUrl);

/** Newer than all shipped migrations. Its downgrade removes two columns that the product uses, and empties a table. */
const NEXT: Migration = {
  version: "9990",
  name: "next",
  up: `alter table opened_pools
      add column if not exists closed boolean default false not null;--> statement-breakpoint
    alter table templates add column if not exists secrets text[] default '{}'::text[] not null`,
  down: `alter table opened_pools drop column closed;--> statement-breakpoint
    alter table templates drop column secrets;--> statement-breakpoint
    alter table themes rename to old_themes;--> statement-breakpoint
    create table themes (like old_themes);--> statement-breakpoint
    drop table old_themes;--> statement-breakpoint
    alter table themes add constraint themes_name_key_pk primary key (name, key)`,
};

async function startSetup() {
  const folder = await mkdtemp(join(tmpdir(), "passerelle-spool-"));
  const migrations = [...await shippedMigrations(), NEXT];
  const schema = migratedSchema(migrations, async () => {
    const scratch = await embeddedTestDatabase();
    await migrateUp(scratch.db, migrations);
    return scratch;
  });
  const database = await testDatabase(postgresUrl);
  await migrateUp(database.db, migrations);
  const installation = {
    isEmbedded: () => Promise.resolve(false),
    open: () => Promise.reject(new Error("unused")),
    freeze: () => Promise.reject(new Error("unused")),
    moveTo: () => Promise.reject(new Error("unused")),
  };
  const it = await startAccess({
    on: database,
    schema,
    routes: (deps) => [
      setupRoutes({ ...deps, crash: noCrash, schema, installation, spool: folderSpool(folder) }),
      runningRoutes({
        ...deps,
        examine: async function* () {},
        schema,
        spool: folderSpool(folder),
      }),
    ],
  });
  await seed(it.database.db, { sandbox: false });
  return {
    ...it,
    schema,
    folder,
    async [Symbol.asyncDispose]() {
      await it[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

Deno.test({
  name:
    "the whole database is copied for holders of * alone, whatever else a user may do in the setup",
  ...server,
  async fn() {
    await using it = await startSetup();
    const copy = (token: string) => it.call("GET", "/api/setup/backup", { token });
    const { token } = await it.userWith("operator", ["setup:read", "setup:write", "users:write"]);
    const refused = await copy(token);
    assertEquals([refused.status, refused.body.permission], [403, "*"]);
    const answer = await it.request("GET", "/api/setup/backup", { token: it.admin });
    assertEquals(answer.status, 200);
    assertMatch(await answer.text(), /^\{"format":"passerelle-backup-1"[^\n]*\n/);
  },
});

Deno.test({
  name:
    "the deployed version tells its migrations, and what somebody changed in the schema by hand",
  ...server,
  async fn() {
    await using it = await startSetup();
    const { db } = it.database;
    const read = async () =>
      (await must(it.call("GET", "/api/setup/current", { token: it.admin }), 200)).body;
    const before = await read();
    assertEquals(before.drift, { lacks: [], more: [] });
    assertEquals([before.schema, before.status, before.database], [
      before.latest,
      "success",
      "server",
    ]);
    assertEquals(before.items[0].MIG_VERSION, "0001");
    assertEquals(
      new Set(before.items.map((row: { MIG_STATE: string }) => row.MIG_STATE)),
      new Set(["applied"]),
    );
    await db.execute(sql`alter table themes add column own integer default 7`);
    await db.execute(sql`drop index log_entries_age`);
    const after = await read();
    assertEquals(after.drift.more, ["column public.themes.own integer default 7"]);
    assertMatch(after.drift.lacks.join(), /^index CREATE INDEX log_entries_age/);
    const revision = await must(
      it.call("POST", "/api/setup/revision?name=mended", { token: it.admin }),
      200,
    );
    const [{ REV_NAME, REV_FINGERPRINT, REV_BY }] = revision.body.items;
    assertEquals([REV_NAME, REV_FINGERPRINT, REV_BY], ["mended", after.fingerprint, "admin"]);
    assertEquals(revision.body.drift, after.drift);
  },
});

Deno.test({
  name:
    "a downgrade that would lose data says what and changes nothing; forced, it is done, and an upgrade comes back",
  ...server,
  async fn() {
    await using it = await startSetup();
    const { db } = it.database;
    const shipped = (await shippedMigrations()).at(-1)?.version ?? "";
    await db.execute(
      sql`insert into opened_pools (name, opened_by, closed) values ('erp', 'ann', true)`,
    );
    const post = (path: string) => it.call("POST", `/api/setup/${path}`, { token: it.admin });
    const refused = await post(`downgrade/${shipped}`);
    assertEquals([refused.status, refused.body.status], [409, "failed"]);
    const losses = refused.body.losses as { table: string; column?: string; rows: number }[];
    assertEquals(losses.map(({ table, column }) => [table, column]), [
      ["themes", undefined],
      ["opened_pools", "closed"],
      ["templates", "secrets"],
    ]);
    assertEquals(losses[0]?.rows, await db.$count(themes));
    assertEquals(losses[1]?.rows, 1);
    assertMatch(refused.body.message, /Version \d{4} has no place for .*\?force=true/);
    assertEquals((await post("upgrade")).body.items, []);
    const forced = await must(post(`downgrade/${shipped}?force=true`), 200);
    assertEquals([forced.body.schema, forced.body.items.length], [shipped, 1]);
    const older = await it.call("GET", "/api/templates", { token: it.admin });
    assertEquals([older.status, older.headers.get("retry-after")], [503, "60"]);
    assertMatch(older.body.error, /^The database has an older schema \(9990 missing\)/);
    const up = await must(post("upgrade"), 200);
    assertEquals(
      up.body.items.map((row: { MIG_VERSION: string }) => row.MIG_VERSION),
      forced.body.items.map((row: { MIG_VERSION: string }) => row.MIG_VERSION).reverse(),
    );
    const { drift } = (await it.call("GET", "/api/setup/current", { token: it.admin })).body;
    assertEquals(drift, { lacks: [], more: [] });
    assert(await db.$count(themes) > 5, "the catalogue is there without another start");
    for (const version of ["0500", "9999", "12345", "..%2Fx", "-1", "0001'--", "latest"]) {
      const { status } = await post(`downgrade/${version}`);
      assert([404, 422].includes(status), `${version}: ${status}`);
    }
    const entries =
      (await it.call("GET", "/admin/audit?event=schema", { token: it.admin })).body.entries;
    assertEquals(entries.map((row: { event: string }) => row.event), [
      "schema.upgraded",
      "schema.downgraded",
    ]);
  },
});

Deno.test({
  name:
    "what is written while a downgrade begins is counted before it is given up, and no downgrade by the API goes behind the audit",
  ...server,
  async fn() {
    await using it = await startSetup();
    const { db } = it.database;
    const post = (path: string) => it.call("POST", `/api/setup/${path}`, { token: it.admin });
    const written = Promise.withResolvers<void>();
    const waited = Promise.withResolvers<void>();
    const writing = db.transaction(async (tx) => {
      await tx.execute(
        sql`insert into opened_pools (name, opened_by, closed) values ('erp', 'ann', true)`,
      );
      written.resolve();
      await waited.promise;
    });
    await written.promise;
    const answer = post("downgrade/0001");
    await until(async () => {
      const waiting = await db.execute(
        sql`select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
      );
      return getRows(waiting).length > 0;
    }, "the downgrade to wait for the row");
    waited.resolve();
    await writing;
    const { status, body } = await answer;
    assertEquals(status, 409, JSON.stringify(body));
    const losses = body.losses as { table: string; rows: number }[];
    assertEquals(losses.find(({ table }) => table === "opened_pools")?.rows, 1);
    const forced = await post("downgrade/0000?force=true");
    assertEquals(forced.status, 409, JSON.stringify(forced.body));
    assertMatch(forced.body.message, /Version 0000 has no audit .*cli migrate down 0000 --force/);
    const current = (await it.call("GET", "/api/setup/current", { token: it.admin })).body;
    assertEquals(current.schema, current.latest);
  },
});

Deno.test({
  name: "T8 setup and export are for those who hold their codes; on a server nothing is installed",
  ...server,
  async fn() {
    await using it = await startSetup();
    const { token } = await it.userWith("clerk", ["invoices:read", "setup:read", "fmw:read"]);
    const body = { host: "127.0.0.1", port: 5432, database: "x", user: "x", password: "x" };
    for (
      const [method, path, code] of [
        ["POST", "setup/install", "setup:write"],
        ["POST", "setup/upgrade", "setup:write"],
        ["POST", "setup/downgrade/0001", "setup:write"],
        ["POST", "setup/revision", "setup:write"],
        ["GET", "export/repository", "export:read"],
      ] as const
    ) {
      const given = path === "setup/install" ? { body } : {};
      assertEquals((await it.call(method, `/api/${path}`, given)).status, 401, path);
      const denied = await it.call(method, `/api/${path}`, { token, ...given });
      assertEquals([denied.status, denied.body.permission], [403, code]);
    }
    const keeper = await it.userWith("keeper", ["setup:write"]);
    const denied = await it.call("POST", "/api/setup/downgrade/0001?force=true", {
      token: keeper.token,
    });
    assertEquals([denied.status, denied.body.permission], [403, "*"]);
    for (const holder of [it.admin, keeper.token]) {
      const installed = await it.call("POST", "/api/setup/install", { token: holder, body });
      assertEquals([installed.status, installed.body.message], [
        409,
        "The product works on a server already",
      ]);
    }
    for (
      const wrong of [
        {},
        { ...body, port: "5432" },
        { ...body, host: "a b" },
        {
          ...body,
          host: "http://x",
        },
        { ...body, more: 1 },
        { ...body, port: 0 },
        { ...body, database: "" },
        {
          ...body,
          ssl: { mode: "maybe" },
        },
        { ...body, ssl: { mode: "verify-ca" } },
        {
          ...body,
          ssl: { mode: "verify-full", ca_file: "../ca.pem" },
        },
      ]
    ) {
      const answer = await it.call("POST", "/api/setup/install", { token: it.admin, body: wrong });
      assertEquals([answer.status, Array.isArray(answer.body.detail)], [422, true]);
    }
  },
});

Deno.test({
  name:
    "E4 the repository is told whole and of one moment, without a secret; whoever is no administrator gets business data alone",
  ...server,
  async fn() {
    await using it = await startSetup();
    const secret = "hush-of-the-template";
    await must(
      it.call("PUT", "/api/templates/e-invoicing", {
        token: it.admin,
        body: {
          name: "e-invoicing",
          type: "system",
          properties: { URL: "https://pa.example", token: secret },
        },
      }),
      200,
    );
    const { token } = await it.userWith("exporter", ["export:read"]);
    const filled = await fillTables(it.database.db);
    const response = await it.request("GET", "/api/export/repository", { token: it.admin });
    const text = await response.text();
    assertEquals(response.status, 200);
    const { items, status, count } = JSON.parse(text);
    assertEquals([status, count], ["success", items.length]);
    const names = getRows<{ name: string }>(
      await it.database.db.execute(sql`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'`),
    ).map(({ name }) => name);
    assertEquals(items.map((row: { TABLE_NAME: string }) => row.TABLE_NAME).sort(), names.sort());
    for (const table of items) {
      assertEquals(table.ROWS.length, table.ROW_COUNT);
      if (filled.includes(table.TABLE_NAME)) assert(table.ROW_COUNT > 0, table.TABLE_NAME);
      const columns = table.COLUMNS.map((column: { NAME: string }) => column.NAME);
      for (const row of table.ROWS) assertEquals(Object.keys(row), columns);
    }
    const [stored] = getRows<{ hash: string; sealed: string; jwk: string }>(
      await it.database.db.execute(sql`
      select (select password_hash from users where username = 'admin') hash,
        (select properties ->> 'token' from templates where name = 'e-invoicing') sealed,
        (select private_jwk from signing_keys where private_jwk like 'ENC:%' and length(private_jwk) > 50 limit 1) jwk`),
    );
    for (
      const given of [
        secret,
        ADMIN_PASSWORD,
        stored?.hash,
        stored?.sealed.slice(4),
        stored?.jwk.slice(4),
        "c2VhbGVk",
      ]
    ) {
      if (!given || given.length < 5) throw new Error("no secret");
      assert(!text.includes(given), `${given} is told`);
    }
    assert(!/ENC:[A-Za-z0-9]/.test(text));
    const some = JSON.parse(
      await (await it.request("GET", "/api/export/repository", { token })).text(),
    );
    const withheld = some.items.filter((row: { WITHHELD: string }) => row.WITHHELD === "Y");
    const open = some.items.filter((row: { WITHHELD: string }) => row.WITHHELD === "N");
    assertEquals(open.map((row: { TABLE_NAME: string }) => row.TABLE_NAME), [
      "applications",
      "findings",
      "invoice_lines",
      "invoice_vat",
      "invoices",
      "modules",
      "runs",
      "themes",
    ]);
    assert(open.every((row: { ROW_COUNT: number }) => row.ROW_COUNT > 0));
    assertEquals(some.items.length, withheld.length + open.length);
    assert(withheld.every((row: { ROW_COUNT: number }) => row.ROW_COUNT === 0));
    assertEquals(await readdir(it.folder), [], "nothing is left behind");
  },
});

Deno.test({
  name:
    "an export is made for who reads it: not for HEAD, no third one while two are fetched, and none that the audit does not tell of",
  ...server,
  async fn() {
    await using it = await startSetup();
    const path = "/api/export/repository";
    const ask = (method: "GET" | "HEAD") => it.request(method, path, { token: it.admin });
    const report = async () =>
      (await it.call("GET", "/admin/audit?event=repository", { token: it.admin })).body.entries
        .length;
    const head = await ask("HEAD");
    assertEquals([
      head.status,
      head.headers.get("content-type"),
      head.headers.get("content-length"),
    ], [
      200,
      "application/json",
      null,
    ]);
    assertEquals(await report(), 0);
    await it.database.db.execute(sql`insert into log_entries (at, level, process, event, fields)
      select now(), 'INFO', 'p', 'x', jsonb_build_object('text', repeat('x', 1000)) from generate_series(1, 2000)`);
    const readers = [await ask("GET"), await ask("GET")];
    const third = await it.call("GET", path, { token: it.admin });
    assertEquals(third.status, 429, JSON.stringify(third.body));
    for (const reader of readers) await reader.body?.cancel();
    await until(async () => {
      const next = await ask("GET");
      await next.body?.cancel();
      return next.status === 200;
    }, "the readers to have left");
    const before = await report();
    await it.database.db.execute(
      sql`alter table audit_log add constraint closed check (event <> 'repository.exported') not valid`,
    );
    for (let at = 0; at < 4; at++) {
      const failed = await ask("GET");
      await failed.body?.cancel();
      assertEquals(failed.status, 500, "each leaves its place to the next");
    }
    assertEquals(await report(), before);
  },
});
