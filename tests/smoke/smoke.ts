import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { Agent, get as httpGet, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { gunzipSync } from "node:zlib";
import { assertEquals } from "@std/assert";
import { readInvoice, summarizeInvoice, toLineRows, toVatRows } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { type Collector, startCollector } from "#tests/support/collector.ts";
import { freePort } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";

const GOLDEN = join(import.meta.dirname ?? ".", "..", "golden");
const DEADLINE = 240_000;
/** Lines outside the log that a start may print, for example of npx. */
const MAX_PLAIN_LINES = 10;

/** Starts the product with a line of the README, as a newcomer would, and processes the sample burst over HTTP. */
async function main(line: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "passerelle-smoke-"));
  const port = await freePort();
  await using collector = await startCollector();
  // Without packages of earlier starts, as a newcomer has it.
  const home = await mkdtemp(join(tmpdir(), "passerelle-home-"));
  // A separate process group, because npx and npm do not forward signals to their children.
  const child = spawn("sh", ["-c", line], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...line.includes("npx") && { HOME: home, DENO_DIR: "" },
      PORT: String(port),
      DATA_DIR: dataDir,
      AUTH: "off",
      DRAIN_SECONDS: "5",
      POLL_SECONDS: "1",
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_METRIC_EXPORT_INTERVAL: "1000",
    },
  });
  const told: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text: Buffer) => {
      process.stdout.write(text);
      told.push(text.toString());
    });
  }
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const base = `http://127.0.0.1:${port}`;
  const stop = () => process.kill(-(child.pid ?? 0), "SIGTERM");
  let isStopped = false;
  try {
    await walk(base, dataDir);
    process.stdout.write("smoke: 12 invoices deposited, figures equal to the samples\n");
    const plain = told.join("").split("\n").filter((it) => it && !it.startsWith("{"));
    if (plain.length > MAX_PLAIN_LINES) throw new Error(`The start prints ${plain.length} lines`);
    process.stdout.write("smoke: the start prints its log and hardly more\n");
    await until(() => hasTold(collector), "traces and metrics of it at a collector", DEADLINE);
    process.stdout.write("smoke: traces and metrics came to a collector\n");
    await unpack(base);
    process.stdout.write("smoke: JSON is compressed for clients that accept it\n");
    isStopped = true;
    await leave(base, stop);
    process.stdout.write("smoke: after SIGTERM readers are answered and asked to leave\n");
  } finally {
    if (!isStopped) stop();
    await exited;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const it of [dataDir, home]) {
      await rm(it, { recursive: true, force: true }).catch(() => {});
    }
  }
}

function hasTold({ spans, metrics }: Collector): boolean {
  const isTraced = ["POST /api/run", "task process_items", "PA POST"].every((name) =>
    spans.some((it) => it.name === name)
  );
  return isTraced && metrics.has("passerelle_http_request_duration_seconds");
}

async function walk(base: string, dataDir: string): Promise<void> {
  await until(
    () => fetch(`${base}/api/readyz`).then((it) => it.ok, () => false),
    "the product to be ready",
    DEADLINE,
  );
  const file = join(dataDir, "burst.xml");
  await cp(join(GOLDEN, "erp", "R42565-burst-12.xml"), file);
  const run = await post(`${base}/api/run`, { template: "R42565", file, mode: "BURST" });
  if (!run["success"]) throw new Error(`The run failed: ${JSON.stringify(run).slice(0, 3000)}`);
  await until(
    async () => (await get(`${base}/api/invoices?status=10`))["total"] === 12,
    "12 deposited invoices",
    DEADLINE,
  );
  for (const name of await readdir(join(GOLDEN, "ubl"))) await compare(base, name);
  const lived = await get(`${base}/api/invoices/100000-RI-00001/lifecycle`) as {
    events: { statusCode: string }[];
  };
  const codes = lived.events.map((it) => it.statusCode);
  assertEquals(codes.slice(0, 3), ["9900", "9901", "9906"]);
}

/** Reads a document packed and plain, which must be equal. */
async function unpack(base: string): Promise<void> {
  const url = `${base}/openapi.json`;
  const plain = await read(url);
  const packed = await read(url, { headers: { "accept-encoding": "gzip" } });
  assertEquals(packed.headers["content-encoding"], "gzip");
  assertEquals(gunzipSync(packed.bytes).toString(), plain.bytes.toString());
}

/**
 * Stops the product while a client keeps a connection open. While it drains, `/api/readyz` answers 503, other calls are
 * served, and each answer closes its connection.
 */
async function leave(base: string, stop: () => void): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string) => read(base + path, { agent });
  assertEquals((await ask("/api/readyz")).status, 200);
  stop();
  await until(async () => (await ask("/api/readyz")).status === 503, "readyz to answer 503");
  for (const path of Array(10).fill(["/api/healthz", "/api/readyz", "/api/invoices"]).flat()) {
    const { status, headers } = await ask(path);
    const expected = path === "/api/readyz" ? 503 : 200;
    assertEquals([path, status, headers["connection"]], [path, expected, "close"]);
  }
  agent.destroy();
  const isGone = () => fetch(`${base}/api/healthz`).then((it) => it.body?.cancel(), () => true);
  await until(async () => await isGone() === true, "the product to end");
}

/** Reads an answer without unpacking it. Rejects if the connection is refused or reset. */
async function read(
  url: string,
  options: { agent?: Agent; headers?: Record<string, string> } = {},
) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpGet(url, options, resolve).on("error", reject);
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const { statusCode: status, headers } = answer;
  return { status, headers, bytes: Buffer.concat(chunks) };
}

async function compare(base: string, name: string): Promise<void> {
  const id = name.replace(/\.xml$/, "");
  const expected = readInvoice(parseXml(await readFile(join(GOLDEN, "ubl", name))));
  const summary = summarizeInvoice(expected);
  const list = await get(`${base}/api/invoices?ublNumber=${summary.ublNumber}`) as {
    invoices: Record<string, unknown>[];
  };
  const [found] = list.invoices;
  assertEquals(found?.["totalHT"], Number(summary.totalHT), `${id} totalHT`);
  assertEquals(found?.["totalTTC"], Number(summary.totalTTC), `${id} totalTTC`);
  const lines = await get(`${base}/api/invoices/${id}/lines`) as {
    lines: { lineAmount: number; taxRate: number }[];
  };
  assertEquals(
    lines.lines.map((it) => it.lineAmount),
    toLineRows(expected).map((it) => Number(it.lineAmount)),
    `${id} lines`,
  );
  const vat = await get(`${base}/api/invoices/${id}/vat`) as {
    vat: { taxAmount: number; taxableAmount: number }[];
  };
  assertEquals(
    vat.vat.map((it) => [it.taxableAmount, it.taxAmount]),
    toVatRows(expected).map((it) => [Number(it.taxableAmount), Number(it.taxAmount)]),
    `${id} VAT`,
  );
}

async function get(url: string): Promise<Record<string, unknown>> {
  return await (await fetch(url)).json();
}

async function post(url: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return await answer.json();
}

main(process.argv[2] ?? "").then(() => process.exit(0), (error) => {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exit(1);
});
