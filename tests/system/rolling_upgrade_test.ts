import { assertEquals } from "@std/assert";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { sendBurst } from "#tests/support/burst.ts";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startFleet } from "#tests/support/fleet.ts";
import type { ProductProcess } from "#tests/support/processes.ts";
import { readCode, releasedCommit } from "#tests/support/released_code.ts";
import { takenNumbers } from "#tests/support/sandbox.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const COUNT = 30;
const commit = releasedCommit();

longTest({
  name:
    "a fleet is upgraded under load: the release before works on the migrated database, beside this one, and leaves in a burst",
  // Without history (an archive of the code, a shallow clone) there is no release to run.
  ignore: commit === undefined || deps("PostgreSQL", postgresUrl).ignore ||
    deps("Redis", redisUrl).ignore,
  async fn(t) {
    const released = await readCode(commit ?? "");
    try {
      await using fleet = await startFleet({ workers: 0 });
      const [before, leaving] = await Promise.all([
        fleet.startWeb({}, released),
        fleet.startWorker({}, released),
      ]);
      const sent: number[] = [];
      const allSent = async () => {
        await fleet.quiet();
        assertEquals(takenNumbers(await fleet.sandbox.truth()), sent);
        assertEquals(await list(before), sent.length);
      };
      await t.step("alone on the migrated database it sends a burst", async () => {
        sent.push(...await sendBurst(before, { count: COUNT, first: 810_000 }));
        await allSent();
      });
      const [now] = await Promise.all([fleet.startWeb(), fleet.startWorker()]);
      await t.step("in parallel with this one, a burst to each", async () => {
        const bursts = [
          sendBurst(before, { count: COUNT, first: 820_000 }),
          sendBurst(now, { count: COUNT, first: 830_000 }),
        ];
        sent.push(...(await Promise.all(bursts)).flat());
        await allSent();
      });
      await t.step("it leaves in the middle of one, and this one ends it", async () => {
        const burst = sendBurst(now, { count: COUNT, first: 840_000 });
        await until(async () => await list(now) > sent.length, "the burst to begin");
        await leaving.stop();
        sent.push(...await burst);
        await allSent();
      });
    } finally {
      await rm(dirname(released), { recursive: true, force: true });
    }
  },
});

/** Returns the number of invoices that a process lists. */
async function list({ url }: ProductProcess): Promise<number> {
  const answer = await fetch(`${url}/api/invoices?pageSize=1`);
  const { total } = await answer.json();
  return total;
}
