/**
 * Why libxml2-wasm checks the schemas: the same document and schema through both libraries, medians of one run.
 * `deno run -A bench/xsd.ts`
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { validateXML } from "xmllint-wasm";
import { createLibxml2Xsd } from "#src/adapters/xsd/mod.ts";

const HERE = import.meta.dirname ?? ".";
const SCHEMAS = resolve(HERE, "../xsl/xsd/ubl-2.1");
const document = readFileSync(resolve(HERE, "../tests/golden/ubl/100006-RI-00001.xml"));

const xsd = createLibxml2Xsd();
const started = performance.now();
xsd.validate("ubl-invoice", document);
const first = performance.now() - started;
const warm = await median(500, () => Promise.resolve(xsd.validate("ubl-invoice", document)));
const other = await median(9, xmllint);
const kilobytes = (document.length / 1000).toFixed(1);
process.stdout.write(
  `${kilobytes} kB invoice: libxml2-wasm ${warm.toFixed(2)} ms (first ${first.toFixed(0)} ms), ` +
    `xmllint-wasm ${other.toFixed(0)} ms\n`,
);

async function xmllint(): Promise<void> {
  const files = readdirSync(SCHEMAS).map((fileName) => ({
    fileName,
    contents: readFileSync(join(SCHEMAS, fileName), "utf8"),
  }));
  const result = await validateXML({
    xml: [{ fileName: "invoice.xml", contents: document.toString("utf8") }],
    schema: files.filter(({ fileName }) => fileName === "Invoice.xsd"),
    preload: files.filter(({ fileName }) => fileName !== "Invoice.xsd"),
  });
  if (!result.valid) throw new Error(result.rawOutput);
}

async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let time = 0; time < times; time++) {
    const from = performance.now();
    await work();
    taken.push(performance.now() - from);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}
