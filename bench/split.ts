/**
 * The splitter's speed and memory: `deno run -A bench/split.ts [MB]`. The report is made on the fly by repeating the
 * sample's twelve invoices.
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { splitXml } from "#src/xml/splitter.ts";

const SAMPLE = new URL("../tests/golden/erp/R42565-burst-12.xml", import.meta.url);
const CHUNK = 64 * 1024;

await main(Number(process.argv[2] ?? 100));

async function main(megabytes: number) {
  const sample = await readFile(SAMPLE);
  for (const size of [1, 10, megabytes]) await measure(sample, size);
}

async function measure(sample: Uint8Array, megabytes: number) {
  const before = process.memoryUsage().rss;
  const started = performance.now();
  let pieces = 0;
  let bytes = 0;
  let peak = 0;
  for await (const piece of splitXml(report(sample, megabytes * 1e6))) {
    pieces++;
    bytes = piece.offset + piece.length;
    if (pieces % 1000 === 0) peak = Math.max(peak, process.memoryUsage().rss);
  }
  const seconds = (performance.now() - started) / 1000;
  const grown = Math.max(0, peak - before) / 1e6;
  const speed = bytes / 1e6 / seconds;
  process.stdout.write(
    `${megabytes} MB, ${pieces} invoices: ${speed.toFixed(0)} MB/s, memory grew by ${
      grown.toFixed(0)
    } MB\n`,
  );
}

function* report(sample: Uint8Array, size: number): Generator<Uint8Array> {
  const text = new TextDecoder().decode(sample);
  const first = text.indexOf("<Invoice_Header_S11>");
  const encoder = new TextEncoder();
  yield encoder.encode(text.slice(0, first));
  const body = encoder.encode(text.slice(first, text.lastIndexOf("</R42565>")));
  const block = new Uint8Array(body.length * Math.ceil(CHUNK / body.length) + CHUNK);
  for (let at = 0; at < block.length; at++) block[at] = body[at % body.length] as number;
  const total = Math.ceil(size / body.length) * body.length;
  for (let at = 0; at < total; at += CHUNK) {
    const from = at % body.length;
    yield block.slice(from, from + Math.min(CHUNK, total - at));
  }
  yield encoder.encode("</R42565>\n");
}
