import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { unitTests } from "#src/cli/conformance.ts";
import { createShippedValidation } from "#src/compose/judging.ts";
import { toWire, validateDocument } from "#src/gateway/validation/mod.ts";
import { loadSchema, type SchemaModel } from "#src/schematron/mod.ts";
import { casesFolder } from "#tests/conformance/support.ts";
import { type SaxonHe, saxonHe } from "#tests/support/saxon_he.ts";
import { saxonSchema } from "#tests/support/saxon_schematron.ts";
import { schematronToXslt } from "#tests/support/schematron_to_xslt.ts";
import { longInvoice } from "./long_invoice.ts";
import { median, type Row } from "./table.ts";

const HERE = import.meta.dirname ?? ".";
const CLI_FILES = 2_000;
const LARGE = 6_000;
const LINES = [100, 1_000, 4_000, 8_000];
const SETS = ["en16931-ubl", "br-fr-flux2-ubl"];
/** SaxonJS takes some hundred times as long as our validation. */
const EACH_OF_SAXON_JS = 20;

/**
 * Measures a complete validation (gate, schema, rules, advice, findings in both languages) of each reference document,
 * none twice in a pass. Also measures the command line on many files. Saxon-HE, or SaxonJS if it is missing, evaluates
 * the rules alone.
 */
export async function verdict(): Promise<Row[]> {
  const documents = referenceDocuments();
  const bytes = documents.reduce((sum, it) => sum + it.length, 0);
  const size = `${documents.length} documents, ${
    (bytes / documents.length / 1000).toFixed(1)
  } kB each`;
  const judging = createShippedValidation();
  const first = await pass(judging, documents);
  await pass(judging, documents);
  const warm = await pass(judging, documents);
  const rows: Row[] = [
    { what: "verdict, first pass", figure: `${mean(first).toFixed(2)} ms`, note: size },
    { what: "verdict, warm", figure: `${mean(warm).toFixed(2)} ms`, note: spread(warm) },
    ofLarge(documents, warm),
    ...await byLength(judging),
    ...await ofFiles(judging, process.argv.slice(2).filter((it) => it.endsWith(".xml"))),
  ];
  const folder = mkdtempSync(join(tmpdir(), "passerelle-verdict-"));
  try {
    for (const jobs of [1, 2, 1, 2]) rows.push(await commandLine(documents, folder, jobs));
    const saxon = saxonHe();
    rows.push(
      saxon
        ? await reference(saxon, documents, { folder, warm })
        : await ofSaxonJs(documents, warm),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
  return rows;
}

function referenceDocuments(): Uint8Array[] {
  const cases = casesFolder();
  const text = (...path: string[]) => readFileSync(join(cases, ...path), "utf8");
  const french = readdirSync(join(cases, "french")).filter((it) => it.endsWith(".xml"))
    .map((it) => text("french", it));
  const units = ["invoice-unit", "creditnote-unit"].flatMap((kind) =>
    readdirSync(join(cases, "cen", kind)).flatMap((it) =>
      unitTests(text("cen", kind, it)).map(({ xml }) => xml)
    )
  );
  return [...french, ...units].map((it) => new TextEncoder().encode(it));
}

/** Returns the milliseconds of each document. */
async function pass(
  judging: ReturnType<typeof createShippedValidation>,
  documents: readonly Uint8Array[],
): Promise<number[]> {
  const taken: number[] = [];
  for (const document of documents) {
    const from = performance.now();
    JSON.stringify(toWire(await validateDocument(judging, document), "fr"));
    taken.push(performance.now() - from);
  }
  return taken;
}

/** Measures documents of the size that companies usually send. */
function ofLarge(documents: readonly Uint8Array[], warm: readonly number[]): Row {
  const large = documents.flatMap((it, nth) => it.length > LARGE ? [nth] : []);
  const bytes = large.reduce((sum, nth) => sum + (documents[nth]?.length ?? NaN), 0);
  return {
    what: `verdict, warm, of the ${large.length} documents over ${LARGE / 1000} kB`,
    figure: `${mean(large.map((nth) => warm[nth] ?? NaN)).toFixed(2)} ms`,
    note: `${(bytes / large.length / 1000).toFixed(1)} kB each`,
  };
}

/**
 * Measures whether the time per line grows with the length of an invoice. The document of a long invoice outlives V8's
 * young generation, which copies it twice; beyond that the time per line is constant.
 */
async function byLength(judging: ReturnType<typeof createShippedValidation>): Promise<Row[]> {
  const rows: Row[] = [];
  let ofShort = NaN;
  for (const lines of LINES) {
    const ms = await repeat(judging, longInvoice(lines), { times: Math.ceil(40_000 / lines) });
    if (lines === LINES[0]) ofShort = ms / lines;
    else {
      rows.push({
        what: `verdict of one repeated invoice, a line of ${lines} against one of ${LINES[0]}`,
        figure: `× ${(ms / lines / ofShort).toFixed(2)}`,
        note: `${(ofShort * (LINES[0] ?? NaN)).toFixed(1)} and ${ms.toFixed(1)} ms`,
      });
    }
  }
  return rows;
}

/** Measures given documents, each repeated: `deno task bench verdict FILE.xml …`. */
async function ofFiles(
  judging: ReturnType<typeof createShippedValidation>,
  files: readonly string[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const file of files) {
    const document = readFileSync(file);
    const { findings } = await validateDocument(judging, document);
    const taken = await repeat(judging, document, { times: 500 });
    rows.push({
      what: `verdict of ${basename(file)}, repeated`,
      figure: `${taken.toFixed(2)} ms`,
      note: `${(document.length / 1000).toFixed(1)} kB, ${findings.length} findings`,
    });
  }
  return rows;
}

/** Returns the median milliseconds after the same number of warm-up runs. */
async function repeat(
  judging: ReturnType<typeof createShippedValidation>,
  document: Uint8Array,
  { times }: { times: number },
): Promise<number> {
  const documents = Array.from({ length: times }, () => document);
  await pass(judging, documents);
  return median(await pass(judging, documents));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, it) => sum + it, 0) / values.length;
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(2);
  return `median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms`;
}

