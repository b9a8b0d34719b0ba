import { assert, assertEquals } from "@std/assert";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { erpBurst, getNumbers } from "#tests/support/erp.ts";
import { type Fleet, getHistory, openings, startFleet } from "#tests/support/fleet.ts";
import { assertGuarantees } from "#tests/support/guarantees.ts";
import { isFrozen, signalTo } from "#tests/support/processes.ts";
import { writeText } from "#tests/support/folder.ts";
import { until } from "#tests/support/until.ts";
import { takenNumbers } from "#tests/support/sandbox.ts";
import { seedInvoices } from "#tests/support/seed.ts";
import { ownPostgres, ownRedis } from "#tests/support/servers.ts";
import { longTest, selectTenth } from "#tests/support/long.ts";

const servers = {
  ignore: deps("PostgreSQL", postgresUrl).ignore || deps("Redis", redisUrl).ignore,
};
const PATIENT = { BREAKER_FAILURES: "1000" };

async function assertAllHeld(fleet: Fleet, numbers: readonly string[]): Promise<void> {
  await fleet.quiet();
  assertEquals(await fleet.states(), { accepted: numbers.length });
  const truth = await fleet.sandbox.truth();
  assertEquals(truth.copies.length, numbers.length, "no copy beside the one that counts");
  await assertGuarantees(fleet.database, truth, numbers);
}

Deno.test({
  name: "a hundred answers lost after the PA acted: nothing is sent twice, nothing is lost",
  ...servers,
  async fn() {
    await using fleet = await startFleet({ environment: PATIENT });
    await fleet.sandbox.fault({ kind: "drop-after", times: 100 });
    const numbers = await seedInvoices(fleet.database, { count: 100 });
    await assertAllHeld(fleet, numbers);
    assertEquals((await fleet.sandbox.truth()).submits.length, 100);
  },
});

longTest({
  name:
    "a PA that stores and then answers 500, hangs up or talks nonsense holds every invoice once",
  ...servers,
  async fn() {
    await using fleet = await startFleet({ environment: PATIENT });
    for (
      const kind of ["500-after", "half-body", "garbage", "empty", "drop-before", "500-before"]
    ) {
      await fleet.sandbox.fault({ kind, times: 10 });
    }
    await assertAllHeld(fleet, await seedInvoices(fleet.database, { count: 80 }));
  },
});

Deno.test({
  name: "a PA that requests a pause gets it from every process, and the rest afterwards",
  ...servers,
  async fn() {
    await using fleet = await startFleet({ workers: 2, queues: ["submission"] });
    await fleet.sandbox.fault({
      kind: "429",
      times: 1,
      retryAfter: 3,
      match: { name: "40-S-00001" },
    });
    await fleet.sandbox.fault({
      kind: "429",
      times: 1,
      retryAfter: 3,
      match: { name: "120-S-00001" },
    });
    const numbers = await seedInvoices(fleet.database, { count: 150 });
    await assertAllHeld(fleet, numbers);
    const { submits } = await fleet.sandbox.truth();
    const pauses = submits.filter((it) => it.status === 429);
    assertEquals(pauses.length, 2);
    for (const { at } of pauses) {
      // Calls that were already sent when the PA asked to wait may still arrive.
      const during = submits.filter((it) => it.at > at + 1_000 && it.at < at + 2_900);
      assertEquals(during.length, 0, "no request during the pause");
    }
    assert(openings(fleet) >= 2, `the breaker opened for each pause, ${openings(fleet)} times`);
  },
});

Deno.test({
  name:
    "a PA that is down is asked by one trial at a time, no attempt is used up, and all is sent when it is back",
  ...servers,
  async fn() {
    await using fleet = await startFleet({
      workers: 2,
      queues: ["submission"],
      environment: { BREAKER_FAILURES: "5", BREAKER_OPEN_MS: "400" },
    });
    await fleet.sandbox.fault({ kind: "500-before", times: 0 });
    await fleet.sandbox.fault({ kind: "500-before", operation: "search", times: 0 });
    const numbers = await seedInvoices(fleet.database, { count: 60 });
    await until(
      async () => (await fleet.sandbox.truth()).submits.length >= 5,
      "the PA to be tried",
    );
    await until(() => openings(fleet) >= 5, "the breaker to open after four trials");
    const asked = (await fleet.sandbox.journal()).filter((it) =>
      it.kind === "request" && it.operation !== "token"
    ).length;
    assert(asked < 60, `a PA that is down was asked ${asked} times by 60 sendings`);
    await fleet.sandbox.heal();
    await assertAllHeld(fleet, numbers);
  },
});

