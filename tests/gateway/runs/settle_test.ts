import { say } from "#src/kernel/i18n/sentence.ts";
import { assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { runItems, runs } from "#drizzle/schema/mod.ts";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import { settlingRuns } from "#src/gateway/runs/mod.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";
import { deps, postgresUrl, testDatabase } from "#tests/support/db.ts";
import { silentLog } from "#tests/support/log.ts";

async function runOf(db: Db, items: readonly ItemState[]): Promise<string> {
  const id = crypto.randomUUID();
  const source = {
    file: "a.xml" as ConfinedPath,
    sourceType: "xml",
    mode: "BURST",
    jobNumber: "1",
  } as const;
  await db.insert(runs).values({ id, ...source, state: "processing", total: items.length });
  await db.insert(runItems).values(items.map((state, index) => ({
    runId: id,
    index,
    line: 1,
    offset: 0,
    length: 1,
    doc: String(7000 + index),
    dct: "RI",
    kco: "00070",
    state,
  })));
  return id;
}

Deno.test({
  name:
    "of two that settle the last two items of a run at once, one ends it, in its own transaction",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using database = await testDatabase(postgresUrl);
    const { db } = database;
    const deps = { db, live: tableLiveBus({ database, log: silentLog, pollMs: 1000 }) };
    for (let round = 0; round < 20; round++) {
      const runId = await runOf(db, ["recorded", "recorded"]);
      await Promise.all(
        [0, 1].map((index) =>
          settlingRuns(deps, (_, settle) => settle([{ runId, index, state: "submitted" }]))
        ),
      );
      const [run] = await db.select().from(runs).where(sql`id = ${runId}`);
      assertEquals(run?.state, "finished");
    }
    const told = await db.execute(
      sql`select count(*)::int as n from live_events where type = 'run.finished'`,
    );
    assertEquals(getRows<{ n: number }>(told)[0]?.n, 20);
  },
});

Deno.test({
  name:
    "an item that was settled stays as it is; what moves is told in the run's log with its invoice",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using database = await testDatabase(postgresUrl);
    const { db } = database;
    const deps = { db, live: tableLiveBus({ database, log: silentLog, pollMs: 1000 }) };
    const runId = await runOf(db, ["recorded", "submitted", "recorded", "pending"]);
    const entry = {
      severity: "WARNING",
      module: "submission",
      submodule: "retrying",
      message: say`no answer`,
    };
    const settle = (state: ItemState) =>
      settlingRuns(
        deps,
        (_, settle) => settle([0, 1].map((index) => ({ runId, index, state, entry }))),
      );
    assertEquals([await settle("retrying"), await settle("retrying")], [1, 0]);
    assertEquals([await settle("blocked"), await settle("send_failed")], [1, 1]);
    const logs = await db.execute(sql`select message from run_logs order by id`);
    assertEquals(getRows<{ message: string }>(logs).map((it) => it.message), [
      "7000-RI-00070: no answer",
      "7000-RI-00070: no answer",
      "7000-RI-00070: no answer",
    ]);
    const [run] = await db.select().from(runs).where(sql`id = ${runId}`);
    assertEquals(run?.state, "processing");
  },
});
