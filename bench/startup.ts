import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { type ProductProcess, startProcess } from "#tests/support/processes.ts";
import { cpuMs } from "./cpu.ts";
import { median, type Row } from "./table.ts";

const ROUNDS = 3;
/** Milliseconds until memory used only by the start is released. */
const IDLE_MS = 20_000;
/** Milliseconds until a first start has cached data for the next one. */
const SETTLE_MS = 3_000;

interface Start {
  readonly ms: number;
  readonly cpuMs: number;
}

/**
 * Measures the time from the command to the first ready answer, with an empty and an existing data folder. Also
 * measures the memory of each kind of process before any work.
 */
export async function startup(): Promise<Row[]> {
  const fresh: Start[] = [];
  const again: Start[] = [];
  const memory: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const dataDir = await mkdtemp(join(tmpdir(), "passerelle-bench-"));
    fresh.push(await measure(dataDir, () => after(SETTLE_MS)));
    again.push(
      await measure(dataDir, async (product) => {
        await after(IDLE_MS);
        memory.push(residentMb(product));
      }),
    );
    await rm(dataDir, { recursive: true, force: true });
  }
  return [
    getRow("start, empty data folder", fresh),
    getRow("start, existing data folder", again),
    { what: "resident when idle, embedded", figure: `${Math.round(median(memory))} MB` },
    ...await ofFleet(),
  ];
}

function getRow(what: string, starts: readonly Start[]): Row {
  const cpu = median(starts.map((it) => it.cpuMs)) / 1000;
  return {
    what,
    figure: `${(median(starts.map((it) => it.ms)) / 1000).toFixed(1)} s`,
    note: `${cpu.toFixed(1)} s of processor time`,
  };
}

async function measure(
  dataDir: string,
  use: (product: ProductProcess) => Promise<void>,
): Promise<Start> {
  const begin = performance.now();
  await using product = await startProcess("start", { DATA_DIR: dataDir });
  const start = { ms: performance.now() - begin, cpuMs: cpuMs([product.child.pid ?? 0]) };
  await use(product);
  await product.stop();
  return start;
}

async function ofFleet(): Promise<Row[]> {
  if (!postgresUrl || !redisUrl) return [];
  await using fleet = await startFleet({ web: 1, workers: 1 });
  await after(IDLE_MS);
  return [
    ...fleet.web.map((it) => ["web", it] as const),
    ...fleet.workers.map((it) => ["worker", it] as const),
  ].map(([role, process]) => ({
    what: `resident when idle, ${role}`,
    figure: `${Math.round(residentMb(process))} MB`,
  }));
}

function residentMb({ child }: ProductProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
