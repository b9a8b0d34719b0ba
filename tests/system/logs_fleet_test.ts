import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startFleet } from "#tests/support/fleet.ts";
import type { ProductProcess } from "#tests/support/processes.ts";
import { getRows } from "#src/ports/db.ts";
import { longTest } from "#tests/support/long.ts";

const servers = {
  ignore: deps("PostgreSQL", postgresUrl).ignore || deps("Redis", redisUrl).ignore,
};

/** Events that are logged only to standard output: each call, and the listening address. */
const NOT_KEPT = ["http.request", "product.listening", "auth.off", "product.folder"];

/** Returns time and event of each stored entry in a process' JSON output. */
function getLines({ output }: ProductProcess): string[] {
  return output().split("\n").filter((it) => it.startsWith("{"))
    .map((it) => JSON.parse(it))
    .filter(({ event }) => !NOT_KEPT.includes(event))
    .map(({ time, event }) => `${time} ${event}`);
}

longTest({
  name: "all log entries of each process of a fleet are stored, up to its last line",
  ...servers,
  async fn() {
    await using fleet = await startFleet({
      web: 2,
      workers: 2,
      environment: { SERVICE_LOG_LEVEL: "DEBUG" },
    });
    const processes = [...fleet.web, ...fleet.workers];
    for (const { url } of fleet.web) {
      for (let n = 0; n < 30; n++) await (await fetch(`${url}/api/nothing/${n}`)).text();
    }
    for (const it of processes) await it.stop();
    const kept = getRows<{ process: string; lines: string }>(
      await fleet.database.db.execute(sql`select process, lines from log_batches order by id`),
    );
    for (const it of processes) {
      const own = kept.filter(({ process }) => process.endsWith(`:${it.child.pid}`))
        .flatMap(({ lines }) => lines.split("\n"))
        .map((text) => JSON.parse(text).line)
        .map(({ time, event }) => `${time} ${event}`);
      assertEquals(own, getLines(it));
      assert(own.length);
    }
    const stopped = kept.filter(({ lines }) => lines.includes("worker.stopped"));
    assertEquals(stopped.length, 2);
  },
});
