import { assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { newScheduler } from "#src/framework/jobs/mod.ts";
import { pruneJobLogs } from "#src/framework/jobs/tend_runs.ts";
import { getRows } from "#src/ports/db.ts";
import { startJobs } from "./support.ts";

const LATE_MIN = 30;

/** Jobs due every hour, last half an hour ago. */
const jobs = (minute: number) => {
  const job = (name: string, missed: string, more = "") =>
    `  ${name}:
    label: ${name}
    schedule: [{ cron: "${minute} * * * *", missed: ${missed} }]
    concurrency: { limit: 50 }
${more}    steps: [{ id: x, set: { a: 1 } }]
`;
  return `version: 1
jobs:
${job("skips", "skip")}${job("makes_up_one", "run_once")}${job("makes_up_all", "run_all")}${
    job("not_too_late", "run_all", "    max_late: 110m\n")
  }${job("too_late", "run_once", "    max_late: 10m\n")}${
    job("off", "run_all", "    enabled: false\n")
  }`;
};

Deno.test("missed times are caught up as the schedule says, once in a fleet", async () => {
  await using it = await startJobs("version: 1\njobs: {}\n");
  await it.drain(); // no other process checks for due jobs
  const { db } = it.deps;
  const last = new Date(Date.now() - LATE_MIN * 60_000);
  await it.save("jobs", jobs(last.getUTCMinutes()));
  await newScheduler(it.deps).look();
  await db.execute(sql`update job_schedules set last_due = now() - interval '175 minutes'`);
  const looks = await Promise.all([1, 2, 3].map(() => newScheduler(it.deps).look()));
  const begun = looks.flatMap((look) => look.begun.map((run) => run.job)).sort();
  assertEquals(begun, [
    "makes_up_all",
    "makes_up_all",
    "makes_up_all",
    "makes_up_one",
    "not_too_late",
    "not_too_late",
  ]);
  const { runs } = (await it.get("/admin/jobs/runs?job=makes_up_one")).body;
  const latest = new Date(Math.floor(last.getTime() / 60_000) * 60_000);
  assertEquals([runs[0].trigger, runs[0].scheduled_for], ["schedule", latest.toISOString()]);
  for (const look of [newScheduler(it.deps), newScheduler(it.deps)]) {
    assertEquals((await look.look()).begun, [], "what was missed is missed once");
  }
});

Deno.test("a job stores as many runs, and its lines as long, as configured", async () => {
  await using it = await startJobs(`version: 1
jobs:
  kept:
    label: Kept
    retention: { runs: 50, logs: 1d }
    steps: [{ id: x, set: { a: 1 } }]
  other: { label: Other, steps: [{ id: x, set: { a: 1 } }] }
`);
  const { db } = it.deps;
  const total = async (job: string) => (await it.get(`/admin/jobs/runs?job=${job}`)).body.total;
  const first = await it.ended(await it.run("kept"));
  const other = await it.ended(await it.run("other"));
  // Adds older runs, and a run that has not ended.
  await db.execute(sql`
    insert into job_runs (id, job, definition, status, phase, trigger, params, lock_key, lock_limit)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'kept', definition,
      case when n = 1 then 'running' else 'succeeded' end, case when n = 1 then 'queued' end, 'manual', '{}', 'old', 1
    from job_runs, generate_series(1, 60) n where id = ${first.run_id}`);
  assertEquals(await total("kept"), 61);
  const last = await it.ended(await it.run("kept"));
  assertEquals(await total("kept"), 51, "fifty, and the one that has not ended");
  const lines = async (id: string) =>
    (await it.get(`/admin/jobs/runs/${id}/logs`)).body.lines.length;
  assertEquals([await lines(first.run_id) > 0, await lines(last.run_id) > 0], [true, true]);
  for (const id of [first.run_id, other.run_id]) {
    await db.execute(sql`update job_logs set at = now() - interval '2 days' where run_id = ${id}`);
    await db.execute(
      sql`update job_runs set created_at = now() - interval '2 days' where id = ${id}`,
    );
  }
  assertEquals(await pruneJobLogs(it.deps) > 0, true);
  assertEquals([await lines(first.run_id), await lines(other.run_id) > 0], [0, true]);
  assertEquals(
    getRows(await db.execute(sql`select 1 from job_runs where id = ${first.run_id}`)).length,
    1,
  );
});
