/**
 * Compares the tables of the schemas with libxml2 over mutants of the given and of random valid documents: `deno task
 * xsd-mutants [--count 1000000] [--seed 1] [DIR…]`. Prints every text that the tables accept and libxml2 refuses; none
 * may exist.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { accepts } from "#src/adapters/xsd/automaton/accepts.ts";
import { loadSchema } from "#src/adapters/xsd/automaton/load.ts";
import { type Libxml2, openLibxml2 } from "#src/adapters/xsd/libxml2.ts";
import type { SchemaTables } from "#src/adapters/xsd/automaton/tables.ts";
import { toMessage } from "#src/kernel/errors.ts";
import { parseXml, textOfXml, type XmlDocument } from "#src/xml/mod.ts";
import { randomFrom } from "#tests/schematron/random_xpath.ts";
import { mutant, parse, pick } from "./xsd_changes.ts";
import { getDocuments } from "./xsd_documents.ts";
import { xmlFiles } from "./xml_files.ts";

const SCHEMAS = resolve(import.meta.dirname ?? ".", "../../xsl/xsd");
const FILES = [
  "ubl-2.1/Invoice.xsd",
  "ubl-2.1/CreditNote.xsd",
  "cii-d16b/CrossIndustryInvoice.xsd",
  "cii-d22b/CrossIndustryInvoice.xsd",
  "cdar/CrossDomainAcknowledgementAndResponse.xsd",
];
/** Number of random documents that are mutated. */
const KEPT = 300;

/** Returns the tables of each shipped schema, and the file they were generated from. */
export function shippedTables(): { readonly path: string; readonly schema: SchemaTables }[] {
  return FILES.map((file) => {
    const path = join(SCHEMAS, file);
    const schema = loadSchema(path);
    if (schema === undefined) throw new Error(`${file} has no tables`);
    return { path, schema };
  });
}

/**
 * Yields random documents, their mutants and mutants of the given documents without end; the same seed gives the same.
 */
export function* trials(given: readonly XmlDocument[], seed: number): Generator<string> {
  const random = randomFrom(seed);
  const writers = FILES.map((file) => getDocuments(join(SCHEMAS, file)));
  const written = writers.map((write) => parseXml(write(random)));
  const some = () => random() < 0.5 || given.length === 0 ? written : given;
  for (;;) {
    if (random() < 0.1) {
      const text = pick(random, writers)(random);
      written[Math.floor(random() * Math.min(written.length + 1, KEPT))] = parseXml(text);
      yield text;
    } else yield mutant(pick(random, some()), some(), random);
  }
}

/** Result of a comparison. */
export interface Outcome {
  trials: number;
  /** Texts that our parser refuses. */
  unreadable: number;
  /** Texts that the tables accept. */
  accepted: number;
  /** Rejected texts that libxml2 also checked, and those of them that it found valid. */
  shown: number;
  valid: number;
  /** Texts that the tables accept and libxml2 does not, each after the reason. */
  readonly wrong: string[];
}

/** Checks `count` texts; of those that the tables reject, one in `every` is also checked by libxml2. */
export async function compareTrials(
  texts: Iterator<string>,
  { count, every, onProgress = () => {} }: {
    readonly count: number;
    readonly every: number;
    readonly onProgress?: (outcome: Outcome) => void;
  },
): Promise<Outcome> {
  const tables = shippedTables();
  const libxml2 = openLibxml2();
  const outcome: Outcome = {
    ...{ trials: 0, unreadable: 0, accepted: 0, shown: 0, valid: 0 },
    wrong: [],
  };
  for (let refused = 0; outcome.trials < count; outcome.trials++) {
    const document = parse(texts.next().value);
    if (document === undefined) outcome.unreadable++;
    else {
      for (const { path, schema } of tables) {
        if (!schema.namespaces.has(document.root.ns)) continue;
        const isAccepted = accepts(schema, document);
        if (!isAccepted && ++refused % every > 0) continue;
        const fault = await toFault(libxml2, path, document);
        outcome[isAccepted ? "accepted" : "shown"]++;
        if (!isAccepted && fault === undefined) outcome.valid++;
        if (isAccepted && fault !== undefined) outcome.wrong.push(`${fault}\n${document.source}`);
      }
    }
    if (outcome.trials % 10_000 === 0) onProgress(outcome);
  }
  libxml2.close();
  return outcome;
}

/** Returns libxml2's first error; its failure also counts as one. */
async function toFault(
  libxml2: Libxml2,
  path: string,
  document: XmlDocument,
): Promise<string | undefined> {
  try {
    const [error] = await libxml2.validate(path, document.source, document);
    return error && `${error.xpath} ${error.messageEn}`;
  } catch (error) {
    return toMessage(error);
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: "string", default: "1000000" },
      seed: { type: "string", default: "1" },
    },
  });
  const documents = positionals.flatMap((it) => xmlFiles(it)).flatMap((file) => {
    const document = parse(textOfXml(readFileSync(file)));
    return document === undefined ? [] : [document];
  });
  const tell = ({ wrong, ...counts }: Outcome) =>
    process.stdout.write(`${JSON.stringify(counts)} wrongly accepted: ${wrong.length}\n`);
  const outcome = await compareTrials(trials(documents, Number(values.seed)), {
    count: Number(values.count),
    every: 20,
    onProgress: tell,
  });
  tell(outcome);
  for (const text of outcome.wrong.slice(0, 20)) process.stdout.write(`---\n${text}\n`);
  process.exitCode = outcome.wrong.length > 0 ? 1 : 0;
}

if (import.meta.main) await main();
