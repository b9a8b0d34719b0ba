import { count } from "drizzle-orm";
import { runs } from "#drizzle/schema/mod.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { postgresUrl, redisUrl } from "#tests/support/db.ts";
import { writeText } from "#tests/support/folder.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { cpuMs } from "./cpu.ts";
import { load } from "./guard.ts";
import { median, type Row } from "./table.ts";

const MS = 5_000;
const CONNECTIONS = 16;

/**
 * Measures how many files one HTTP process accepts through `/api/run` with `Prefer: respond-async` while no worker
 * runs. The process is killed at the end, and its accepted files are counted in the database.
 */
export async function accept(): Promise<Row[]> {
  const what = "runs accepted, one HTTP process, PostgreSQL and Redis";
  if (!postgresUrl || !redisUrl) {
    return [{ what, figure: "skipped", note: "TEST_DATABASE_URL and TEST_REDIS_URL" }];
  }
  await using fleet = await startFleet({ web: 1, workers: 0 });
  const [web] = fleet.web;
  if (!web?.child.pid) throw new Error("The fleet has no HTTP process");
  await writeText(fleet.files, "one.xml", await erpBurst(1, 100_000));
  const body = { template: "R42565", file: "one.xml", mode: "BURST" };
  const how = { token: "", connections: CONNECTIONS, body };
  const warm = await load(`${web.url}/api/run`, { ...how, ms: 2_000 });
  const before = cpuMs([web.child.pid]);
  const { times, failed } = await load(`${web.url}/api/run`, { ...how, ms: MS });
  const cpu = cpuMs([web.child.pid]) - before;
  await web.stop("SIGKILL");
  const [kept] = await fleet.database.db.select({ n: count() }).from(runs);
  const answered = times.length + warm.times.length;
  if ((kept?.n ?? 0) < answered) throw new Error(`${answered} were accepted, ${kept?.n} are there`);
  return [{
    what,
    figure: `${Math.round(times.length / MS * 1000)} /s`,
    note: `${(cpu / times.length).toFixed(2)} ms of the process's time each, median ${
      median(times).toFixed(1)
    } ms; ${failed} failed, none lost when it was killed`,
  }];
}
