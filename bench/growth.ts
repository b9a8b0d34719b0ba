import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import type { Storage } from "#src/ports/storage.ts";
import { postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { type ProductProcess, startProcess } from "#tests/support/processes.ts";
import { load } from "./guard.ts";
import { residentMegabytes } from "./memory.ts";
import { AS_SHIPPED, burst } from "./pipeline.ts";
import type { Row } from "./table.ts";

interface Work {
  readonly lists: number;
  readonly invoices: number;
  readonly pdfs: number;
}

interface Key {
  readonly fedoc: string;
  readonly fedct: string;
  readonly kco: string;
}

/**
 * Work after which all caches and code are loaded. With less, the embedded database has not yet filled its 16 MB of
 * buffers.
 */
const WARM: Work = { lists: 25_000, invoices: 2_500, pdfs: 250 };
const WHOLE: Work = { lists: 100_000, invoices: 10_000, pdfs: 1_000 };
/** Number of measurements, which show whether memory levels off. */
const PARTS = 4;
const BURST = 500;
/** Milliseconds to wait until no work is left. */
const REST_MS = 10_000;
const LOOKS = 10;

/** Measures the memory of each idle process after some work, and after each quarter of ten times as much. */
export async function growth(): Promise<Row[]> {
  return [...await embed(), ...postgresUrl && redisUrl ? await fleet() : []];
}

async function embed(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "passerelle-bench-"));
  await using product = await startProcess("start", { DATA_DIR: dataDir, POLL_SECONDS: "0" });
  const files = await folderStorage(dataDir);
  const rows = await grow({ embedded: product }, product, files);
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
  return rows;
}

async function fleet(): Promise<Row[]> {
  await using fleet = await startFleet({ web: 1, workers: 1, environment: AS_SHIPPED });
  const [[web], [worker]] = [fleet.web, fleet.workers];
  if (!web || !worker) throw new Error("The fleet lacks a process");
  return await grow({ web, worker }, web, fleet.files);
}

async function grow(
  watched: Readonly<Record<string, ProductProcess>>,
  web: ProductProcess,
  files: Storage,
): Promise<Row[]> {
  const hold = async () => {
    await after(REST_MS);
    const least = Object.fromEntries(Object.keys(watched).map((name) => [name, Infinity]));
    for (let look = 0; look < LOOKS; look++) {
      for (const [name, { child }] of Object.entries(watched)) {
        least[name] = Math.min(least[name] ?? NaN, await residentMegabytes(child.pid));
      }
      await after(500);
    }
    return least;
  };
  await done(web, files, { ...WARM, first: 1_000_000 });
  const looks = [await hold()];
  const { lists, invoices, pdfs } = WHOLE;
  const part = { lists: lists / PARTS, invoices: invoices / PARTS, pdfs: pdfs / PARTS };
  for (let number = 1; number <= PARTS; number++) {
    await done(web, files, { ...part, first: 1_000_000 * (number + 1) });
    looks.push(await hold());
  }
  return Object.keys(watched).map((name) => {
    const all = looks.map((it) => it[name] ?? NaN);
    const [from = NaN, to = NaN] = [all[0], all.at(-1)];
    return {
      what: `growth of ${name} by ${lists} lists, ${invoices} invoices, ${pdfs} PDFs`,
      figure: `${((to / from - 1) * 100).toFixed(0)} %`,
      note: `${
        all.map(Math.round).join(", ")
      } MB at rest, after a quarter of that, then each quarter`,
    };
  });
}

async function done(
  web: ProductProcess,
  files: Storage,
  { lists, invoices, pdfs, first }: Work & { readonly first: number },
): Promise<void> {
  for (let sent = 0; sent < invoices; sent += BURST) {
    await burst(web, files, { count: BURST, first: first + sent });
  }
  for (let asked = 0; asked < lists;) {
    const { times, failed } = await load(`${web.url}/api/invoices?pageSize=50`, {
      token: "",
      ms: 5_000,
      connections: 16,
    });
    if (failed) throw new Error(`${failed} lists failed`);
    asked += times.length;
  }
  for (let page = 1, made = 0; made < pdfs; page++) {
    const listed = await fetch(`${web.url}/api/invoices?pageSize=50&page=${page}`);
    const { invoices } = await listed.json() as { invoices: readonly Key[] };
    for (const { fedoc, fedct, kco } of invoices) {
      const pdf = await fetch(`${web.url}/api/invoices/${fedoc}-${fedct}-${kco}/pdf`);
      if (!pdf.ok || !(await pdf.arrayBuffer()).byteLength) throw new Error(`No PDF of ${fedoc}`);
      made++;
    }
  }
}
