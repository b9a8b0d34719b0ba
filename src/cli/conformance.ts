import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createShippedValidation } from "#src/compose/judging.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { parseXml } from "#src/xml/mod.ts";
import { type Io, usage } from "./io.ts";

/** Returns the ids of the rules that fired for a document, one per occurrence. */
export type Validator = (xml: string) => string[] | Promise<string[]>;

/** Result of comparing a validator with the reference. */
export interface ConformanceResult {
  readonly name: string;
  documents: number;
  /** Number of documents, or of single expectations, that have a reference verdict. */
  compared: number;
  equal: number;
  /** Exceptions, with file and reason. */
  readonly failed: string[];
  /** Per rule, the files in which it fired too often or not often enough. */
  readonly different: Map<string, { readonly more: string[]; readonly fewer: string[] }>;
}

/**
 * Columns of `french/verdicts.tsv` and the rule set and version of their verdicts. The column `xsd` contains valid or
 * invalid.
 */
const COLUMNS = new Map([
  ["en16931", "en16931-ubl@1.3.16"],
  ["br-fr", "br-fr-flux2-ubl@1.4.0.03"],
]);
const SHOWN_FILES = 4;

/** Returns the validators of the shipped rule sets by id and version (`en16931-ubl@1.3.16`). */
export function createShippedValidators(): Map<string, Validator> {
  return new Map(
    createShippedValidation().rules.sets().map((set) => [
      `${set.manifest.id}@${set.manifest.version}`,
      (xml: string) => set.schema().run(parseXml(xml)).failures.map((failure) => failure.rule),
    ]),
  );
}

/**
 * Compares one column of `french/verdicts.tsv`. `!` marks a document that the reference could not validate; it must not
 * crash our validator either.
 */
export async function compareVerdicts(
  folder: string,
  column: string,
  judge: Validator,
): Promise<ConformanceResult> {
  const comparison = newComparison(`french ${column}`);
  const [head = "", ...lines] = readFileSync(join(folder, "verdicts.tsv"), "utf8").trim().split(
    "\n",
  );
  const at = head.split("\t").indexOf(column);
  for (const line of lines) {
    const cells = line.split("\t");
    const file = cells[0] ?? "";
    const verdict = cells[at] ?? "!";
    const fired = await compareDocument(comparison, {
      file,
      judge,
      xml: readFileSync(join(folder, file), "utf8"),
    });
    if (fired === undefined || verdict.startsWith("!")) continue;
    comparison.compared++;
    const expected = verdict === "-" ? [] : verdict.split(",");
    if (sameCounts(comparison, { file, fired, expected })) comparison.equal++;
  }
  return comparison;
}

/**
 * Runs the unit tests of one folder. Each document names a rule that must fire (`error`, `warning`) or must not
 * (`success`).
 */
export async function compareUnitTests(
  folder: string,
  judge: Validator,
): Promise<ConformanceResult> {
  const comparison = newComparison(`cen ${folder.split("/").at(-1)}`);
  for (const name of readdirSync(folder).sort()) {
    for (const [index, test] of unitTests(readFileSync(join(folder, name), "utf8")).entries()) {
      const file = `${name}#${index + 1}`;
      const fired = await compareDocument(comparison, { file, judge, xml: test.xml });
      if (fired !== undefined) checkExpectations(comparison, { file, fired, test });
    }
  }
  return comparison;
}

interface UnitTest {
  readonly xml: string;
  readonly expectations: readonly {
    readonly kind: string;
    readonly times: number;
    readonly rule: string;
  }[];
}

/** Splits a CEN test set as text, so that each document keeps its own namespace declarations. */
export function unitTests(source: string): UnitTest[] {
  const text = source.replace(/<!--[\s\S]*?-->/g, "");
  return [...text.matchAll(/<test\b[^>]*>\s*<assert>([\s\S]*?)<\/assert>([\s\S]*?)<\/test>/g)]
    .map(([, asserts = "", xml = ""]) => ({
      xml: xml.trim(),
      expectations: [
        ...asserts.matchAll(/<(error|warning|fatal|success)(?:\s+number="(\d+)")?\s*>([^<]*)</g),
      ].map(([, kind = "", times = "0", rule = ""]) => ({
        kind,
        times: Number(times),
        rule: rule.trim(),
      })),
    }));
}

