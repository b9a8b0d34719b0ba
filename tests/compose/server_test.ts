import { assertEquals, assertRejects } from "@std/assert";
import postgres from "postgres";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { openSchema } from "#src/compose/schema.ts";
import { reachServer } from "#src/compose/server.ts";
import { loadConfig } from "#src/config/config.ts";
import { AppError } from "#src/kernel/errors.ts";
import { deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";

async function toRefusal(url: string): Promise<AppError> {
  await using database = openPostgres(url, { max: 1, connectMs: 2_000 });
  return await assertRejects(() => reachServer(database.db, url), AppError);
}

Deno.test({
  name: "a start on a database that will not do says which one, and why",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    const url = new URL(postgresUrl ?? "");
    const { host } = url;
    await using home = await testDatabaseUrl(url.href);
    await using database = openPostgres(home.url, { max: 1 });
    await reachServer(database.db, home.url);

    url.pathname = "/nowhere";
    const absent = await toRefusal(url.href);
    assertEquals([absent.code, absent.message], [
      "unavailable",
      `The database ${host}/nowhere cannot be reached, or does not let this user in (database "nowhere" does not exist)`,
    ]);
    const silent = await toRefusal("postgres://x:secret@127.0.0.1:1/x");
    assertEquals(
      silent.message,
      "The database 127.0.0.1:1/x cannot be reached, or does not let this user in (connect ECONNREFUSED 127.0.0.1:1)",
    );

    const name = `t_${crypto.randomUUID().slice(0, 8)}`;
    const admin = postgres(home.url, { max: 1, onnotice: () => {} });
    try {
      await admin.unsafe(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
      await admin.unsafe(`create role ${name} login password 'poor'`);
      url.pathname = `/${name}`;
      assertEquals(
        (await toRefusal(url.href)).message,
        `The database ${host}/${name} holds texts as LATIN1; it has to be made with UTF8`,
      );
      await admin.unsafe(`drop database ${name}`);
      await admin.unsafe(`create database ${name} encoding 'UTF8' template template0`);
      Object.assign(url, { username: name, password: "poor" });
      assertEquals(
        (await toRefusal(url.href)).message,
        `The user ${name} may make no tables in ${host}/${name}; it has to own this database`,
      );
      const config = loadConfig({ DATABASE_URL: url.href, SECRET_KEY: "k".repeat(40) });
      await assertRejects(() => openSchema(config), AppError, "may make no tables");
      await admin.unsafe(`alter database ${name} set default_transaction_read_only = on`);
      assertEquals(
        (await toRefusal(url.href)).message,
        `The database ${host}/${name} takes no writes: it is a copy for reading, or was set so`,
      );
    } finally {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.unsafe(`drop role if exists ${name}`);
      await admin.end();
    }
  },
});
