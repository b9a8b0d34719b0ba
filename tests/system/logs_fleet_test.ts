import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { needs, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startFleet } from "#tests/support/fleet.ts";
import type { ProductProcess } from "#tests/support/processes.ts";
import { rowsOf } from "#src/ports/db.ts";

const servers = {
  ignore: needs("PostgreSQL", postgresUrl).ignore || needs("Redis", redisUrl).ignore,
};

/** What a process wrote to its standard output as JSON: time and event of each line. */
function linesOf({ output }: ProductProcess): string[] {
  return output().split("\n").filter((it) => it.startsWith("{")).map((it) => {
    const { time, event } = JSON.parse(it);
    return `${time} ${event}`;
  });
}

Deno.test({
  name: "what each process of a fleet logs until its end is kept, its last line too",
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
    const kept = rowsOf<{ process: string; lines: string }>(
      await fleet.database.db.execute(sql`select process, lines from log_batches order by id`),
    );
    for (const it of processes) {
      const own = kept.filter(({ process }) => process.endsWith(`:${it.child.pid}`))
        .flatMap(({ lines }) => lines.split("\n"))
        .map((text) => JSON.parse(text).line)
        .map(({ time, event }) => `${time} ${event}`);
      assertEquals(own, linesOf(it));
      assert(own.length);
    }
    const stopped = kept.filter(({ lines }) => lines.includes("worker.stopped"));
    assertEquals(stopped.length, 2);
  },
});
