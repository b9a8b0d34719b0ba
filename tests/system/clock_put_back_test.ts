import { assert, assertEquals, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { startPglite } from "#src/adapters/pglite/client.ts";
import { migrateUp } from "#src/adapters/postgres/migrate.ts";
import { markClock } from "#src/adapters/postgres/clock_mark.ts";
import { shippedMigrations } from "#src/compose/database.ts";
import { sql } from "drizzle-orm";
import { type Db, getRows } from "#src/ports/db.ts";
import { deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

/** Sets the rows to the state that a clock three days ahead leaves. */
const AHEAD = `
  update tasks set run_at = run_at + interval '3 days', lease_until = lease_until + interval '3 days',
    relayed_at = relayed_at + interval '3 days', created_at = created_at + interval '3 days';
  update pa_cursors set lease_until = lease_until + interval '3 days', started_at = started_at + interval '3 days',
    covers_until = covers_until + interval '3 days';
  update breakers set until = until + interval '3 days';
  update clock_marks set seen_at = seen_at + interval '3 days'`;

/** The broker stores milliseconds. */
const BROKER_AHEAD = `
  update bullmq.job set locked_until_ms = locked_until_ms + 259200000;
  update bullmq.meta set value = (value::bigint + 259200000)::text where field = 'stalled-check'`;

longTest(
  "an embedded product whose clock was three days ahead sends all its invoices once the clock is corrected",
  () =>
    inFolder(async (dataDir) => {
      const settings = { DATA_DIR: dataDir, POLL_SECONDS: "1", PA_SETTLE_MS: "0" };
      {
        await using product = await startProcess("start", settings);
        await writeFile(join(dataDir, "burst.xml"), await erpBurst(12, 940_000));
        const run = fetch(`${product.url}/api/run`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ template: "R42565", file: "burst.xml", mode: "BURST" }),
        }).catch(() => {});
        const hasInvoices = async () =>
          (await (await fetch(`${product.url}/api/invoices`)).json()).total > 0;
        await until(hasInvoices, "an invoice");
        await product.stop("SIGKILL");
        await run;
      }
      const folder = join(dataDir, ".passerelle", "db");
      const client = await startPglite({ folder, parameters: [] });
      await client.exec(`${AHEAD}; ${BROKER_AHEAD}`);
      const { rows } = await client.query("select 1 from tasks where run_at > now()");
      assert(rows.length > 0, "work is left");
      await client.close();

      {
        await using product = await startProcess("start", settings);
        await until(
          async () =>
            (await (await fetch(`${product.url}/api/invoices?status=10`)).json()).total === 12,
          "all twelve to be deposited",
        );
        assertMatch(product.output(), /"event":"clock\.put_back","seconds":25[89]\d{3}/);
        const metrics = await (await fetch(`${product.url}/metrics`)).text();
        assertMatch(metrics, /^passerelle_clock_put_back_seconds 25[89]\d{3}/m);
        await product.stop();
      }
      const doctor = ["run", "--no-prompt", "--no-check", "-A", "src/cli.ts", "doctor"];
      const { stdout } = spawnSync(process.execPath, doctor, {
        cwd: join(import.meta.dirname ?? ".", "..", ".."),
        env: { ...process.env, AUTH: "off", DATA_DIR: dataDir, LANG: "en_US.UTF-8", NO_COLOR: "1" },
        encoding: "utf8",
      });
      assertMatch(stdout, /clock was put back by 25[89]\d{3} s/);
    }),
);

longTest({
  name:
    "on PostgreSQL due times, leases and pauses move back with the clock, once, and those of the past stay",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    const own = await testDatabaseUrl(postgresUrl ?? "");
    await using database = openPostgres(own.url, { max: 2 });
    const { db } = database;
    await migrateUp(db, await shippedMigrations());
    await markClock(db);
    await db.execute(sql`
      insert into tasks (queue, name, payload, state, max_attempts, run_at, lease_until, relayed_at) values
        ('q', 'waits an hour', '{}', 'ready', 1, now() + interval '1 hour', null, null),
        ('q', 'due', '{}', 'ready', 1, now(), null, now()),
        ('q', 'held', '{}', 'running', 1, now(), now() + interval '30 s', null)`);
    await db.execute(
      sql`insert into breakers (name, until) values ('pa', now() + interval '1 minute')`,
    );
    await database.script(AHEAD);
    await markClock(db);
    const expected = ["due 0 0", "held 0 30", "waits an hour 3600 0"];
    assertEquals(await secondsAhead(db), expected);
    await markClock(db);
    assertEquals(await secondsAhead(db), expected);
  },
});

/** Returns for each task the seconds until it is due and until its lease ends, rounded to ten. */
async function secondsAhead(db: Db): Promise<string[]> {
  const tens = (column: string) =>
    sql.raw(`coalesce(round(extract(epoch from ${column} - now()) / 10)::int * 10, 0)`);
  return getRows<{ it: string }>(
    await db.execute(sql`
      select name || ' ' || greatest(${tens("run_at")}, 0) || ' ' || greatest(${
      tens("lease_until")
    }, 0) as it
      from tasks order by name`),
  ).map(({ it }) => it);
}
