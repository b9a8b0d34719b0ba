/**
 * Creates mutants of the XML documents of a folder, each with one change close to the limits of a rule: `deno task
 * mutate DIR OUT [--count 20000] [--seed 1]`. The same seed gives the same mutants.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { parseXml, textOfXml, type XmlDocument, type XmlElement } from "#src/xml/mod.ts";
import { randomFrom } from "#tests/schematron/random_xpath.ts";
import { xmlFiles } from "./xml_files.ts";

/** Change of a document's text. */
interface Mutant {
  readonly what: string;
  readonly text: string;
}

type Random = () => number;

const NUMBER = /^\s*[+-]?\d+(?:\.\d*)?\s*$/;
const DATE = /^\s*\d{4}-\d\d-\d\d\s*$/;
const COMPACT_DATE = /^\d{8}$/;
const STEPS = ["0.01", "-0.01", "0.005", "0.02", "1", "-1", "0.99", "1.01", "-1.01", "100"];
const ODD_NUMBERS = [
  ...["0", "-0.00", "1E2", "1e-2", "12.345", "INF", "NaN", "", "abc", "1,5", "0x10"],
  ...["999999999999999.99", "5.500000000000000000001"],
];
const ODD_DATES = [
  "0000-01-01",
  "2025-02-30",
  "2024-02-29",
  "2026-11-20Z",
  "2026-11-20+02:00",
  "20261120",
  "-0044-03-15",
  "99999-01-01",
  "",
];
const ODD_TEXTS = [
  "",
  " ",
  "x",
  "ZZ",
  "\u00a0",
  "A".repeat(300),
  "'\"&<>".replace(/[&<>]/g, ""),
  "10\n20",
];
const ODD_CODES = [
  "384",
  "381",
  "380",
  "S",
  "Z",
  "E",
  "AE",
  "K",
  "G",
  "O",
  "L",
  "M",
  "B",
  "30",
  "58",
  "EUR",
  "USD",
  "FR",
  "0002",
  "0225",
  "VAT",
  "FC",
  "C62",
  "XX",
  "B7",
  "S1",
  "M1",
  "#AAB#",
  "PMT",
  "true",
  "0",
];

