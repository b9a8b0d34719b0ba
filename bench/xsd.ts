/**
 * Measures the schema check by our tables, by libxml2-wasm and by xmllint-wasm, alternately on the same documents;
 * medians of one run. `deno run -A bench/xsd.ts`
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { validateXML } from "xmllint-wasm";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import { parseXml, type XmlDocument } from "#src/xml/mod.ts";
import { median, print } from "./table.ts";

const HERE = import.meta.dirname ?? ".";
const SCHEMAS = resolve(HERE, "../xsl/xsd/ubl-2.1");
const INVOICES = resolve(HERE, "../tests/golden/ubl");
const ROUNDS = 200;

const xsd = createXsd();
const valid = readdirSync(INVOICES).filter((name) => name.includes("-RI-"))
  .map((name) => parseXml(readFileSync(join(INVOICES, name))));
const [first] = valid;
if (first === undefined) throw new Error("there is no invoice");
const faulty = parseXml(first.source.replaceAll("cbc:IssueDate>", "cbc:IssuedOn>"));

/** Milliseconds per document; without the tree, libxml2 validates alone. */
const ways: Readonly<Record<string, () => Promise<number>>> = {
  tables: () => each(valid, (it) => xsd.validate("ubl-invoice", it.source, it)),
  libxml2: () => each(valid, (it) => xsd.validate("ubl-invoice", it.source)),
  faulty: () => each([faulty], (it) => xsd.validate("ubl-invoice", it.source, it)),
};
const begun: Record<string, number> = {};
for (const [name, work] of Object.entries(ways)) {
  begun[name] = await measure(() => work());
}
const taken: Record<string, number[]> = { tables: [], libxml2: [], faulty: [], xmllint: [] };
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, work] of Object.entries(ways)) taken[name]?.push(await work());
  if (round % 20 === 0) taken["xmllint"]?.push(await measure(() => xmllint(first)));
}
const size = valid.reduce((sum, it) => sum + it.source.length, 0) / valid.length / 1000;
const what = (name: string) => `${median(taken[name] ?? []).toFixed(3)} ms`;
const open = (name: string) => `first use ${begun[name]?.toFixed(0)} ms`;
print([
  {
    what: `valid invoice of ${size.toFixed(1)} kB, our tables`,
    figure: what("tables"),
    note: open("tables"),
  },
  { what: "the same, libxml2-wasm", figure: what("libxml2"), note: open("libxml2") },
  { what: "the same, xmllint-wasm", figure: what("xmllint") },
  { what: "faulty invoice: tables, then libxml2-wasm", figure: what("faulty") },
]);
process.exit(0);

async function each(
  documents: readonly XmlDocument[],
  work: (document: XmlDocument) => Promise<unknown>,
): Promise<number> {
  return await measure(async () => {
    for (const document of documents) await work(document);
  }) / documents.length;
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function xmllint({ source }: XmlDocument): Promise<void> {
  const files = readdirSync(SCHEMAS).map((fileName) => ({
    fileName,
    contents: readFileSync(join(SCHEMAS, fileName), "utf8"),
  }));
  const result = await validateXML({
    xml: [{ fileName: "invoice.xml", contents: source }],
    schema: files.filter(({ fileName }) => fileName === "Invoice.xsd"),
    preload: files.filter(({ fileName }) => fileName !== "Invoice.xsd"),
  });
  if (!result.valid) throw new Error(result.rawOutput);
}
