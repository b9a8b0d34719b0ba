/**
 * Validates the examples of published releases by their own rules, in our engine and in Saxon-HE. Prints per family
 * which rules load and which results are equal: `deno task families DIR [--family NAME] [--examples 20]`. A family is a
 * folder of DIR. Separate files of a release, such as a code database or stylesheets, are found by name and version
 * within the family. The reference of a schema is its published stylesheet, else its own translation to XSLT.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { compileSchema, loadSchema, type SchemaModel } from "#src/schematron/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { compareFiles, describe, newOutcome, type Outcome } from "./compare.ts";

/** Files of one family, as paths. */
interface Family {
  readonly name: string;
  readonly schemas: readonly string[];
  readonly sheets: readonly string[];
  readonly examples: readonly Example[];
  readonly read: (path: string) => string;
}

interface Example {
  readonly path: string;
  /** Local name of the root element. */
  readonly root: string;
}

interface Tally {
  readonly refused: string[];
  loaded: number;
  distinct: number;
  byPublished: number;
  readonly outcome: Outcome;
}

function familyIn(collection: string, name: string): Family {
  const root = join(collection, name);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).sort()
    .map((path) => join(root, path));
  const ending = (end: RegExp) => files.filter((path) => end.test(path));
  return {
    name,
    schemas: ending(/\.sch$/i).filter((path) => isSchema(path)),
    sheets: ending(/\.xslt?$/i),
    examples: examplesIn(ending(/\.xml$/i).filter((path) => path.includes("test-files"))),
    read: (path) => readFileSync(existsSync(path) ? path : nearest(files, path) ?? path, "utf8"),
  };
}

/** Returns true for a schema that is not included by others. */
function isSchema(path: string): boolean {
  const text = readFileSync(path, "utf8").replace(/<!--[\s\S]*?-->/g, "");
  return /<([\w-]+:)?schema[\s>]/.test(text);
}

/** Returns each distinct content once; unreadable files are skipped. */
function examplesIn(paths: readonly string[]): readonly Example[] {
  const seen = new Set<string>();
  return paths.flatMap((path) => {
    const bytes = readFileSync(path);
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (seen.has(hash)) return [];
    seen.add(hash);
    try {
      return [{ path, root: parseXml(bytes).root.local }];
    } catch {
      return [];
    }
  });
}

/**
 * Returns the file with the same base name that shares most folders of its path. The version is in a name or folder.
 */
function nearest(files: readonly string[], path: string): string | undefined {
  const stem = getStem(path);
  const folders = getFolders(path).filter((name) => /\d/.test(name));
  return byCloseness(files.filter((it) => getStem(it) === stem), path).find((it) =>
    /\d\.\d/.test(stem) || getFolders(it).some((name) => folders.includes(name))
  );
}

function getStem(path: string): string {
  return basename(path).toLowerCase().replace(/^preprocessed-|\.(sch|xslt?|xml)$/g, "");
}

function getFolders(path: string): readonly string[] {
  return dirname(path).split(sep);
}

function byCloseness(files: readonly string[], path: string): readonly string[] {
  const folders = new Set(getFolders(path));
  const shared = (file: string) => getFolders(file).filter((name) => folders.has(name)).length;
  return [...files].sort((a, b) => shared(b) - shared(a));
}

/** Returns the stylesheet generated from this schema: same name and same tests. Editions and languages share names. */
function publishedOf(family: Family, path: string, model: SchemaModel): string | undefined {
  const sheet = nearest(family.sheets, path);
  if (sheet === undefined) return undefined;
  const written = readFileSync(sheet, "utf8");
  const made = new Set(
    parseXml(written).all.flatMap((it) => it.attr("test") ?? "").map(plain),
  );
  const checks = model.patterns.flatMap((it) => it.rules.flatMap((rule) => rule.checks));
  return checks.every((it) => made.has(plain(it.test.text))) ? sheet : undefined;
}

function plain(expression: string): string {
  return expression.replace(/\s+/g, "");
}

/** Returns examples whose root element the rules name, those of the same version first. */
function getExamples(family: Family, path: string, model: SchemaModel): readonly string[] {
  const contexts = model.patterns.flatMap((it) => it.rules.map((rule) => rule.context.text)).join();
  const named = family.examples.filter(({ root }) => new RegExp(`\\b${root}\\b`).test(contexts));
  const fitting = named.length > 0 ? named : family.examples;
  return byCloseness(fitting.map((it) => it.path), path);
}

async function compareFamily(family: Family, most: number): Promise<Tally> {
  const tally = { refused: [] as string[], loaded: 0, distinct: 0, byPublished: 0 };
  const total = newOutcome();
  const seen = new Set<string>();
  for (const path of family.schemas) {
    const model = load(family, path);
    if (typeof model === "string") {
      tally.refused.push(`${path}: ${model}`);
      continue;
    }
    tally.loaded++;
    const said = fingerprint(model);
    const files = getExamples(family, path, model).slice(0, most);
    if (seen.has(said)) continue;
    seen.add(said);
    tally.distinct++;
    if (files.length === 0) continue;
    const published = publishedOf(family, path, model);
    if (published !== undefined) tally.byPublished++;
    const sides = { rules: path, reference: published ?? path, read: family.read };
    try {
      const outcome = await compareFiles(sides, files);
      add(total, outcome);
      if (outcome.differences.size > 0) {
        process.stdout.write(describe(`  ${path} (${sides.reference})`, outcome));
      }
    } catch (error) {
      process.stdout.write(`  ${path}: ${error instanceof Error ? error.message : error}\n`);
    }
  }
  return { ...tally, outcome: total };
}

function load(family: Family, path: string): SchemaModel | string {
  try {
    const model = loadSchema(path, family.read);
    compileSchema(model, { read: family.read });
    return model;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns the same value for schemas that differ only in their location. */
function fingerprint(model: SchemaModel): string {
  const text = JSON.stringify(
    model,
    (key, value) => key === "place" || key === "file" || key === "prefixes" ? undefined : value,
  );
  return createHash("sha256").update(text).digest("hex");
}

function add(total: Outcome, outcome: Outcome): void {
  for (const key of ["documents", "equal", "elsewhere", "unjudged", "alsoFaulty"] as const) {
    total[key] += outcome[key];
  }
}

async function main(): Promise<void> {
  const { values, positionals: [folder] } = parseArgs({
    allowPositionals: true,
    options: {
      family: { type: "string" },
      examples: { type: "string", default: "20" },
    },
  });
  if (folder === undefined) {
    process.stderr.write("Usage: families DIR [--family NAME] [--examples 20]\n");
    process.exitCode = 2;
    return;
  }
  const collection = resolve(folder);
  const names = readdirSync(collection, { withFileTypes: true })
    .filter((it) => it.isDirectory()).map((it) => it.name).sort();
  for (const name of names.filter((it) => it === (values.family ?? it))) {
    const family = familyIn(collection, name);
    if (family.schemas.length === 0) continue;
    const tally = await compareFamily(family, Number(values.examples));
    for (const it of tally.refused) process.stdout.write(`  ${relative(collection, it)}\n`);
    const { documents, equal, unjudged } = tally.outcome;
    process.stdout.write(
      `${name}: ${tally.loaded} of ${family.schemas.length} schemas load, ${tally.distinct} distinct, ` +
        `${tally.byPublished} by their published stylesheet; ${documents - unjudged} verdicts, ` +
        `${equal} equal; ${unjudged} the reference gave up on\n`,
    );
  }
}

if (import.meta.main) await main();
