import { readFileSync } from "node:fs";
import { startJobFleet } from "#tests/support/job_fleet.ts";
import { until } from "#tests/support/until.ts";
import type { Row } from "./table.ts";

const RUNS = 1_000;
const ITEMS = 10_000;
const MAX_MS = 3_600_000;
const JOBS = `version: 1
jobs:
  three:
    label: Three steps
    concurrency: { limit: 100 }
    retention: { runs: 10000 }
    steps:
      - { id: say, set: { run: "{run_id}" } }
      - { id: read, query: { connector: erp, query: numbers, params: { most: 10 } } }
      - { id: note, write: { connector: erp, query: note, params: { run: "{steps.say.run}", n: "{steps.read.row_count}" } } }
  loop:
    label: A long loop
    steps:
      - { id: find, query: { connector: erp, query: numbers, params: { most: ${ITEMS} } }, limit: ${ITEMS} }
      - id: each
        for_each: { items: "{steps.find.rows}", as: row, parallel: 4 }
        idempotent: true
        write: { connector: erp, query: note, params: { run: "{run_id}", n: "{row.n}" } }
`;

/**
 * Measures runs of three steps on two workers, and a loop over many rows: completed work, rate, duration and memory.
 */
export async function jobs(): Promise<Row[]> {
  await using it = await startJobFleet(JOBS, {
    workers: 2,
    environment: { LEASE_MS: "30000" },
  });
  await it.ended(await it.run("three"));
  const started = performance.now();
  const ids: string[] = [];
  for (let n = 0; n < RUNS; n += 20) {
    ids.push(...await Promise.all(Array.from({ length: 20 }, () => it.run("three"))));
  }
  const begun = performance.now();
  const open = async () => (await it.call("GET", "/admin/jobs/runs?status=running")).body.total;
  await until(async () => await open() === 0, "all runs", MAX_MS);
  const seconds = (performance.now() - started) / 1000;
  const [told] = await it.erp.owner.unsafe(
    "select count(*)::int as notes, count(distinct run)::int as runs from done",
  );
  const good = (await it.call("GET", "/admin/jobs/runs?status=succeeded")).body.total;
  const memory = () => Math.max(...it.fleet.workers.map(({ child }) => findResident(child.pid)));
  const before = memory();
  let most = before;
  const watching = setInterval(() => most = Math.max(most, memory()), 100);
  const loop = performance.now();
  const looping = await it.run("loop");
  const going = async () => (await it.show(looping)).status === "running";
  await until(async () => !await going(), "the loop", MAX_MS).finally(() =>
    clearInterval(watching)
  );
  const looped = (performance.now() - loop) / 1000;
  const { steps } = await it.show(looping);
  return [
    {
      what: `${RUNS} runs of three steps, two workers`,
      figure: `${(RUNS / seconds).toFixed(0)} runs/s`,
      note: `asked for within ${((begun - started) / 1000).toFixed(1)} s, ended within ${
        seconds.toFixed(1)
      } s`,
    },
    {
      what: "of these succeeded, done once",
      figure: `${good - 1}, ${Number(told?.["runs"]) - 1}`,
      note: `${Number(told?.["notes"]) - 1} rows written`,
    },
    {
      what: `for_each over ${ITEMS} rows, four at a time`,
      figure: `${(ITEMS / looped).toFixed(0)} items/s`,
      note: `${steps[1].row_count} done`,
    },
    {
      what: "memory of a worker meanwhile",
      figure: `+ ${Math.round(most - before)} MB`,
      note: `${Math.round(before)} MB before`,
    },
  ];
}

/** Returns the resident memory of a process in MB. */
export function findResident(pid: number | undefined): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) / 1024;
}
