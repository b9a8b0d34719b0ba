import { assert, assertEquals } from "@std/assert";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startJobFleet } from "#tests/support/job_fleet.ts";
import { type OwnPostgres, ownPostgres, type OwnRedis, ownRedis } from "#tests/support/servers.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const FLEET = deps("Redis", postgresUrl && redisUrl);

const SURVIVING = `version: 1
jobs:
  reads:
    label: Reads
    steps:
      - { id: first, write: { connector: erp, query: note, params: { run: "{run_id}", n: 1 } } }
      - { id: nap, query: { connector: erp, query: at_gate } }
      - { id: last, write: { connector: erp, query: note, params: { run: "{run_id}", n: 2 } } }
  writes:
    label: Writes
    steps:
      - { id: slow, write: { connector: erp, query: note_at_gate, params: { run: "{run_id}", n: 1 } } }
      - { id: never, set: { a: 1 } }
    on_failure:
      - { id: told, write: { connector: erp, query: note, params: { run: "{failed_step} {error_code}", n: 1 } } }
    finally:
      - { id: always, set: { a: 1 } }
  rests:
    label: Rests
    steps:
      - { id: rest, sleep: 1m }
      - { id: last, write: { connector: erp, query: note, params: { run: "{run_id}", n: 1 } } }
  loops:
    label: Loops
    steps:
      - { id: find, query: { connector: erp, query: numbers, params: { most: 200 } } }
      - id: each
        for_each: { items: "{steps.find.rows}", as: row, parallel: 4, on_error: continue }
        write: { connector: erp, query: slow_note, params: { run: "{run_id}", n: "{row.n}", s: 0.02 } }
  begins:
    label: Begins
    steps:
      - { id: find, query: { connector: erp, query: numbers, params: { most: 40 } } }
      - id: each
        for_each: { items: "{steps.find.rows}", as: row, parallel: 4, on_error: continue }
        job: { name: begun, params: { run: "{run_id}", n: "{row.n}" } }
  begun:
    label: Begun
    params: { run: { type: string }, n: { type: integer } }
    concurrency: { limit: 20 }
    steps:
      - { id: note, write: { connector: erp, query: note, params: { run: "{params.run}", n: "{params.n}" } } }
  parent:
    label: Parent
    steps:
      - { id: child, job: { name: reads } }
      - { id: after, set: { child: "{steps.child.status}" } }
`;

