import { assert, assertEquals } from "@std/assert";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname ?? ".", "..");

/**
 * Who may import what. The first pattern that fits a file is its rule. OWN stands for the file's own feature, FACE for
 * another feature's `mod.ts`, NODE for Node's built-ins that do no I/O.
 */
const RULES: readonly (readonly [file: RegExp, mayImport: RegExp])[] = [
  [/^src\/kernel\//, /^src\/kernel\//],
  [/^src\/xml\//, /^src\/(kernel|xml)\//],
  [/^src\/schematron\//, /^src\/(kernel|xml|schematron)\//],
  [/^src\/domain\//, /^src\/(kernel|xml|domain)\//],
  [/^drizzle\/(schema|seed)\//, /^drizzle\/|^src\/(domain|ports)\/|^drizzle-orm/],
  [/^src\/ports\//, /^src\/(kernel|domain|ports|schematron|xml)\/|^drizzle|^zod$/],
  [/^src\/http\//, /^src\/(kernel|domain|ports|http)\/|^@?hono|^drizzle|NODE/],
  [
    /^src\/features\/\w+\/(\w+_)?(routes|schemas|wire)\.ts$/,
    /^src\/(kernel|domain|ports|http|xml)\/|^src\/deps\.ts|OWN|FACE|^@?hono|NODE/,
  ],
  [
    /^src\/features\/\w+\/(\w+_)?(store|views)\.ts$/,
    /^src\/(kernel|domain|ports)\/|^src\/deps\.ts|^drizzle|OWN|FACE|NODE/,
  ],
  [
    /^src\/features\//,
    /^src\/(kernel|domain|xml|schematron|ports)\/|^src\/deps\.ts|OWN|FACE|^zod$|NODE/,
  ],
  [
    /^src\/adapters\//,
    /^src\/(kernel|domain|xml|schematron|ports|adapters)\/|^drizzle\/|^(?!src\/|workers\/|OWN|FACE)/,
  ],
  [/^src\/sandbox\//, /^src\/(kernel|domain|xml|schematron|ports|sandbox)\/|^@?hono|^node:/],
  // A command that needs no database loads the files it uses and not a door that leads to one.
  [
    /^src\/cli\/(rules|rules_compare|validate)\.ts$/,
    /^src\/(kernel|domain|xml|ports|adapters|cli|features\/validation)\/|^src\/[a-z_]+\.ts|^node:/,
  ],
  [
    /^src\/cli\//,
    /^src\/(kernel|domain|xml|schematron|ports|adapters|cli)\/|^src\/[a-z_]+\.ts|FACE|^node:|^workers\//,
  ],
  [/^src\/[a-z_]+\.ts$/, /./], // the hall that leads to every room
  [
    /^workers\//,
    /^workers\/|^src\/(kernel|domain|ports)\/|^src\/(deps|compose|config)\.ts|^src\/adapters\/bullmq\/task_queue\.ts|FACE|^node:process/,
  ],
];

const PURE_NODE = /^node:(crypto|path|buffer|util|zlib)$/;

const files = globSync("{src,workers,drizzle/schema,drizzle/seed}/**/*.ts", { cwd: ROOT });
const sources = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));
const imports = [...sources].flatMap(([file, text]) =>
  [...text.matchAll(/^(?:import|export)[^;]*?\sfrom\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm)]
    .map(([, named, dynamic]) => ({ file, target: resolve(file, named ?? dynamic ?? "") }))
);

Deno.test("every import obeys the rules of the house", () => {
  assert(imports.length > 500, "the imports were found");
  const wrong = imports.filter(({ file, target }) => !isAllowed(file, target)).map((it) =>
    `${it.file} imports ${it.target}`
  );
  assertEquals(wrong, []);
});

Deno.test("features do not lean on each other in a circle", () => {
  let left = imports.map(({ file, target }) => [featureOf(file), featureOf(target)] as const)
    .filter(([from, to]) => from && to && from !== to);
  for (let before = -1; before !== left.length;) {
    before = left.length;
    left = left.filter(([, to]) => left.some(([from]) => from === to)); // drop what leads nowhere
  }
  assertEquals(left, []);
});

Deno.test("the environment is read in entry files only, the clock asked in its adapter only", () => {
  const entry =
    /^(src\/(main|cli|sandbox_pa|conformance)\.ts|workers\/main\.ts|src\/adapters\/saxon\/.*child.*)$/;
  assertEquals(filesWith(/\bprocess\.env\b|\bDeno\.env\b/).filter((file) => !entry.test(file)), []);
  assertEquals(
    filesWith(/\bnew Date\(\)/).filter((file) => !file.startsWith("src/adapters/clock/")),
    [],
  );
});

Deno.test("the outside is reached from adapters, entries and the command line only", () => {
  const mayFetch = /^src\/(adapters|sandbox|cli)\//;
  assertEquals(
    filesWith(/(?:await|return|=>|=|\()\s*fetch\(/).filter((file) => !mayFetch.test(file)),
    [],
  );
});

Deno.test("no file is longer than 400 lines, tables of codes excepted", () => {
  const tables = /^src\/domain\/invoice\/(status_catalogue|reasons)\.ts$/;
  const long = [...sources].filter(([file, text]) =>
    text.split("\n").length > 400 && !tables.test(file)
  ).map(([file]) => file);
  assertEquals(long, []);
});

function isAllowed(file: string, target: string): boolean {
  const rule = RULES.find(([pattern]) => pattern.test(file));
  if (!rule) throw new Error(`${file} stands in no room`);
  const own = featureOf(file) && featureOf(file) === featureOf(target) ? "OWN" : "";
  const face = /^src\/features\/\w+\/mod\.ts$/.test(target) ? "FACE" : "";
  const node = PURE_NODE.test(target) ? "NODE" : "";
  return [target, own, face, node].some((it) => it && rule[1].test(it));
}

function featureOf(path: string): string | undefined {
  return /^src\/features\/(\w+)\//.exec(path)?.[1];
}

function filesWith(pattern: RegExp): string[] {
  return [...sources].filter(([, text]) => pattern.test(withoutComments(text))).map(([file]) =>
    file
  );
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith("#")) return specifier.slice(1);
  return specifier.startsWith(".") ? join(dirname(file), specifier) : specifier;
}
