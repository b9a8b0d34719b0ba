import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { backupCommand, restoreCommand } from "#src/cli/backup.ts";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { launchProcess, type ProductProcess, startProcess } from "#tests/support/processes.ts";
import { startTlsPostgres } from "#tests/support/tls_doors.ts";
import { until } from "#tests/support/until.ts";
import { inFolder, newDataFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";

const PASSWORD = "hush-of-the-server";

/** Creates an empty database on the server, and the product's configuration for it. */
async function emptyDatabase() {
  const admin = postgres(postgresUrl ?? "", { max: 1, onnotice: () => {} });
  const name = `passerelle_test_${crypto.randomUUID().replaceAll("-", "")}`;
  await admin.unsafe(`create database ${name}`);
  const { hostname, port, username } = new URL(postgresUrl ?? "");
  const url = Object.assign(new URL(postgresUrl ?? ""), { pathname: name }).href;
  return {
    admin,
    url,
    address: {
      host: hostname,
      port: Number(port || 5432),
      database: name,
      user: username || "postgres",
      password: PASSWORD,
    },
    async [Symbol.asyncDispose]() {
      await admin.unsafe(`drop database ${name} with (force)`);
      const reader = "select rolname from pg_roles where rolname like 'passerelle_reader_%'";
      await admin.unsafe(`do $$ declare r text; begin
        for r in ${reader} and not exists (select from pg_shdepend d join pg_roles p on p.oid = d.refobjid where p.rolname = pg_roles.rolname) loop
          execute format('drop role if exists %I', r);
        end loop; end $$`);
      await admin.end();
    },
  };
}

longTest({
  name:
    "an embedded installation moves to a server whole, however often it is killed on the way, and works there from the next start on",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using target = await emptyDatabase();
    const dataDir = await newDataFolder();
    try {
      const environment = { DATA_DIR: dataDir, SANDBOX_PA: "off", POLL_SECONDS: "0" };
      await refuseOthers(environment, target.address);
      for (const label of ["setup.beforeCommit", "setup.afterCommit"]) {
        await using life = await startProcess("start", { ...environment, CRASH_AT: `${label}:1` });
        assertEquals(await standing(life), "embedded");
        assertEquals(await write(life, label), 200);
        await install(life, target.address).catch(() => {});
        await until(() => life.child.signalCode !== null, `${label} to be died at`);
      }
      {
        await using life = await startProcess("start", environment);
        assertEquals(await standing(life), "embedded");
        assertEquals(await write(life, "late"), 200);
        const done = await install(life, target.address);
        const body = await done.json();
        assertEquals([done.status, body.status], [200, "success"], JSON.stringify(body));
        assert(body.items.length > 40);
        assertEquals(await standing(life), "moved");
        const late = await written(life, "too_late");
        assertEquals(late.status, 503);
        assertMatch(
          (await late.json()).error,
          /is read-only: .* moving to a server/,
        );
        const again = await install(life, target.address);
        assertEquals([again.status, (await again.json()).status], [409, "failed"]);
        await life.stop();
      }
      const kept = join(dataDir, ".passerelle", "database.json");
      assert(!(await readFile(kept, "utf8")).includes(PASSWORD));
      assertEquals((await stat(kept)).mode & 0o777, 0o600);
      await using life = await startProcess("start", environment);
      assertEquals(await standing(life), "server");
      const names = await templates(life);
      for (const name of ["setup.beforeCommit", "setup.afterCommit", "late"]) {
        assert(names.includes(name), `${name} of ${names}`);
      }
      assert(!names.includes("too_late"));
      assertEquals(await write(life, "on_the_server"), 200);
      const more = await install(life, target.address);
      assertEquals(more.status, 409);
      await more.body?.cancel();
      const { entries } = await json(life, "/admin/audit?event=setup.installed");
      assertEquals(entries.length, 1);
      assert(!JSON.stringify(entries).includes(PASSWORD));
      const { drift } = await json(life, "/api/setup/current");
      assertEquals(drift, { lacks: [], more: [] });
      // A database on a server can be read in parallel with the product. A full database accepts no other installation.
      const io = { out: () => {}, err: () => {}, env: environment };
      const file = join(dataDir, "backup.gz");
      assertEquals(await backupCommand([file], io), 0);
      await assertRejects(() => restoreCommand([file], io), Error, "is not empty");
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
});

Deno.test({
  name:
    "T8 the token of the first start moves the installation once, over TLS to a server that proves its name, and opens nothing else",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using target = await emptyDatabase();
    await using door = await startTlsPostgres(postgresUrl ?? "");
    const dataDir = await newDataFolder();
    try {
      const caFile = join(dataDir, "ca.pem");
      await writeFile(caFile, door.cert);
      const environment = { DATA_DIR: dataDir, SANDBOX_PA: "off", POLL_SECONDS: "0" };
      const address = { ...target.address, port: door.port };
      const secured = { ...address, ssl: { mode: "verify-full", ca_file: caFile } };
      const began = { token: "" };
      {
        await using life = await startProcess("start", { ...environment, AUTH: "on" });
        [began.token] = await life.says(/setup-[\w-]{43}/);
        const ask = async (body: object, token?: string) => {
          const answer = await install(life, body, token);
          const text = await answer.text();
          assert(!text.includes(PASSWORD));
          return { status: answer.status, text };
        };
        assertEquals((await ask(secured)).status, 401);
        assertEquals((await ask(secured, `setup-${"x".repeat(43)}`)).status, 401);
        const other = await fetch(`${life.url}/api/setup/upgrade`, {
          method: "POST",
          headers: { authorization: `Bearer ${began.token}` },
        });
        await other.body?.cancel();
        assertEquals(other.status, 401);
        for (
          const [ssl, status, told] of [
            [{ mode: "verify-full" }, 503, /certificate of .* is not trusted/],
            [{ mode: "disable" }, 503, /cannot be reached/],
            [undefined, 503, /cannot be reached/],
            [{ mode: "verify-full", ca_file: "/dev/zero" }, 422, /holds no certificates/],
          ] as const
        ) {
          const refused = await ask({ ...address, ssl }, began.token);
          assertEquals(refused.status, status, refused.text);
          assertMatch(refused.text, told);
        }
        const plain = door.plain();
        const none = { ...target.address, ssl: { mode: "require" } };
        assertMatch((await ask(none, began.token)).text, /speaks no TLS|is not trusted/);
        const done = await ask(secured, began.token);
        assertEquals(done.status, 200, done.text);
        assertEquals(door.plain(), plain);
        const again = await ask(secured, began.token);
        assertEquals(again.status, 409, again.text);
        await life.stop();
      }
      await using life = await startProcess("start", { ...environment, AUTH: "on" });
      await life.says(new RegExp(dataDir)); // the last line of its start
      assert(!life.output().includes("setup-"));
      const used = await install(life, secured, began.token);
      await used.body?.cancel();
      assertEquals(used.status, 401);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
});

Deno.test({
  name: "a process that leaves migrations to the release step says which are missing, and ends",
  ignore: deps("PostgreSQL", postgresUrl).ignore || deps("Redis", redisUrl).ignore,
  fn: () =>
    inFolder(async (folder) => {
      await using target = await emptyDatabase();
      await using early = await launchProcess("web", {
        DATA_DIR: folder,
        DATABASE_URL: target.url,
        REDIS_URL: redisUrl ?? "",
        LC_ALL: "en_GB.UTF-8",
      });
      await until(() => early.hasEnded(), "the process to end");
      assertMatch(
        early.output(),
        /Apply the migrations that are missing \(0001.*deno task migrate/,
      );
      assert(!/\bat .*\.ts:\d/.test(early.output()), early.output());
    }),
});

/** An unsuitable target leaves the installation unchanged and working. */
/** Creates a user who owns nothing, and a database with another encoding. */
async function poorServer(admin: postgres.Sql) {
  const user = `passerelle_poor_${crypto.randomUUID().replaceAll("-", "")}`;
  const latin = `${user}_latin`;
  await admin.unsafe(`create role ${user} login password '${PASSWORD}'`);
  await admin.unsafe(
    `create database ${latin} template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'`,
  );
  return {
    user,
    latin,
    password: PASSWORD,
    async [Symbol.asyncDispose]() {
      await admin.unsafe(`drop database ${latin} with (force)`);
      await admin.unsafe(`drop role ${user}`);
    },
  };
}

async function refuseOthers(
  environment: Record<string, string>,
  address: Awaited<ReturnType<typeof emptyDatabase>>["address"],
): Promise<void> {
  await using used = await emptyDatabase();
  const there = postgres(
    Object.assign(new URL(postgresUrl ?? ""), { pathname: `/${used.address.database}` }).href,
    { max: 1 },
  );
  await there`create table theirs (id int)`;
  await using poor = await poorServer(used.admin);
  await there.end();
  await using life = await startProcess("start", environment);
  for (
    const [to, status, told] of [
      [used.address, 409, /not empty/],
      [{ ...address, port: 1 }, 503, /cannot be reached/],
      [{ ...address, database: "nowhere_at_all" }, 503, /cannot be reached/],
      [{ ...address, user: poor.user, password: poor.password }, 422, /may make no tables/],
      [{ ...address, database: poor.latin }, 422, /LATIN1/],
    ] as const
  ) {
    const answer = await install(life, to);
    const text = await answer.text();
    assertEquals(answer.status, status, text);
    assertMatch(text, told);
    assert(!text.includes("Internal error"));
    assert(!text.includes(PASSWORD));
  }
  const other = postgres(
    Object.assign(new URL(postgresUrl ?? ""), { pathname: `/${address.database}` }).href,
    { max: 1 },
  );
  await other.begin(async (filling) => {
    await filling`select pg_advisory_xact_lock(728101)`; // the lock of a process that creates the schema
    const answer = await install(life, address);
    assertMatch(await answer.text(), /Somebody else is making or filling the tables/);
    assertEquals(answer.status, 409);
  });
  await other.end();
  assertEquals(await write(life, "still_embedded"), 200);
  await life.stop();
}

function install({ url }: ProductProcess, address: object, token?: string): Promise<Response> {
  return fetch(`${url}/api/setup/install`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "accept-language": "en",
      ...token !== undefined && { authorization: `Bearer ${token}` },
    },
    body: JSON.stringify(address),
  });
}

async function json({ url }: ProductProcess, path: string) {
  const answer = await fetch(url + path, { headers: { "accept-language": "en" } });
  return await answer.json();
}

async function standing(life: ProductProcess): Promise<string> {
  return (await json(life, "/api/setup/current")).database;
}

/** Writes something; resolves to the status. */
async function write(life: ProductProcess, name: string): Promise<number> {
  const answer = await written(life, name);
  await answer.body?.cancel();
  return answer.status;
}

function written({ url }: ProductProcess, name: string): Promise<Response> {
  return fetch(`${url}/api/templates`, {
    method: "POST",
    headers: { "content-type": "application/json", "accept-language": "en" },
    body: JSON.stringify({
      name,
      type: "document",
      properties: { transform: "%APP_HOME%/R42565.xsl" },
    }),
  });
}

async function templates(life: ProductProcess): Promise<string[]> {
  const found = await json(life, "/api/templates");
  return (found.templates ?? found.items ?? found).map((it: { name: string }) => it.name);
}