Deno.test({
  name:
    "a worker frozen before or after its request, and thawed when another has done its work, changes nothing",
  ...servers,
  async fn(t) {
    for (
      const label of selectTenth(["submit.afterBegin", "submit.beforeSend", "submit.afterSend"])
    ) {
      await t.step(label, async () => {
        await using fleet = await startFleet({
          workers: 0,
          queues: ["submission"],
          environment: PATIENT,
        });
        const zombie = await fleet.startWorker({
          CRASH_AT: `${label}:1:stop`,
          SUBMISSION_CONCURRENCY: "1",
        });
        const numbers = await seedInvoices(fleet.database, { count: 1 });
        await until(
          async () => (await fleet.states()).sending === 1,
          "the worker to be in the middle of it",
        );
        await until(() => isFrozen(zombie.child), "the worker to be frozen there");
        const other = await fleet.startWorker();
        await until(
          async () => (await fleet.states()).accepted === 1,
          "the other worker to take over",
        );
        signalTo(zombie.child, "SIGCONT");
        await other.stop();
        numbers.push(...await seedInvoices(fleet.database, { count: 1, first: 2 }));
        await until(
          async () => (await fleet.states()).accepted === 2,
          "the thawed worker, which does one thing at a time, to end what it was at and do another",
        );
        await fleet.quiet();
        const truth = await fleet.sandbox.truth();
        assertEquals(truth.accepted.get(numbers[0] ?? "")?.length, 1);
        await assertGuarantees(fleet.database, truth, numbers);
        const history = await getHistory(fleet.database, numbers[0] ?? "");
        assertEquals(history.map((it) => it.code), ["9900", "9901", "9906"], "told once");
        assertEquals(zombie.child.exitCode, null, "the thawed worker lives on");
      });
    }
  },
});

longTest({
  name: "Redis emptied twice and killed once in the middle of 500 sendings only delays them",
  ...servers,
  async fn() {
    await using redis = await ownRedis();
    await using fleet = await startFleet({ workers: 0, redis: redis.url, queues: ["submission"] });
    const numbers = await seedInvoices(fleet.database, { count: 500 });
    const accept = async () => (await fleet.states()).accepted ?? 0;
    await Promise.all([fleet.startWorker(), fleet.startWorker()]);
    await until(async () => await accept() >= 50, "50 to be sent");
    redis.cli("FLUSHALL");
    await until(async () => await accept() >= 150, "150 to be sent");
    await redis.restart();
    await until(async () => await accept() >= 250, "250 to be sent");
    redis.cli("FLUSHALL");
    await assertAllHeld(fleet, numbers);
  },
});

Deno.test({
  name: "PostgreSQL cut off in the middle of 300 sendings, three times: all are sent, each once",
  ...servers,
  async fn() {
    await using postgres = await ownPostgres();
    await using fleet = await startFleet({
      workers: 0,
      postgres: postgres.url,
      queues: ["submission"],
    });
    const numbers = await seedInvoices(fleet.database, { count: 300 });
    await Promise.all([fleet.startWorker(), fleet.startWorker()]);
    for (const share of [50, 120, 200]) {
      await until(
        async () =>
          ((await fleet.states().catch(() => ({} as { accepted?: number }))).accepted ?? 0) >=
            share,
        `${share} to be sent`,
      );
      await postgres.restartImmediately();
    }
    await until(
      async () =>
        (await fleet.states().catch(() => ({} as { accepted?: number }))).accepted === 300,
      "all to be sent",
    );
    await assertAllHeld(fleet, numbers);
  },
});

Deno.test({
  name:
    "two HTTP and two worker processes: bursts given to both end with each invoice recorded and sent once",
  ...servers,
  async fn() {
    await using fleet = await startFleet({ web: 2, workers: 2 });
    const runs = await Promise.all(fleet.web.map(async ({ url }, at) => {
      const file = `burst-${at}.xml`;
      await writeText(fleet.files, file, await erpBurst(24, 700_000 + at * 12)); // twelve invoices are in both files
      return await start(url, file);
    }));
    await until(
      async () => (await Promise.all(runs.map(end))).every(Boolean),
      "both runs to end",
    );
    await fleet.quiet();
    const truth = await fleet.sandbox.truth();
    assertEquals(truth.copies.length, 36);
    assertEquals(takenNumbers(truth), getNumbers(36, 700_000));
    await assertGuarantees(fleet.database, truth, [...truth.accepted.keys()]);
  },
});

async function start(url: string, file: string): Promise<string> {
  const answer = await fetch(`${url}/api/run`, {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "respond-async" },
    body: JSON.stringify({ template: "R42565", file, mode: "BURST" }),
  });
  return `${url}/api/runs/${(await answer.json()).runId}`;
}

async function end(url: string): Promise<boolean> {
  return ["finished", "failed"].includes((await (await fetch(url)).json()).state);
}
