import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import type { Storage } from "#src/ports/storage.ts";
import { writeText } from "#tests/support/folder.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { type ProductProcess, startProcess } from "#tests/support/processes.ts";
import { cpuMs, getChildren, name } from "./cpu.ts";
import type { Row } from "./table.ts";

const COUNT = 400;
/** Number of invoices at a month's end. The engines have then compiled the frequently used code. */
const LARGE = 2_000;
/** Shipped defaults, instead of the shorter intervals of the tests' fleet. */
export const AS_SHIPPED = { LEASE_MS: "30000", QUEUE_POLL_MS: "1000" };
/** Milliseconds between progress requests. Requests every 20 ms would take a tenth of the run's processor time. */
const ASK_EVERY_MS = 250;

/** Measures ERP XML to sent invoice (9906) with the embedded product, in one process. */
export async function embeddedPipeline(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "passerelle-bench-"));
  await using product = await startProcess("start", { DATA_DIR: dataDir, POLL_SECONDS: "0" });
  const rate = await throughput(product, await folderStorage(dataDir));
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
  return [{
    what: `pipeline, embedded, burst of ${COUNT}`,
    figure: `${rate.toFixed(0)} invoices/s`,
    note: "split to 9906",
  }];
}

/**
 * Measures the same on PostgreSQL and Redis: one HTTP process, two workers, the sandbox PA in the benchmark's process.
 */
export async function fleetPipeline(): Promise<Row[]> {
  if (!postgresUrl || !redisUrl) {
    const what = "pipeline, PostgreSQL + Redis, 2 workers";
    return [{ what, figure: "skipped", note: "TEST_DATABASE_URL and TEST_REDIS_URL" }];
  }
  await using fleet = await startFleet({
    web: 1,
    workers: 2,
    environment: { XSLT_PROCESSES: "1", ...AS_SHIPPED },
  });
  const [web] = fleet.web;
  if (!web) throw new Error("The fleet has no HTTP process");
  const pids = (processes: readonly ProductProcess[]) =>
    processes.flatMap((it) => it.child.pid ?? []);
  const workers = pids(fleet.workers);
  const measure = () => ({
    workers: cpuMs(workers),
    SaxonJS: cpuMs(workers.flatMap(getChildren)),
    PostgreSQL: cpuMs(name("postgres")),
    HTTP: cpuMs(pids(fleet.web)),
    "sandbox PA": cpuMs([process.pid]),
  });
  await burst(web, fleet.files, { count: 60, first: 100_000 });
  await burst(web, fleet.files, { count: COUNT, first: 200_000 });
  const rows: Row[] = [];
  for (const [count, first] of [[COUNT, 300_000], [LARGE, 400_000]] as const) {
    const before = measure();
    const ms = await burst(web, fleet.files, { count, first });
    const shares = Object.entries(measure()).map(([who, cpu]) => ({
      who,
      each: (cpu - before[who as keyof typeof before]) / count,
    }));
    const whole = shares.reduce((sum, it) => sum + it.each, 0);
    rows.push({
      what: `pipeline, PostgreSQL + Redis, 2 workers, burst of ${count}`,
      figure: `${(count / ms * 1000).toFixed(0)} invoices/s`,
      note: "split to 9906",
    }, {
      what: "of it, processor time of an invoice",
      figure: `${whole.toFixed(1)} ms`,
      note: shares.map(({ who, each }) => `${who} ${each.toFixed(1)}`).join(", "),
    });
  }
  return rows;
}

/** Returns invoices per second of the second of two bursts; the first warms up the stylesheet processes. */
async function throughput(product: ProductProcess, files: Storage): Promise<number> {
  await burst(product, files, { count: 60, first: 100_000 });
  const ms = await burst(product, files, { count: COUNT, first: 200_000 });
  return COUNT / (ms / 1000);
}

/** Returns the duration of a run in milliseconds, from its recorded times. */
export async function burst(
  { url }: ProductProcess,
  files: Storage,
  { count, first }: { count: number; first: number },
): Promise<number> {
  const file = `burst-${first}.xml`;
  await writeText(files, file, await erpBurst(count, first));
  const { runId } = await call(`${url}/api/run`, "POST", {
    template: "R42565",
    file,
    mode: "BURST",
  });
  for (const end = Date.now() + 120_000; Date.now() < end;) {
    await delay(ASK_EVERY_MS);
    const run = await call(`${url}/api/runs/${runId}?pageSize=1`, "GET");
    if (run["state"] !== "finished") continue;
    if (!run["success"]) throw new Error(JSON.stringify(run).slice(0, 2000));
    return Date.parse(String(run["finishedAt"])) - Date.parse(String(run["createdAt"]));
  }
  throw new Error("The burst did not end");
}

async function call(url: string, method: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method,
    headers: { "content-type": "application/json", prefer: "respond-async" },
    ...body !== undefined && { body: JSON.stringify(body) },
  });
  return await answer.json();
}
