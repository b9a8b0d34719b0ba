import { assertEquals } from "@std/assert";
import process from "node:process";
import { contentOf } from "#src/features/validation/mod.ts";
import { needs, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startEmbedded } from "#tests/support/embedded.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { stallsDuring } from "#tests/support/stalls.ts";
import { worstInvoices } from "#tests/support/worst_documents.ts";
import type { ProductProcess } from "#tests/support/processes.ts";
import { type Door, worstDoors } from "#tests/support/worst_doors.ts";

/** The aim, on a machine that does nothing else. */
const AIM_MS = 100;

/**
 * Half of what it costs here and now to read the costliest document once, in processor time: whatever is still read, judged
 * or drawn in the process that serves takes longer, and a slow machine is as slow for both.
 */
async function most(): Promise<number> {
  const { "200,000 attributes": costliest = "" } = await worstInvoices();
  const before = process.cpuUsage();
  contentOf(costliest);
  const { user, system } = process.cpuUsage(before);
  return Math.max(AIM_MS, (user + system) / 1000 / 2);
}

/** The costliest of each kind; `deno task bench stall` goes through all. */
const DOORS =
  /^(validate, as a page|received).*(empty lines|9\.8 MB|16 MB|attributes)|^a run|^JSON|^settings|^a connector|\/(errors|pdf|evidence|fs)/;
/** Those that ask most of the database, which the embedded product has in a thread. */
const EMBEDDED =
  /^received.*(empty lines|whole lines|9\.8 MB$)|^a run|^lists|\/(errors|lines|evidence)/;
const ENVIRONMENT = {
  SERVICE_LOG_LEVEL: "DEBUG",
  RUN_WAIT_SECONDS: "2",
  DENO_V8_FLAGS: "--no-liftoff-only", // as it is started where it serves
};

async function noneStalls(t: Deno.TestContext, product: ProductProcess, doors: readonly Door[]) {
  const mostMs = await most();
  for (const { name, work } of doors) {
    await t.step(name, async () => {
      const { ownMs } = await stallsDuring(product, work);
      assertEquals(ownMs.filter((it) => it > mostMs), []);
    });
  }
}

Deno.test({
  name: "whatever the document and the door, the process that serves does not stand still",
  ignore: needs("PostgreSQL", postgresUrl).ignore || needs("Redis", redisUrl).ignore,
  async fn(t) {
    await using fleet = await startFleet({ workers: 0 });
    const product = await fleet.startWhole(ENVIRONMENT);
    const doors = await worstDoors(fleet, product);
    await noneStalls(t, product, doors.filter((it) => DOORS.test(it.name)));
  },
});

Deno.test("nor does the embedded product, whose database works beside it", async (t) => {
  await using embedded = await startEmbedded(ENVIRONMENT);
  const { product } = embedded;
  const doors = await worstDoors(embedded, product);
  await noneStalls(t, product, doors.filter((it) => EMBEDDED.test(it.name)));
});
