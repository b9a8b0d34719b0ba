import { assert, assertEquals, assertMatch } from "@std/assert";
import { newRunLog } from "#src/framework/jobs/engine/run_log.ts";
import { MAX_LINES, readLines } from "#src/framework/jobs/log_store.ts";
import { findJobRun } from "#src/framework/jobs/store.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { startJobs } from "./support.ts";

const JOBS = `version: 1
jobs:
  talks: { label: Talks, steps: [{ id: a, set: { x: 1 } }] }
`;

Deno.test("a run that logs a hundred thousand lines at once stores few of them, and reports the number left out", async () => {
  await using it = await startJobs(JOBS);
  const { run_id: id, log_lines_total: before } = await it.ended(await it.run("talks"));
  const log = newRunLog(it.deps, { id, job: "talks" });
  for (let n = 0; n < 100_000; n++) log.line("info", say`Item ${n}: ${"x".repeat(10_000)}`);
  await log.flush();
  log.close();
  const { body } = await it.get(`/admin/jobs/runs/${id}`);
  assertEquals([body.log_lines_total, body.log_lines_let_go], [before + 501, 0]);
  assertEquals(
    body.logs.at(-1).message,
    "99500 lines are left out here: no more than 500 are kept in 250 ms",
  );
  assert(body.logs.at(-2).message.length <= 4_000, "a line has an end");
});

Deno.test("a run stores its latest lines, and reports how many it dropped", async () => {
  await using it = await startJobs(JOBS);
  const { run_id: id, log_lines_total: before } = await it.ended(await it.run("talks"));
  const log = newRunLog(it.deps, { id, job: "talks" });
  const ROUNDS = 24;
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 0; n < 500; n++) log.line("info", say`Item ${round * 500 + n}: ${"x"}`);
    await log.flush();
  }
  log.close();
  const total = before + ROUNDS * 500;
  assertEquals((await findJobRun(it.deps.db, id))?.logLines, total);
  const kept = await readLines(it.deps.db, id, { after: 0, limit: 50_000 });
  assertEquals([kept.length, kept.at(-1)?.seq], [MAX_LINES, total]);
  const logs = (await it.get(`/admin/jobs/runs/${id}/logs?limit=5`)).body;
  assertEquals([logs.log_lines_total, logs.log_lines_let_go], [total, total - MAX_LINES]);
  assertEquals(logs.lines.length, 5);
  const followed = await it.request(`/admin/jobs/runs/${id}/logs?follow=true`);
  assertMatch(await followed.text(), /event: end\ndata: {"status":"succeeded"}/);
});

Deno.test("a step that takes fewer rows than there are says so", async () => {
  await using it = await startJobs(`version: 1
jobs:
  fills: { label: Fills, steps: [{ id: fill, write: { connector: stock, query: fill, params: { most: 3 } } }] }
  all: { label: All, steps: [{ id: rows, limit: 3, query: { connector: stock, query: items } }] }
  some: { label: Some, steps: [{ id: rows, limit: 2, query: { connector: stock, query: items } }] }
`);
  await it.ended(await it.run("fills"));
  const warnings = async (job: string) => {
    const { status, logs } = await it.ended(await it.run(job));
    assertEquals(status, "succeeded");
    return logs.flatMap((line: { level: string; message: string }) =>
      line.level === "warn" ? [line.message] : []
    );
  };
  assertEquals(await warnings("all"), []);
  assertEquals(await warnings("some"), ["There are more rows; the rest was left out"]);
});
