/**
 * Compares the rule engine with Saxon-HE over every XML file of a folder and prints the differences per rule: `deno
 * task compare --reference saxon DIR [--rules ID|FILE.sch,…] [--published FILE.xslt|FILE.sch] [--places]`. By default
 * the reference is the same rule set translated to XSLT, which compares types, casts and matching, but not the meaning
 * of the rules. With `--published` the reference is the published stylesheet of that one rule set.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type CompiledSchema, compileSchema, loadSchema } from "#src/schematron/mod.ts";
import { parseXml, XmlError } from "#src/xml/mod.ts";
import { saxonHe } from "#tests/support/saxon_he.ts";
import { type Fired, plainPath, saxonVerdicts } from "./saxon_verdicts.ts";
import { xmlFiles } from "./xml_files.ts";

const SETS = resolve(import.meta.dirname ?? ".", "../../xsl/rules");

interface Difference {
  readonly rule: string;
  /** Number of our findings beyond those of the reference. */
  readonly by: number;
  readonly file: string;
  readonly place: string;
}

export interface Outcome {
  documents: number;
  equal: number;
  /** Findings of the same rules at different positions. */
  elsewhere: number;
  /** Documents the reference could not process, and those of them for which we report an evaluation error. */
  unjudged: number;
  alsoFaulty: number;
  readonly differences: Map<string, Difference[]>;
}

export function newOutcome(): Outcome {
  return {
    documents: 0,
    equal: 0,
    elsewhere: 0,
    unjudged: 0,
    alsoFaulty: 0,
    differences: new Map(),
  };
}

/** Validates the files on both sides. */
export async function compareFiles(
  sides: {
    readonly rules: string;
    readonly reference: string;
    readonly places?: boolean;
    readonly read?: (path: string) => string;
  },
  files: readonly string[],
): Promise<Outcome> {
  const saxon = saxonHe();
  if (saxon === undefined) {
    throw new Error("Java and Saxon-HE (Debian: libsaxonhe-java) are needed");
  }
  const read = sides.read ?? ((path: string) => readFileSync(path, "utf8"));
  const schema = compileSchema(loadSchema(sides.rules, read), { read });
  const outcome = newOutcome();
  for await (const { file, fired, failure } of saxonVerdicts(saxon, sides.reference, files)) {
    const ours = judge(schema, file);
    outcome.documents++;
    if (fired === undefined || ours === undefined) {
      if (fired === undefined) outcome.unjudged++;
      if (fired === undefined && (ours === undefined || ours.some((it) => it.fault))) {
        outcome.alsoFaulty++;
      } else {
        note(outcome, {
          rule: fired ? "(refused)" : `(${failure.replace(/["(<].*$/, "").trim()})`,
          by: 1,
          file,
          place: "",
        });
      }
    } else if (addDifferences(outcome, { file, ours, fired })) {
      outcome.equal++;
      if (sides.places) addPlaces(outcome, { file, ours, fired });
    }
  }
  return outcome;
}

/** Returns undefined if the gate refuses the document. */
function judge(schema: CompiledSchema, file: string): Fired[] | undefined {
  try {
    const { failures } = schema.run(parseXml(readFileSync(file)), { now: new Date() });
    return failures.map(({ rule, location, kind }) => ({
      rule,
      place: plainPath(location),
      fault: kind === "not-evaluated",
    }));
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

interface Pair {
  readonly file: string;
  readonly ours: readonly Fired[];
  readonly fired: readonly Fired[];
}

/** Returns true if both sides report the same rules equally often; faults and findings count separately. */
function addDifferences(outcome: Outcome, { file, ours, fired }: Pair): boolean {
  const balance = new Map<string, number>();
  const nameOf = ({ rule, fault }: Fired) => fault ? `${rule} (not evaluated)` : rule;
  for (const it of ours) balance.set(nameOf(it), (balance.get(nameOf(it)) ?? 0) + 1);
  for (const it of fired) balance.set(nameOf(it), (balance.get(nameOf(it)) ?? 0) - 1);
  const off = [...balance].filter(([, by]) => by !== 0);
  for (const [rule, by] of off) {
    const place = [...ours, ...fired].find((it) => nameOf(it) === rule)?.place ?? "";
    note(outcome, { rule, by, file, place });
  }
  return off.length === 0;
}

function addPlaces(outcome: Outcome, { file, ours, fired }: Pair): void {
  const key = ({ rule, place }: Fired) => `${rule} at ${place}`;
  const theirs = fired.map(key);
  for (const it of ours.filter((it) => !it.fault)) { // the reference gives no position for evaluation errors
    const at = theirs.indexOf(key(it));
    if (at >= 0) theirs.splice(at, 1);
    else {
      outcome.elsewhere++;
      const there = fired.filter(({ rule }) => rule === it.rule).map(({ place }) => place);
      note(outcome, {
        rule: `${it.rule} (place)`,
        by: 1,
        file,
        place: `${it.place}, there ${there}`,
      });
    }
  }
}

function note(outcome: Outcome, difference: Difference): void {
  const known = outcome.differences.get(difference.rule);
  if (known === undefined) outcome.differences.set(difference.rule, [difference]);
  else known.push(difference);
}

/** Formats one line of totals, then a line per rule that differs. */
export function describe(name: string, outcome: Outcome): string {
  const { documents, equal, unjudged, alsoFaulty, differences } = outcome;
  const judged = documents - unjudged;
  const lines = [...differences].sort(([a], [b]) => a < b ? -1 : 1).map(([rule, list]) => {
    const [first] = list;
    const more = list.filter(({ by }) => by > 0).length;
    const counts = `${more} more, ${list.length - more} fewer`;
    return `    ${rule}: ${counts}, as in ${first?.file} ${first?.place}`;
  });
  const figures = `${documents} documents, ${judged} judged by the reference, ${equal} equal, ` +
    `${
      judged - equal
    } different; of ${unjudged} it gave up on we too cannot evaluate ${alsoFaulty}`;
  return [`${name}: ${figures}`, ...lines].join("\n") + "\n";
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      reference: { type: "string", default: "saxon" },
      rules: { type: "string", default: "en16931-ubl,br-fr-flux2-ubl" },
      published: { type: "string" },
      places: { type: "boolean", default: false },
    },
  });
  const [folder] = positionals;
  const rules = values.rules.split(",");
  if (folder === undefined || values.reference !== "saxon" || (values.published && rules[1])) {
    process.stderr.write(
      "Usage: compare --reference saxon DIR [--rules ID|FILE.sch,…] [--published SHEET] [--places]\n",
    );
    process.exitCode = 2;
    return;
  }
  const files = xmlFiles(folder);
  for (const name of rules) {
    const path = /\.sch$/i.test(name) ? name : getEntry(name);
    const reference = resolve(values.published ?? path);
    const outcome = await compareFiles({ rules: path, reference, places: values.places }, files);
    process.stdout.write(describe(name, outcome));
    if (outcome.differences.size > 0) process.exitCode = 1;
  }
}

/** Returns the schema file of a rule set, by the name of its folder. */
function getEntry(name: string): string {
  const manifest = JSON.parse(readFileSync(join(SETS, name, "ruleset.json"), "utf8"));
  return join(SETS, name, manifest.entry);
}

if (import.meta.main) await main();
