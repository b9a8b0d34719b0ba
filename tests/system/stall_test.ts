import { assertEquals } from "@std/assert";
import { needs, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { stallsDuring } from "#tests/support/stalls.ts";
import { worstDoors } from "#tests/support/worst_doors.ts";

/**
 * The aim is 100 ms; this is what a machine that compiles and collects garbage meanwhile can promise. What is judged, drawn
 * or inflated in the process that serves takes many times as long with these documents.
 */
const STALL_MS = 2_000;
/** The costliest of each kind; `deno task bench stall` goes through all. */
const DOORS = /^(validate, as a page|received).*(empty lines|9\.8 MB)|^a run|^JSON|\/(errors|pdf)/;

Deno.test({
  name: "whatever the document and the door, the process that serves does not stand still",
  ignore: needs("PostgreSQL", postgresUrl).ignore || needs("Redis", redisUrl).ignore,
  async fn(t) {
    await using fleet = await startFleet({ workers: 0 });
    const product = await fleet.startWhole({ SERVICE_LOG_LEVEL: "DEBUG", RUN_WAIT_SECONDS: "2" });
    const doors = (await worstDoors(fleet, product)).filter((it) => DOORS.test(it.name));
    for (const { name, work } of doors) {
      await t.step(name, async () => {
        const { ownMs } = await stallsDuring(product, work);
        assertEquals(ownMs.filter((it) => it > STALL_MS), []);
      });
    }
  },
});