/** Yields `count` mutants, or fewer if the documents offer fewer changes. */
export function* readMutants(
  documents: readonly { readonly name: string; readonly text: string }[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Generator<Mutant & { readonly name: string }> {
  const random = randomFrom(seed);
  const parsed = documents.map(({ name, text }) => ({ name, document: parseXml(text) }));
  for (let made = 0, tried = 0; made < count && tried < 20 * count; tried++) {
    const { name, document } = parsed[tried % parsed.length] ?? pick(random, parsed);
    const mutant = mutate(document, random);
    if (mutant === undefined || mutant.text === document.source) continue;
    made++;
    yield { name, ...mutant };
  }
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function mutate(document: XmlDocument, random: Random): Mutant | undefined {
  const leaves = document.all.filter((it) => it.elements().length === 0);
  const numbers = leaves.filter((it) => NUMBER.test(it.text));
  const dates = leaves.filter((it) => DATE.test(it.text) || COMPACT_DATE.test(it.text));
  const kinds: (() => Mutant | undefined)[] = [
    () => mutateNumber(document, random, numbers),
    () => mutateNumber(document, random, numbers),
    () => mutateNumber(document, random, numbers),
    () => mutateDate(document, random, dates),
    () => mutateText(document, random, leaves),
    () => mutateText(document, random, leaves),
    () => mutateAttribute(document, random),
    () => repeatOrDrop(document, random),
    () => repeatOrDrop(document, random),
    () => mutatePrefix(document, random),
  ];
  return pick(random, kinds)();
}

function mutateNumber(
  document: XmlDocument,
  random: Random,
  numbers: readonly XmlElement[],
): Mutant | undefined {
  if (numbers.length === 0) return undefined;
  const element = pick(random, numbers);
  const old = element.text.trim();
  const value = random() < 0.65
    ? shift(old, pick(random, STEPS))
    : pick(random, [...ODD_NUMBERS, `+${old}`, ` ${old} `, `${old}00`, `-${old}`, `0${old}`]);
  return withText(document, element, value);
}

/** Adds decimals, with as many decimal places as the longer one has. */
function shift(number: string, by: string): string {
  const digits = Math.max(...[number, by].map((it) => (it.split(".")[1] ?? "").length));
  const units = [number, by].map((it) => Math.round(Number(it) * 10 ** digits));
  return (units.reduce((sum, it) => sum + it, 0) / 10 ** digits).toFixed(digits);
}

function mutateDate(
  document: XmlDocument,
  random: Random,
  dates: readonly XmlElement[],
): Mutant | undefined {
  if (dates.length === 0) return undefined;
  const element = pick(random, dates);
  const others = dates.map((it) => it.text);
  const value = pick(random, [...ODD_DATES, ...others, ` ${element.text} `, `${element.text}Z`]);
  return withText(document, element, value);
}

function mutateText(
  document: XmlDocument,
  random: Random,
  leaves: readonly XmlElement[],
): Mutant | undefined {
  if (leaves.length === 0) return undefined;
  const element = pick(random, leaves);
  const old = element.text;
  const same = leaves.filter((it) => it.local === element.local).map((it) => it.text);
  const value = pick(random, [
    ...ODD_TEXTS,
    ...[` ${old}`, `${old} `, old.toLowerCase(), old.toUpperCase(), `${old}x`, old.slice(1)],
    ...[old.slice(0, -1), `${old}${old}`, pick(random, ODD_CODES), pick(random, ODD_CODES)],
    pick(random, same),
  ]);
  return withText(document, element, value);
}

function withText({ source }: XmlDocument, element: XmlElement, value: string): Mutant | undefined {
  const { contentStart, contentEnd, qname } = element;
  if (source.charAt(contentStart - 2) === "/") return undefined;
  const text = source.slice(0, contentStart) + escape(value) + source.slice(contentEnd);
  return { what: `${qname} = "${value}"`, text };
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** Removes an attribute, changes its value, or adds an unknown one. */
function mutateAttribute({ source, all }: XmlDocument, random: Random): Mutant | undefined {
  const element = pick(random, all);
  const tag = source.slice(element.order, element.contentStart);
  const attributes = [...tag.matchAll(/\s(?!xmlns)([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')/g)];
  if (attributes.length === 0 || random() < 0.1) {
    const opened = tag.replace(/\s*\/?>$/, (end) => ` unknown="1"${end}`);
    return replace(source, {
      from: element.order,
      tag,
      by: opened,
      what: `${element.qname} @unknown`,
    });
  }
  const [whole, name = ""] = pick(random, attributes);
  const other = pick(random, [
    "",
    "EUR",
    "USD",
    "0002",
    "0225",
    "VAT",
    "XXX",
    "application/pdf",
    " ",
  ]);
  const by = random() < 0.4 ? tag.replace(whole, "") : tag.replace(whole, ` ${name}="${other}"`);
  return replace(source, { from: element.order, tag, by, what: `${element.qname} @${name}` });
}

function replace(
  source: string,
  { from, tag, by, what }: { from: number; tag: string; by: string; what: string },
): Mutant {
  return { what, text: source.slice(0, from) + by + source.slice(from + tag.length) };
}

/** Doubles an element, removes it, empties it, or moves it to the position of a sibling. */
function repeatOrDrop({ source, all }: XmlDocument, random: Random): Mutant | undefined {
  const element = pick(random, all.slice(1));
  if (element === undefined) return undefined;
  const { order, end, qname } = element;
  const whole = source.slice(order, end);
  const put = (by: string, what: string) =>
    replace(source, { from: order, tag: whole, by, what: `${qname} ${what}` });
  const other = pick(random, all.filter((it) => it.local === element.local));
  return pick<() => Mutant>(random, [
    () => put("", "dropped"),
    () => put("", "dropped"),
    () => put(whole + whole, "twice"),
    () => put(whole + source.slice(other.order, other.end), "beside another"),
    () => put(source.slice(other.order, other.end), "replaced by another"),
    () => put(`<${qname}/>`, "empty"),
    () => put(`<!-- x -->${whole}<?pi x?>`, "between comments"),
  ])();
}

/** Renames prefixes, or adds white space where it has no meaning. */
function mutatePrefix({ source }: XmlDocument, random: Random): Mutant | undefined {
  if (random() < 0.5) {
    return { what: "white space", text: source.replace(/>\s*</g, pick(random, [">\n\t<", "><"])) };
  }
  const prefixes = [...source.matchAll(/\sxmlns:([\w.-]+)=/g)].map(([, prefix = ""]) => prefix);
  if (prefixes.length === 0) return undefined;
  const prefix = pick(random, prefixes);
  const text = source.replaceAll(`xmlns:${prefix}=`, `xmlns:other=`)
    .replaceAll(`<${prefix}:`, "<other:").replaceAll(`</${prefix}:`, "</other:");
  return { what: `prefix ${prefix}`, text };
}

function main(): void {
  const { values, positionals: [from, to] } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: "string", default: "20000" },
      seed: { type: "string", default: "1" },
    },
  });
  if (from === undefined || to === undefined) {
    process.stderr.write("Usage: mutate DIR OUT [--count 20000] [--seed 1]\n");
    process.exitCode = 2;
    return;
  }
  mkdirSync(to, { recursive: true });
  const documents = xmlFiles(from).map((file) => ({
    name: basename(file).replace(/\.xml$/i, ""),
    text: textOfXml(readFileSync(file)),
  }));
  const list: string[] = [];
  const bounds = { count: Number(values.count), seed: Number(values.seed) };
  for (const { name, what, text } of readMutants(documents, bounds)) {
    const file = `${String(list.length).padStart(6, "0")}-${name}.xml`;
    writeFileSync(join(to, file), text);
    list.push(`${file}\t${what.replace(/\s+/g, " ")}`);
  }
  writeFileSync(join(to, "mutants.tsv"), list.join("\n") + "\n");
  process.stdout.write(`${list.length} mutants of ${documents.length} documents in ${to}\n`);
}

if (import.meta.main) main();
