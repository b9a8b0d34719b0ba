import { assertEquals } from "@std/assert";
import process from "node:process";
import { parseContent } from "#src/gateway/validation/mod.ts";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startEmbedded } from "#tests/support/embedded.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { stallsDuring } from "#tests/support/stalls.ts";
import { worstInvoices } from "#tests/support/worst_documents.ts";
import type { ProductProcess } from "#tests/support/processes.ts";
import { type Door, worstDoors } from "#tests/support/worst_doors.ts";
import { longTest } from "#tests/support/long.ts";

/** Target on an idle machine, in milliseconds. */
const AIM_MS = 100;

/**
 * Returns half the processor time of reading the most expensive document once. Any parsing, validation or drawing in
 * the serving process takes longer, and slow machines are slow for both.
 */
async function most(): Promise<number> {
  const { "200,000 attributes": costliest = "" } = await worstInvoices();
  const before = process.cpuUsage();
  parseContent(costliest);
  const { user, system } = process.cpuUsage(before);
  return Math.max(AIM_MS, (user + system) / 1000 / 2);
}

/** Most expensive document of each kind; `deno task bench stall` measures all. */
const DOORS =
  /^(validate, as a page|received).*(empty lines|9\.8 MB|16 MB|attributes)|^a run|^JSON|^settings|^a connector|\/(errors|pdf|evidence|fs)/;
/** Documents that load the database most, which the embedded product runs in a thread. */
const EMBEDDED =
  /^received.*(empty lines|whole lines|9\.8 MB$)|^a run|^lists|\/(errors|lines|evidence)/;
const ENVIRONMENT = {
  SERVICE_LOG_LEVEL: "DEBUG",
  RUN_WAIT_SECONDS: "2",
  DENO_V8_FLAGS: "--no-liftoff-only", // as the product is started when it serves
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

longTest({
  name: "no document through any entry point blocks the serving process",
  ignore: deps("PostgreSQL", postgresUrl).ignore || deps("Redis", redisUrl).ignore,
  async fn(t) {
    await using fleet = await startFleet({ workers: 0 });
    const product = await fleet.startWhole(ENVIRONMENT);
    const doors = await worstDoors(fleet, product);
    await noneStalls(t, product, doors.filter((it) => DOORS.test(it.name)));
  },
});

longTest({
  name: "nor the embedded product, whose database runs in a thread",
  async fn(t) {
    await using embedded = await startEmbedded(ENVIRONMENT);
    const { product } = embedded;
    const doors = await worstDoors(embedded, product);
    await noneStalls(t, product, doors.filter((it) => EMBEDDED.test(it.name)));
  },
});
