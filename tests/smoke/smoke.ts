import { spawn } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { assertEquals } from "@std/assert";
import { linesOf, readInvoice, summaryOf, vatOf } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { type Collector, startCollector } from "#tests/support/collector.ts";
import { freePort } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";

const GOLDEN = join(import.meta.dirname ?? ".", "..", "golden");
const DEADLINE = 240_000;

/** Starts the product by a line of the README, as a newcomer would, and takes the sample burst through it over HTTP. */
async function main(line: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "passerelle-smoke-"));
  const port = await freePort();
  await using collector = await startCollector();
  // A group of its own: npx and npm do not hand signals on to what they start.
  const child = spawn("sh", ["-c", line], {
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      AUTH: "off",
      POLL_SECONDS: "1",
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_METRIC_EXPORT_INTERVAL: "1000",
    },
  });
  try {
    await walk(`http://127.0.0.1:${port}`, dataDir);
    process.stdout.write("smoke: 12 invoices deposited, figures equal to the samples\n");
    await until(() => hasTold(collector), "traces and metrics of it at a collector", DEADLINE);
    process.stdout.write("smoke: traces and metrics came to a collector\n");
  } finally {
    process.kill(-(child.pid ?? 0), "SIGTERM");
    await new Promise((resolve) =>
      child.exitCode === null ? child.once("exit", resolve) : resolve(0)
    );
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await rm(dataDir, { recursive: true, force: true }).catch(() => {});
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

async function compare(base: string, name: string): Promise<void> {
  const id = name.replace(/\.xml$/, "");
  const expected = readInvoice(parseXml(await readFile(join(GOLDEN, "ubl", name))));
  const summary = summaryOf(expected);
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
    linesOf(expected).map((it) => Number(it.lineAmount)),
    `${id} lines`,
  );
  const vat = await get(`${base}/api/invoices/${id}/vat`) as {
    vat: { taxAmount: number; taxableAmount: number }[];
  };
  assertEquals(
    vat.vat.map((it) => [it.taxableAmount, it.taxAmount]),
    vatOf(expected).map((it) => [Number(it.taxableAmount), Number(it.taxAmount)]),
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
