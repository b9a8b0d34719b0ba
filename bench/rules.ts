/**
 * Measures the rule engine, including parsing, on invoices of 20 to 4000 lines, compared with SaxonJS on the same
 * rules. `deno run -A --v8-flags=--expose-gc bench/rules.ts [folder of rule sets] [rule set …]`; without names, EN
 * 16931 and the French rules. SaxonJS takes a minute to compile the rules once. The result is cached in the folder for
 * temporary files.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import {
  type CompiledSchema,
  compileSchema,
  loadSchema,
  type SchemaModel,
} from "#src/schematron/mod.ts";
import { writeCii } from "#src/domain/cii/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { saxonSchema } from "#tests/support/saxon_schematron.ts";
import { longInvoice } from "./long_invoice.ts";
import { median, print, type Row } from "./table.ts";

const HERE = import.meta.dirname ?? ".";
const [folder = resolve(HERE, "../xsl/rules"), ...named] = process.argv.slice(2);
const wanted = named.length > 0 ? named : ["en16931-ubl", "br-fr-flux2-ubl"];

const VALIDATIONS = 100_000;
const invoice20 = longInvoice(20);
const shipped = readdirSync(folder).filter((name) => findEntry(join(folder, name)) !== undefined);
const started = performance.now();
const sets = new Map(shipped.map((name) => {
  const model = load(join(folder, name));
  return [name, { model, schema: compileSchema(model) }];
}));
const loaded = performance.now() - started;
const assertions = [...sets.values()].reduce((sum, it) => sum + it.schema.assertions, 0);
const used = wanted.flatMap((name) => sets.get(name) ?? []);
const [models, schemas] = [used.map((it) => it.model), used.map((it) => it.schema)];
const rows: Row[] = [{
  what: `load and compile all ${sets.size} sets, ${assertions} assertions`,
  figure: `${loaded.toFixed(0)} ms`,
  note: "cold",
}];

const perLine = new Map<number, number>();
for (const lines of [20, 100, 1000, 4000]) {
  const document = longInvoice(lines);
  const taken = measure(() => judge(schemas, document), Math.max(15, Math.floor(60_000 / lines)));
  perLine.set(lines, taken / lines);
  const size = `${(document.length / 1000).toFixed(0)} kB`;
  rows.push({
    what: `${lines} lines`,
    figure: `${taken.toFixed(2)} ms`,
    note: `${size}, ${(1000 * taken / lines).toFixed(0)} µs a line`,
  });
}
const [short = NaN, long = NaN] = [perLine.get(100), perLine.get(4000)];
rows.push({ what: "time per line, 4000 lines to 100", figure: `× ${(long / short).toFixed(2)}` });
rows.push({
  what: "parsing alone, 20 lines",
  figure: `${measure(() => parseXml(invoice20), 600).toFixed(3)} ms`,
});
rows.push(...[20, 1000].flatMap(ciiBesideUbl));
rows.push(growth());
rows.push(...await saxon());
print(rows);

function load(path: string): SchemaModel {
  return loadSchema(join(path, findEntry(path) ?? ""), (file) => readFileSync(file, "utf8"));
}

/** Returns the set's own .sch file, or undefined if the path is not the folder of a rule set. */
function findEntry(path: string): string | undefined {
  if (!statSync(path).isDirectory()) return undefined;
  return readdirSync(path).find((file) => file.endsWith(".sch"));
}

function judge(by: readonly CompiledSchema[], document: Uint8Array): void {
  const doc = parseXml(document);
  for (const schema of by) schema.run(doc);
}

/**
 * Compares the same invoice in both syntaxes under the same rules. Returns nothing if the named rule sets cover only
 * one syntax.
 */
function ciiBesideUbl(lines: number): Row[] {
  const twins = wanted.flatMap((name) => sets.get(name.replace(/-ubl$/, "-cii"))?.schema ?? []);
  if (twins.length < schemas.length || twins.some((it) => schemas.includes(it))) return [];
  const ubl = longInvoice(lines);
  const cii = new TextEncoder().encode(writeCii(readInvoice(parseXml(ubl))));
  const times = Math.max(15, Math.floor(20_000 / lines));
  const taken: { ubl: number[]; cii: number[] } = { ubl: [], cii: [] };
  for (let time = -times; time < times; time++) {
    const [one, other] = [clocked(() => judge(schemas, ubl)), clocked(() => judge(twins, cii))];
    if (time < 0) continue; // to warm up
    taken.ubl.push(one);
    taken.cii.push(other);
  }
  const [forUbl, forCii] = [median(taken.ubl), median(taken.cii)];
  return [{
    what: `the same invoice as CII, ${lines} lines`,
    figure: `× ${(forCii / forUbl).toFixed(2)}`,
    note: `${forCii.toFixed(2)} ms beside ${forUbl.toFixed(2)} ms`,
  }];
}

function clocked(work: () => unknown): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

function measure(work: () => unknown, times: number): number {
  for (let time = 0; time < times; time++) work();
  const taken: number[] = [];
  for (let time = 0; time < times; time++) taken.push(clocked(work));
  return median(taken);
}

/** Measures the live heap after 3000 invoices and after 100,000 more; requires `--expose-gc`. */
function growth(): Row {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) {
    return { what: "heap growth", figure: "–", note: "needs --v8-flags=--expose-gc" };
  }
  const heap = (times: number) => {
    for (let time = 0; time < times; time++) judge(schemas, invoice20);
    collect();
    return process.memoryUsage().heapUsed;
  };
  const [before, after] = [heap(3000), heap(VALIDATIONS)];
  return {
    what: `live heap after another ${VALIDATIONS} invoices`,
    figure: `${((after - before) / 1e6).toFixed(2)} MB`,
  };
}

async function saxon(): Promise<Row[]> {
  const text = new TextDecoder().decode(invoice20);
  const references: Awaited<ReturnType<typeof saxonSchema>>[] = [];
  for (const model of models) references.push(await saxonSchema(model, { keep: true }));
  const taken = measure(() => references.map((it) => it.run(text)), 7);
  const ours = measure(() => judge(schemas, invoice20), 300);
  return [{
    what: "SaxonJS, 20 lines",
    figure: `${taken.toFixed(0)} ms`,
    note: `× ${(taken / ours).toFixed(0)}`,
  }];
}