function checkExpectations(
  comparison: ConformanceResult,
  { file, fired, test }: { file: string; fired: readonly string[]; test: UnitTest },
): void {
  for (const { kind, times, rule } of test.expectations) {
    comparison.compared++;
    const count = fired.filter((it) => it === rule).length;
    const wanted = kind === "success" ? 0 : times || Math.max(count, 1);
    if (count === wanted) comparison.equal++;
    else note(comparison, rule, { file, more: count > wanted });
  }
}

async function compareDocument(
  comparison: ConformanceResult,
  { file, judge, xml }: { file: string; judge: Validator; xml: string },
): Promise<string[] | undefined> {
  comparison.documents++;
  try {
    return await judge(xml);
  } catch (error) {
    comparison.failed.push(`${file}: ${toMessage(error)}`);
    return undefined;
  }
}

function sameCounts(
  comparison: ConformanceResult,
  { file, fired, expected }: {
    file: string;
    fired: readonly string[];
    expected: readonly string[];
  },
): boolean {
  const balance = new Map<string, number>();
  for (const rule of fired) balance.set(rule, (balance.get(rule) ?? 0) + 1);
  for (const rule of expected) balance.set(rule, (balance.get(rule) ?? 0) - 1);
  const off = [...balance].filter(([, count]) => count !== 0);
  for (const [rule, count] of off) note(comparison, rule, { file, more: count > 0 });
  return off.length === 0;
}

function note(
  { different }: ConformanceResult,
  rule: string,
  { file, more }: { file: string; more: boolean },
): void {
  const known = different.get(rule) ?? { more: [], fewer: [] };
  known[more ? "more" : "fewer"].push(file);
  different.set(rule, known);
}

function newComparison(name: string): ConformanceResult {
  return { name, documents: 0, compared: 0, equal: 0, failed: [], different: new Map() };
}

/** Returns true if the validator and the reference agree on every document. */
export function agrees({ compared, equal, failed }: ConformanceResult): boolean {
  return compared > 0 && compared === equal && failed.length === 0;
}

/** Formats one line of totals, then the differences of each rule. */
export function describe(comparison: ConformanceResult): string {
  const { name, documents, compared, equal, failed, different } = comparison;
  const files = (list: readonly string[]) =>
    list.slice(0, SHOWN_FILES).join(" ") + (list.length > SHOWN_FILES ? " …" : "");
  const rules = [...different].sort(([a], [b]) => a < b ? -1 : 1).flatMap(([rule, where]) =>
    (["more", "fewer"] as const).filter((side) => where[side].length > 0)
      .map((side) =>
        `    ${rule} fired ${side} often in ${where[side].length}: ${files(where[side])}`
      )
  );
  const figures = `${documents} documents, ${compared} compared, ${equal} equal, ` +
    `${compared - equal} different, ${failed.length} failed`;
  return [`${name}: ${figures}`, ...rules, ...failed.slice(0, 10).map((it) => `    failed ${it}`)]
    .join("\n") + "\n";
}

function createSchemaValidator(): Validator {
  const { xsd } = createShippedValidation();
  return async (xml) => {
    const kind = /^\s*(?:<\?[^>]*\?>\s*)*<(?:\w+:)?CreditNote\b/.test(xml)
      ? "ubl-creditnote"
      : "ubl-invoice";
    const tree = parseXml(xml);
    const errors = await xsd.validate(kind, tree.source, tree);
    return [errors.length === 0 ? "valid" : "invalid"];
  };
}

/** Exits with 0 if every reference verdict equals ours. */
export async function conformanceCommand([cases]: readonly string[], io: Io): Promise<number> {
  if (cases === undefined) {
    throw new AppError("invalid", usage("conformance DIR"));
  }
  const found = await compareAll(cases);
  for (const comparison of found) io.out(describe(comparison).trimEnd());
  return found.every(agrees) ? 0 : 1;
}

async function compareAll(cases: string): Promise<ConformanceResult[]> {
  const judges = createShippedValidators();
  const core = judges.get("en16931-ubl@1.3.16");
  const french = join(cases, "french");
  const found: ConformanceResult[] = [
    await compareVerdicts(french, "xsd", createSchemaValidator()),
  ];
  for (const [column, id] of COLUMNS) {
    const judge = judges.get(id);
    if (judge === undefined) throw new Error(`${id} does not ship`);
    found.push(await compareVerdicts(french, column, judge));
  }
  for (const folder of ["invoice-unit", "creditnote-unit"].map((it) => join(cases, "cen", it))) {
    if (core !== undefined && existsSync(folder)) found.push(await compareUnitTests(folder, core));
  }
  return found;
}