/** Measures the command from start to end, alternately with one and two jobs. */
async function commandLine(
  documents: readonly Uint8Array[],
  folder: string,
  jobs: number,
): Promise<Row> {
  const files = Array.from({ length: CLI_FILES }, (_, nth) => {
    const file = join(folder, `${nth}.xml`);
    writeFileSync(file, documents[nth % documents.length] ?? new Uint8Array());
    return file;
  });
  const args = ["run", "-A", "--no-check", resolve(HERE, "../src/cli.ts"), "validate"];
  const from = performance.now();
  // It exits with 1 if a document is invalid.
  await promisify(execFile)(process.execPath, [...args, "--json", "--jobs", `${jobs}`, ...files], {
    maxBuffer: 1 << 30,
    env: { ...process.env, DATA_DIR: join(folder, "data") },
  }).catch(({ code }) => {
    if (code !== 1) throw new Error(`validate ended with ${code}`);
  });
  const taken = performance.now() - from;
  const each = `${(taken / CLI_FILES).toFixed(2)} ms a file`;
  return {
    what: `cli validate --jobs ${jobs}, ${CLI_FILES} files`,
    figure: `${(taken / 1000).toFixed(1)} s`,
    note: each,
  };
}

/** Measures SaxonJS on the rules alone, on the second run of some documents, compared with complete validations. */
async function ofSaxonJs(documents: readonly Uint8Array[], warm: readonly number[]): Promise<Row> {
  const references: Awaited<ReturnType<typeof saxonSchema>>[] = [];
  for (const set of SETS) references.push(await saxonSchema(getModel(set), { keep: true }));
  const taken: number[] = [];
  const verdicts: number[] = [];
  for (let nth = 0; nth < documents.length; nth += EACH_OF_SAXON_JS) {
    const text = new TextDecoder().decode(documents[nth]);
    const judge = () => references.forEach((it) => it.run(text));
    judge();
    const from = performance.now();
    judge();
    taken.push(performance.now() - from);
    verdicts.push(warm[nth] ?? NaN);
  }
  return {
    what: `SaxonJS, the rules alone, warm, ${taken.length} of the documents`,
    figure: `${mean(taken).toFixed(1)} ms`,
    note: `× ${(mean(taken) / mean(verdicts)).toFixed(0)}`,
  };
}

function getModel(set: string): SchemaModel {
  const path = resolve(HERE, `../xsl/rules/${set}/${set}.sch`);
  return loadSchema(path, (it) => readFileSync(it, "utf8"));
}

/** Measures the time per further document of a Saxon-HE process that has validated all of them once. */
async function reference(
  saxon: SaxonHe,
  documents: readonly Uint8Array[],
  { folder, warm }: { folder: string; warm: readonly number[] },
): Promise<Row> {
  let each = 0;
  for (const set of SETS) {
    const stylesheet = join(folder, `${set}.xsl`);
    writeFileSync(stylesheet, schematronToXslt(getModel(set)));
    const [once = 0, twice = 0] = [
      await rounds(saxon, { documents, stylesheet, folder, times: 1 }),
      await rounds(saxon, { documents, stylesheet, folder, times: 2 }),
    ];
    each += (twice - once) / documents.length;
  }
  return {
    what: "Saxon-HE, the rules alone, warm",
    figure: `${each.toFixed(2)} ms`,
    note: `× ${(each / mean(warm)).toFixed(1)}`,
  };
}

async function rounds(
  saxon: SaxonHe,
  { documents, stylesheet, folder, times }: {
    documents: readonly Uint8Array[];
    stylesheet: string;
    folder: string;
    times: number;
  },
): Promise<number> {
  const [source, output] = [join(folder, "in"), join(folder, "out")];
  mkdirSync(source);
  mkdirSync(output);
  for (let round = 0; round < times; round++) {
    for (const [nth, document] of documents.entries()) {
      writeFileSync(join(source, `${round}-${nth}.xml`), document);
    }
  }
  const from = performance.now();
  await saxon.transform({ stylesheet, source, output });
  const taken = performance.now() - from;
  for (const it of [source, output]) rmSync(it, { recursive: true });
  return taken;
}