longTest({
  name:
    "a run whose worker is killed goes on from its first unfinished step, and does nothing twice",
  ...FLEET,
  async fn(t) {
    await using it = await startJobFleet(SURVIVING, { workers: 2 });
    const kill = async (job: string, step: string) => {
      const id = await it.run(job);
      await it.begun(id, step);
      await it.kill(id);
      await it.gate("open");
      const spare = it.fleet.startWorker();
      const run = await it.ended(id);
      await spare;
      await it.gate("shut");
      return run;
    };
    const statuses = (run: { steps: { id: string; status: string }[] }) =>
      run.steps.map((step) => `${step.id} ${step.status}`);
    await t.step("a step that reads is done again", async () => {
      const run = await kill("reads", "nap");
      assertEquals([run.status, run.steps[1].attempt], ["succeeded", 2]);
      assertEquals(await it.notes(run.run_id), [1, 2]);
    });
    await t.step("a step that writes is not, and the run says so", async () => {
      const run = await kill("writes", "slow");
      assertEquals([run.status, run.error.step, run.error.code], ["failed", "slow", "worker_lost"]);
      assertEquals(statuses(run), [
        "slow failed",
        "never skipped",
        "told succeeded",
        "always succeeded",
      ]);
      assertEquals(await it.notes("slow worker_lost"), [1]);
      assert((await it.notes(run.run_id)).length <= 1, "not twice, whether it took effect or not");
    });
    await t.step("of a loop the running items are reported, the others run once", async () => {
      const id = await it.run("loops");
      await until(async () => (await it.notes(id)).length > 20, "some items");
      await it.kill(id);
      const spare = it.fleet.startWorker();
      const run = await it.ended(id);
      await spare;
      const { count, failed, errors } = run.steps[1].output_preview;
      const noted = await it.notes(id);
      assertEquals(run.status, "succeeded");
      assertEquals(noted.length, new Set(noted).size, "none twice");
      assertEquals(count + failed, 200);
      assert(failed <= 4 && noted.length >= count && noted.length <= 200, `${count} ${failed}`);
      assert(errors.every((error: { code: string }) => error.code === "worker_lost"));
    });
    await t.step("a loop that starts runs starts none of them twice", async () => {
      const id = await it.run("begins");
      await until(async () => (await it.notes(id)).length > 8, "some runs");
      await it.kill(id);
      const spare = it.fleet.startWorker();
      const run = await it.ended(id);
      await spare;
      const { count, failed } = run.steps[1].output_preview;
      const begun = (await it.call("GET", "/admin/jobs/runs?job=begun&limit=500")).body;
      assertEquals([run.status, begun.total, count + failed], ["succeeded", 40, 40]);
      const noted = await it.notes(id);
      assertEquals(noted.length, new Set(noted).size, "none twice");
    });
    await t.step("a rest, and the wait for another run, are in no worker's hand", async () => {
      const [rests, parent] = [await it.run("rests"), await it.run("parent")];
      await until(async () => (await it.show(rests)).wakes_at !== null, "the rest");
      const ofChild = async () =>
        (await it.call("GET", "/admin/jobs/runs?job=reads&trigger=job")).body.runs[0]?.run_id;
      await until(async () => await ofChild() !== undefined, "the child");
      await it.begun(await ofChild(), "nap");
      await Promise.all(it.fleet.workers.map((worker) => worker.stop("SIGKILL")));
      await it.gate("open");
      await it.fleet.startWorker();
      const [rested, waited] = [await it.ended(rests), await it.ended(parent)];
      assertEquals([rested.status, await it.notes(rests)], ["succeeded", [1]]);
      assertEquals([waited.status, waited.steps[1].output_preview], ["succeeded", {
        child: "succeeded",
      }]);
    });
  },
});

longTest({
  name: "runs survive a restart of PostgreSQL and an emptied Redis",
  ...FLEET,
  async fn() {
    await using postgres: OwnPostgres = await ownPostgres();
    await using redis: OwnRedis = await ownRedis();
    await using it = await startJobFleet(
      SURVIVING.replace(
        "  reads:\n    label: Reads",
        "  reads:\n    label: Reads\n    concurrency: { limit: 20 }",
      ),
      // On a slow machine a shorter lease expires during the last step, which is not repeated.
      { postgres: postgres.url, redis: redis.url, environment: { LEASE_MS: "15000" } },
    );
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push(await it.run("reads"));
    for (const id of ids) await it.begun(id, "nap");
    await postgres.restartImmediately();
    await redis.restart();
    await it.gate("open");
    for (const id of ids) {
      const run = await it.ended(id);
      assertEquals([run.status, run.error], ["succeeded", null]);
      assertEquals(await it.notes(id), [1, 2]);
    }
  },
});

