import { assert, assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { backupCommand, restoreCommand } from "#src/cli/backup.ts";
import { openBare, openSchema } from "#src/compose/schema.ts";
import { loadConfig } from "#src/config/config.ts";
import { getRows } from "#src/ports/db.ts";
import { CACHE_DIR, deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { contents } from "#tests/support/filled.ts";
import { inFolder } from "#tests/support/folder.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const ROWS = 3_000;
/** A restored copy sends nothing until an operator enables it; this is its only difference from the backup. */
const SENDING_ON = sql`update installations set sending_off_at = null`;
const COMMON = { SECRET_KEY: "k".repeat(40), LANG: "en_GB.UTF-8", CACHE_DIR };

longTest(
  "a restore that is killed halfway leaves a folder that another one fills",
  () =>
    inFolder(async (folder) => {
      const { file, before } = await backedUp(folder);
      const env = { ...COMMON, DATA_DIR: join(folder, "to") };
      await killedHalfway(folder, { file, env });
      assertEquals(await restore(file, env), [0]);
      await using found = await openBare(loadConfig(env));
      await found.db.execute(SENDING_ON);
      assertEquals(await contents(found.db), before);
    }),
);

longTest({
  name: "on a server a killed restore leaves nothing, and of two at once one fills the database",
  ...deps("PostgreSQL", postgresUrl),
  fn: () =>
    inFolder(async (folder) => {
      const { file, before } = await backedUp(folder);
      await using target = await testDatabaseUrl(postgresUrl ?? "");
      await using server = openPostgres(target.url);
      await server.script(
        "drop schema public cascade; drop schema if exists passerelle cascade; create schema public",
      );
      const env = { ...COMMON, DATA_DIR: join(folder, "to"), DATABASE_URL: target.url };
      await killedHalfway(folder, { file, env });
      const others = sql`select 1 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`;
      await until(
        async () => !getRows(await server.db.execute(others)).length,
        "the session of the killed one to end",
      );
      assertEquals(await contents(server.db), { sequences: [] });
      const said: string[] = [];
      const codes = await Promise.all([restore(file, env, said), restore(file, env, said)]);
      assertEquals(codes.flat().toSorted(), [0, 1]);
      assertMatch(said.join("\n"), /database is not empty|Somebody else is making or filling/);
      await server.db.execute(SENDING_ON);
      assertEquals(await contents(server.db), before);
    }),
});

/** Backs up an embedded installation; the backup is larger than a pipe's buffer. */
async function backedUp(folder: string) {
  const env = { ...COMMON, DATA_DIR: join(folder, "from") };
  {
    await using schema = await openSchema(loadConfig(env));
    await schema.up();
  }
  const before = await fill(env);
  const file = join(folder, "all.backup");
  assertEquals(await backupCommand([file], { env, ...quiet }), 0);
  return { file, before };
}

async function fill(env: Record<string, string>) {
  await using database = await openBare(loadConfig(env));
  await database.db.execute(sql`insert into log_entries (at, level, process, event, fields)
    select now(), 'INFO', 'web', 'x', jsonb_build_object('text',
      (select string_agg(md5(n || '-' || m), '') from generate_series(1, 40) m))
    from generate_series(1, ${ROWS}::int) n`);
  return await contents(database.db);
}

const quiet = { out: () => {}, err: () => {} };

/** Returns the exit code of the command, 1 if it throws. */
async function restore(
  file: string,
  env: Record<string, string>,
  said: string[] = [],
): Promise<number[]> {
  const tell = (line: string) => void said.push(line);
  const code = await restoreCommand([file], { env, out: tell, err: tell }).catch((error) => {
    said.push(String(error.message));
    return 1;
  });
  return [code];
}

/** Kills the command while it waits for the second half of the file, which a pipe withholds. */
async function killedHalfway(
  folder: string,
  { file, env }: { file: string; env: Record<string, string> },
): Promise<void> {
  const pipe = join(folder, "pipe");
  await new Deno.Command("mkfifo", { args: [pipe] }).output();
  const args = ["run", "--no-prompt", "--no-check", "-A", "src/cli.ts", "restore", pipe];
  const child = new Deno.Command(process.execPath, { args, env, stdout: "null", stderr: "inherit" })
    .spawn();
  const { size } = await stat(file);
  assert(size > 1_000_000, `only ${size} bytes`);
  const half = await open(pipe, "w"); // exists as soon as the command reads
  for await (const chunk of createReadStream(file, { end: Math.floor(size / 2) })) {
    await half.write(chunk);
  }
  child.kill("SIGKILL");
  assertEquals((await child.output()).signal, "SIGKILL");
  await half.close();
}
