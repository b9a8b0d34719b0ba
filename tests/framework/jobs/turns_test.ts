import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { type Db, getRows } from "#src/ports/db.ts";
import { until } from "#tests/support/until.ts";
import { startJobs } from "./support.ts";

const NAMES = ["one", "two", "three", "four", "five"];
const JOBS = `version: 1
jobs:
${NAMES.map((it) => `  ${it}: { label: Waits, steps: [{ id: rest, sleep: 1h }] }`).join("\n")}
`;

Deno.test("the end of a run reads a few runs, however many wait, and the longest waiting one starts", async () => {
  await using it = await startJobs(JOBS);
  const { db } = it.deps;
  const phase = async (id: string) => (await it.get(`/admin/jobs/runs/${id}`)).body.phase;
  const reads: number[] = [];
  // A periodic check for lost runs reads all of them, on a busy machine also during this one: not each time.
  for (const name of NAMES) {
    const [first, next] = [await it.run(name), await it.run(name)];
    assertEquals([await phase(first), await phase(next)], ["executing", "queued"]);
    // In one transaction, since otherwise a query in between is planned for two rows and reads 900.
    await db.transaction(async (tx) => {
      await tx.execute(sql`
      insert into job_runs (id, job, definition, trigger, params, lock_key, lock_limit, phase)
      select overlay(gen_random_uuid()::text placing 'ffffffff' from 1)::uuid, job, definition, 'manual', '{}', lock_key, lock_limit, 'queued'
      from job_runs, generate_series(1, 900) n where id = ${next}`);
      await tx.execute(sql`analyze job_runs`);
      await tx.execute(sql`select pg_stat_force_next_flush()`); // its own reads are counted before the check
    });
    const before = await rowsRead(db);
    assertEquals((await it.post(`/admin/jobs/runs/${first}/abort`, {})).status, 202);
    await until(async () => await phase(next) === "executing", "the next to begin");
    const read = await rowsRead(db) - before;
    if (read < 100) return;
    reads.push(read);
  }
  assert(false, `${reads} rows were read`);
});

async function rowsRead(db: Db): Promise<number> {
  const rows = await db.execute(
    sql`select seq_tup_read + idx_tup_fetch as n from pg_stat_user_tables where relname = 'job_runs'`,
  );
  return Number(getRows<{ n: string }>(rows)[0]?.n);
}