longTest({
  name: "an abort reaches the statement, the call and the pause in any worker",
  ...FLEET,
  async fn() {
    await using it = await startJobFleet(`version: 1
jobs:
  sql: { label: SQL, steps: [{ id: a, query: { connector: erp, query: nap, params: { s: 50 } } }, { id: b, set: { a: 1 } }], finally: [{ id: c, set: { a: 1 } }] }
  http: { label: HTTP, steps: [{ id: a, http: { connector: peer, endpoint: hang } }] }
  sleep: { label: Sleep, steps: [{ id: a, sleep: 1h }] }
  nested: { label: Nested, steps: [{ id: a, job: { name: sleep } }] }
`);
    const ids = new Map<string, string>();
    for (const name of ["sql", "http", "nested"]) {
      const id = await it.run(name);
      ids.set(name, id);
      await it.begun(id, "a");
    }
    const naps = async () =>
      (await it.erp.owner.unsafe(
        `select count(*)::int as n from pg_stat_activity where usename = '${it.erp.role}' and state = 'active'`,
      ))[0]?.["n"];
    await until(async () => await naps() === 1 && it.peer.seen.hanging === 1, "all under way");
    const open = async () => (await it.call("GET", "/admin/jobs/runs?status=running")).body.total;
    await until(async () => await open() === 4, "the child");
    for (const id of ids.values()) {
      assertEquals((await it.call("POST", `/admin/jobs/runs/${id}/abort`)).status, 202);
    }
    for (const id of ids.values()) {
      const run = await it.ended(id);
      assertEquals([run.status, run.error.code, run.phase], ["aborted", "aborted", null]);
      assertEquals((await it.call("POST", `/admin/jobs/runs/${id}/abort`)).status, 409);
    }
    const sqlRun = await it.show(ids.get("sql") ?? "");
    assertEquals(sqlRun.steps.map((step: { status: string }) => step.status), [
      "aborted",
      "skipped",
      "succeeded",
    ]);
    await until(async () => await naps() === 0 && it.peer.seen.givenUp === 1, "their ends");
    await until(async () => await open() === 0, "the end of the child too");
  },
});

longTest({
  name:
    "of ten workers no more than the limit are in a job at once, by key; skipping and taking the place do what they say",
  ...FLEET,
  async fn(t) {
    await using it = await startJobFleet(
      `version: 1
jobs:
  queued:
    label: Queued
    params: { k: { type: string, required: true } }
    concurrency: { limit: 2, policy: queue, key: "{params.k}" }
    steps: [{ id: hold, http: { connector: peer, endpoint: hold, params: { key: "{params.k}" } } }]
  skipped:
    label: Skipped
    concurrency: { policy: skip }
    steps: [{ id: hang, http: { connector: peer, endpoint: hang } }]
  replaced:
    label: Replaced
    params: { s: { type: number, default: 0 } }
    concurrency: { policy: cancel_running }
    steps: [{ id: nap, query: { connector: erp, query: nap, params: { s: "{params.s}" } } }]
  starts_skipped:
    label: Starts
    steps: [{ id: other, job: { name: skipped } }]
`,
      { environment: { JOBS_CONCURRENCY: "5", LEASE_MS: "120000" } },
    );
    await t.step("queue", async () => {
      const ids = await Promise.all(
        Array.from({ length: 20 }, (_, n) => it.run("queued", { k: n % 2 ? "a" : "b" })),
      );
      for (const id of ids) {
        const run = await it.ended(id);
        assertEquals([run.status, run.error], ["succeeded", null]);
      }
      assertEquals([...it.peer.most.keys()].sort(), ["a", "b"]);
      assert([...it.peer.most.values()].every((most) => most <= 2), "no more than the limit");
    });
    await t.step("skip", async () => {
      const first = await it.run("skipped");
      const second = await it.call("POST", "/admin/jobs/skipped/run", {});
      assertEquals([second.status, second.body.run_id], [409, first]);
      const { steps } = await it.ended(await it.run("starts_skipped"));
      assertEquals([steps[0].output_preview.status, steps[0].output_preview.skipped], [
        "aborted",
        true,
      ]);
      await it.call("POST", `/admin/jobs/runs/${first}/abort`);
      assertEquals((await it.ended(first)).status, "aborted");
    });
    await t.step("cancel_running", async () => {
      const old = [await it.run("replaced", { s: 50 }), await it.run("replaced", { s: 50 })];
      const last = await it.run("replaced");
      assertEquals((await it.ended(last)).status, "succeeded");
      for (const id of old) {
        const run = await it.ended(id);
        assertEquals([run.status, run.error.code], ["aborted", "superseded"]);
      }
    });
  },
});
