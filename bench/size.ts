import { sql } from "drizzle-orm";
import { getRows } from "#src/ports/db.ts";
import { postgresUrl, redisUrl } from "#tests/support/db.ts";
import { type Fleet, startFleet } from "#tests/support/fleet.ts";
import { getChildren } from "./cpu.ts";
import { residentMegabytes } from "./memory.ts";
import { AS_SHIPPED, burst } from "./pipeline.ts";
import type { Row } from "./table.ts";

const COUNT = 300;
const LOOK_MS = 500;
const LARGEST = 6;

/** Measures bytes of the database per invoice, and memory and connections during a burst. */
export async function needs(): Promise<Row[]> {
  if (!postgresUrl || !redisUrl) {
    return [{ what: "needs", figure: "skipped", note: "TEST_DATABASE_URL and TEST_REDIS_URL" }];
  }
  await using fleet = await startFleet({ web: 1, workers: 1, environment: AS_SHIPPED });
  const [web] = fleet.web;
  if (!web) throw new Error("The fleet has no HTTP process");
  await burst(web, fleet.files, { count: 60, first: 100_000 });
  await fleet.quiet();
  const before = await readSizes(fleet);
  const peaks = watch(fleet);
  const ms = await burst(web, fleet.files, { count: COUNT, first: 200_000 })
    .finally(() => peaks.end());
  await fleet.quiet();
  const { web: webMb, worker, children, connections } = await peaks.end();
  const grown = grow(before, await readSizes(fleet));
  const whole = grown.reduce((sum, it) => sum + it.bytes, 0);
  const parts = grown.slice(0, LARGEST).map((it) => `${it.name} ${toKb(it.bytes)}`).join(", ");
  return [
    { what: "database, an invoice of an ERP report", figure: toKb(whole), note: parts },
    {
      what: "pipeline, one worker",
      figure: `${(COUNT / ms * 1000).toFixed(0)} invoices/s`,
      note: `burst of ${COUNT}`,
    },
    {
      what: "memory, largest in the burst",
      figure: `${webMb} MB web, ${worker} MB worker`,
      note: `child processes of the worker ${children} MB`,
    },
    {
      what: "connections to PostgreSQL, most",
      figure: String(connections),
      note: "one web, one worker, and five of the benchmark",
    },
  ];
}

interface Size {
  readonly name: string;
  readonly bytes: number;
}

/** Returns the bytes of each table, with its indexes and long values. */
async function readSizes({ database }: Fleet): Promise<Size[]> {
  await database.db.execute(sql`vacuum analyze`);
  const rows = await database.db.execute(sql`
    select relname as name, pg_total_relation_size(relid)::float8 as bytes
    from pg_stat_user_tables`);
  return getRows<{ name: string; bytes: number }>(rows);
}

/** Returns the growth of each table per invoice, largest first. */
function grow(before: readonly Size[], after: readonly Size[]): Size[] {
  const old = new Map(before.map((it) => [it.name, it.bytes]));
  return after.map(({ name, bytes }) => ({ name, bytes: (bytes - (old.get(name) ?? 0)) / COUNT }))
    .toSorted((one, other) => other.bytes - one.bytes);
}

/** Watches memory and connections until it is stopped. */
function watch({ web, workers, database }: Fleet) {
  const most = { web: 0, worker: 0, children: 0, connections: 0 };
  const look = async () => {
    const worker = workers[0]?.child.pid ?? 0;
    const children = await Promise.all(getChildren(worker).map(residentMegabytes));
    const rows = await database.db.execute(sql`
      select count(*)::int as n from pg_stat_activity where datname = current_database()`);
    const found = {
      web: await residentMegabytes(web[0]?.child.pid),
      worker: await residentMegabytes(worker),
      children: children.reduce((sum, it) => sum + it, 0),
      connections: getRows<{ n: number }>(rows)[0]?.n ?? 0,
    };
    for (const key of ["web", "worker", "children", "connections"] as const) {
      most[key] = Math.max(most[key], Math.round(found[key]));
    }
  };
  let last = Promise.resolve();
  const timer = setInterval(() => void (last = last.then(look)), LOOK_MS);
  return {
    async end() {
      clearInterval(timer);
      await last;
      return most;
    },
  };
}

function toKb(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} kB`;
}
