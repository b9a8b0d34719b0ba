import { assert, assertEquals } from "@std/assert";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { type Fleet, openings, startFleet } from "#tests/support/fleet.ts";
import { assertGuarantees } from "#tests/support/guarantees.ts";
import { until } from "#tests/support/until.ts";
import type { Truth } from "#tests/support/sandbox.ts";
import { seedInvoices } from "#tests/support/seed.ts";
import { longTest } from "#tests/support/long.ts";

const servers = {
  ignore: deps("PostgreSQL", postgresUrl).ignore || deps("Redis", redisUrl).ignore,
};
const WORKERS = 2;
/** Largest number of calls under way when the first 429 arrives: the parallel submissions of the workers. */
const UNDER_WAY = WORKERS * 16;
const COUNT = 200;

async function assertEachTakenOnce(fleet: Fleet, numbers: readonly string[]): Promise<Truth> {
  await fleet.quiet();
  assertEquals(await fleet.states(), { accepted: numbers.length }, "no attempt was used up");
  const truth = await fleet.sandbox.truth();
  assertEquals(truth.copies.length, numbers.length, "no copy beside the one that counts");
  await assertGuarantees(fleet.database, truth, numbers);
  return truth;
}

longTest({
  name:
    "a PA that answers 429 to everything is asked once in each pause it names, not once per waiting invoice",
  ...servers,
  async fn() {
    await using fleet = await startFleet({ workers: WORKERS, queues: ["submission"] });
    for (const operation of ["submit", "search"]) {
      await fleet.sandbox.fault({ kind: "429", operation, times: 0, retryAfter: 1 });
    }
    const numbers = await seedInvoices(fleet.database, { count: COUNT });
    // Counts the one-second pauses between the first and the last request, by the PA's clock.
    const pausesIn = (submits: Truth["submits"]) =>
      Math.floor(((submits.at(-1)?.at ?? 0) - (submits[0]?.at ?? 0)) / 1000);
    await until(
      async () => pausesIn((await fleet.sandbox.truth()).submits) >= 3,
      "the PA to be tried after three pauses",
    );
    const { submits: refused } = await fleet.sandbox.truth();
    const pauses = pausesIn(refused);
    await fleet.sandbox.heal();
    const [first] = refused;
    const atOnce = refused.filter((it) => it.at - (first?.at ?? 0) < 1_000);
    assert(atOnce.length <= UNDER_WAY, `${atOnce.length} requests before the PA's first answers`);
    const trials = refused.slice(atOnce.length).map((it) => it.at);
    assert(trials.length <= pauses, `${trials.length} trials in ${pauses} pauses of a second`);
    assertEquals(new Set(refused.map((it) => it.status)), new Set([429]));
    for (const [at, time] of trials.entries()) {
      const before = trials[at - 1];
      if (before !== undefined) {
        assert(time - before >= 1_000, `${time - before} ms between trials`);
      }
    }
    await assertEachTakenOnce(fleet, numbers);
  },
});

longTest({
  name: "a PA that takes 8 calls a second gets them all, and few above: every refusal ends a burst",
  ...servers,
  async fn() {
    const perSecond = 8; // fewer calls than any machine sends
    await using fleet = await startFleet({
      workers: WORKERS,
      queues: ["submission"],
      personality: { callsPerSecond: perSecond },
    });
    const count = 5 * perSecond;
    const numbers = await seedInvoices(fleet.database, { count });
    const { submits } = await assertEachTakenOnce(fleet, numbers);
    const refused = submits.filter((it) => it.status === 429);
    const bursts = openings(fleet);
    assert(bursts >= 2, `${count} invoices do not fit into a burst: ${bursts}`);
    assert(
      refused.length <= bursts * UNDER_WAY,
      `${refused.length} refusals in ${bursts} bursts: what was under way, and no more`,
    );
  },
});

longTest({
  name: "a run of one invoice is sent within a few turns, however many of another run wait",
  ...servers,
  async fn() {
    await using fleet = await startFleet({ workers: 0, queues: ["submission"] });
    const many = await seedInvoices(fleet.database, { count: COUNT, run: "large" });
    const [one = ""] = await seedInvoices(fleet.database, { count: 1, first: 1_000, run: "small" });
    await fleet.startWorker();
    const { submits } = await assertEachTakenOnce(fleet, [...many, one]);
    const place = submits.findIndex((it) => it.number === one);
    assert(place >= 0 && place < 24, `the small run was number ${place} of ${submits.length}`);
  },
});
