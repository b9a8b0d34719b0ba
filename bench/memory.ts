import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { erpBurst } from "#tests/support/erp.ts";
import { startProcess } from "#tests/support/processes.ts";
import type { Row } from "./table.ts";

const MEGABYTES = 100;
const WATCHED_MS = 60_000;

/** Measures how far memory rises above the warm size while 100 MB of ERP XML are split and processed for a minute. */
export async function burstMemory(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "passerelle-bench-"));
  const invoices = await writeBurst(join(dataDir, "large.xml"));
  await using product = await startProcess("start", { DATA_DIR: dataDir, POLL_SECONDS: "5" });
  await start(product.url, "warm.xml", join(dataDir, "warm.xml"));
  const before = await residentMegabytes(product.child.pid);
  const runId = await start(product.url, "large.xml");
  let peak = before;
  let split = 0;
  const begin = performance.now();
  while (performance.now() - begin < WATCHED_MS || !split) {
    peak = Math.max(peak, await residentMegabytes(product.child.pid));
    const run = await (await fetch(`${product.url}/api/runs/${runId}?pageSize=1`)).json();
    if (!split && run.state !== "splitting") split = performance.now() - begin;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await product.stop("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
  return [
    {
      what: `memory above the warm process, ${MEGABYTES} MB burst`,
      figure: `+${(peak - before).toFixed(0)} MB`,
      note: `${invoices} invoices, from ${before.toFixed(0)} MB`,
    },
    {
      what: `split of the ${MEGABYTES} MB burst into stored items`,
      figure: `${(split / 1000).toFixed(1)} s`,
      note: "while processing has begun",
    },
  ];
}

async function writeBurst(path: string): Promise<number> {
  const part = await erpBurst(1200, 1_000_000);
  const first = part.indexOf("<Invoice_Header_S11>");
  const last = part.lastIndexOf("</Invoice_Header_S11>") + "</Invoice_Header_S11>".length;
  const file = await open(path, "w");
  await file.write(part.slice(0, first));
  let bytes = 0;
  let rounds = 0;
  for (; bytes < MEGABYTES * 1024 * 1024; rounds++) {
    const text = part.slice(first, last).replaceAll(
      "<DocumentOrderInvoiceE_ID135>1",
      `<DocumentOrderInvoiceE_ID135>${rounds + 2}`,
    );
    bytes += (await file.write(`${text}\n`)).bytesWritten;
  }
  await file.write("</R42565>\n");
  await file.close();
  return rounds * 1200;
}

async function start(url: string, name: string, write?: string): Promise<string> {
  if (write) {
    const file = await open(write, "w");
    await file.write(await erpBurst(60, 10_000));
    await file.close();
  }
  const answer = await fetch(`${url}/api/run`, {
    method: "POST",
    headers: { "content-type": "application/json", ...!write && { prefer: "respond-async" } },
    body: JSON.stringify({ template: "R42565", file: name, mode: "BURST" }),
  });
  return (await answer.json()).runId;
}

/** Returns the resident memory of a process in MB, as the system reports it. */
export async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
