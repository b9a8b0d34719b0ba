import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcess } from "#tests/support/processes.ts";
import { median, type Row } from "./table.ts";

/** From the command to the first ready answer: with an empty data folder, and with one that is there. */
export async function startup(): Promise<Row[]> {
  const fresh: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < 3; round++) {
    const dataDir = await mkdtemp(join(tmpdir(), "passerelle-bench-"));
    fresh.push(await timed(dataDir));
    again.push(await timed(dataDir));
    await rm(dataDir, { recursive: true, force: true });
  }
  return [
    { what: "start, empty data folder", figure: `${(median(fresh) / 1000).toFixed(1)} s` },
    { what: "start, existing data folder", figure: `${(median(again) / 1000).toFixed(1)} s` },
  ];
}

async function timed(dataDir: string): Promise<number> {
  const begin = performance.now();
  await using product = await startProcess("start", { DATA_DIR: dataDir });
  const ms = performance.now() - begin;
  await product.stop();
  return ms;
}
