import { assertEquals } from "@std/assert";
import {
  findJobRun,
  insertRun,
  readSteps,
  takeJobRun,
  updateStep,
} from "#src/framework/jobs/store.ts";
import { embeddedTestDatabase } from "#tests/support/db.ts";
import { longTest } from "#tests/support/long.ts";
import { until } from "#tests/support/until.ts";
import { startJobs } from "./support.ts";

const JOBS = `version: 1
jobs:
  leaf: { label: Leaf, concurrency: { limit: 50 }, steps: [{ id: rest, sleep: 1h }] }
  branch:
    label: Branch
    params: { list: { type: array<integer> } }
    concurrency: { limit: 50 }
    steps:
      - { id: each, for_each: { items: "{params.list}", as: it, parallel: 3 }, job: { name: leaf } }
  trunk:
    label: Trunk
    params: { list: { type: array<integer> } }
    steps:
      - { id: first, job: { name: branch, params: { list: "{params.list}" } } }
  lets_go:
    label: Lets go
    steps:
      - { id: begins, job: { name: leaf, wait: false } }
      - { id: rest, sleep: 1h }
  late_step:
    label: Late step
    steps:
      - { id: child, job: { name: leaf }, timeout: 1s }
  late_rest:
    label: Late rest
    steps:
      - { id: rest, sleep: 1h, timeout: 3s }
  late_run:
    label: Late run
    timeout: 3s
    steps:
      - { id: child, job: { name: leaf } }
    on_failure: [{ id: told, set: { why: "{error_code}" } }]
`;

// deno-lint-ignore no-explicit-any -- what the test asserts
type Any = any;

async function start() {
  const it = await startJobs(JOBS);
  return Object.assign(it, {
    open: async (job = "leaf"): Promise<Any[]> =>
      (await it.get(`/admin/jobs/runs?status=running&job=${job}`)).body.runs,
    of: async (job: string): Promise<Any[]> =>
      (await it.get(`/admin/jobs/runs?job=${job}`)).body.runs,
  });
}

Deno.test("an abort reaches the runs that loops started, and their own runs", async () => {
  await using it = await start();
  const id = await it.run("trunk", { list: [1, 2, 3, 4] });
  await until(async () => (await it.open()).length === 3, "three leaves");
  assertEquals((await it.post(`/admin/jobs/runs/${id}/abort`)).status, 202);
  assertEquals((await it.ended(id)).status, "aborted");
  await until(async () => (await it.open()).length === 0, "the end of the leaves");
  await until(async () => (await it.open("branch")).length === 0, "the end of the branch");
  const leaves = await it.of("leaf");
  assertEquals(leaves.map((run) => run.error.code), ["aborted", "aborted", "aborted"]);
});

Deno.test("a run that nobody waits for continues without its parent", async () => {
  await using it = await start();
  const id = await it.run("lets_go");
  await until(async () => (await it.open()).length === 1, "the leaf");
  await it.post(`/admin/jobs/runs/${id}/abort`);
  assertEquals((await it.ended(id)).status, "aborted");
  assertEquals((await it.open()).length, 1);
});

longTest(
  "a step or run that waits too long fails in time, and ends what it waited for",
  async () => {
    await using it = await start();
    for (const job of ["late_step", "late_rest", "late_run"]) {
      const run = await it.ended(await it.run(job));
      assertEquals([run.status, run.error.code], ["failed", "timeout"], job);
      await until(async () => (await it.open()).length === 0, "the end of the leaf");
    }
    const leaves = await it.of("leaf");
    assertEquals(leaves.map((run) => run.status), ["aborted", "aborted"]);
  },
);

Deno.test("a loop and its parallel items store their progress", async () => {
  await using database = await embeddedTestDatabase();
  const { db } = database;
  const id = "0193a000-0000-7000-8000-000000000001";
  const step = { runId: id, position: 0, section: "steps", id: "each", kind: "job" } as const;
  const definition = { label: "x", steps: [] };
  const rest = { trigger: "manual", params: {}, lockKey: "x", lockLimit: 1 } as const;
  await insertRun(db, { id, job: "x", definition, phase: "executing", ...rest }, [step]);
  const run = await takeJobRun(db, id) ?? await findJobRun(db, id);
  if (!run) throw new Error("it is there");
  const progress = async () => (await readSteps(db, id))[0]?.progress;
  const at = { run, position: 0 };
  const loop = (open: number[], next: number) => updateStep(db, at, { loop: { open, next } });
  const item = (index: number, run_id: string) =>
    updateStep(db, at, { item: { index, progress: { run_id } } });
  await loop([0, 1], 2);
  await Promise.all([item(0, "a"), item(1, "b"), loop([0, 1, 2], 3), item(2, "c")]);
  assertEquals(await progress(), {
    open: [0, 1, 2],
    next: 3,
    items: { 0: { run_id: "a" }, 1: { run_id: "b" }, 2: { run_id: "c" } },
  });
  await loop([2], 3);
  assertEquals(await progress(), { open: [2], next: 3, items: { 2: { run_id: "c" } } });
  assertEquals(
    await updateStep(db, { run: { id, fence: 99 }, position: 0 }, { loop: { open: [] } }),
    false,
  );
});
