import { assert, assertEquals } from "@std/assert";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lengthProblems } from "#tests/lengths.ts";
import { testsIn } from "#tests/support/room.ts";
import { findFeature, findRoom, isDoor, subRoom } from "#tests/support/rooms_of.ts";

const ROOT = join(import.meta.dirname ?? ".", "..");

/**
 * Rules of imports. The first pattern that matches a file applies. OWN stands for the file's own feature, FACE for
 * another feature's `mod.ts`, NODE for Node's built-ins without I/O.
 */
const RULES: readonly (readonly [file: RegExp, mayImport: RegExp])[] = [
  [/^src\/kernel\//, /^src\/kernel\/|^(diff|lru-cache|node:crypto)$/],
  [/^src\/xml\//, /^src\/(kernel|xml)\//],
  [/^src\/schematron\//, /^src\/(kernel|xml|schematron)\//],
  [/^src\/domain\//, /^src\/(kernel|xml|domain)\/|^croner$/],
  [/^drizzle\/(schema|seed)\//, /^drizzle\/|^src\/(kernel|domain|ports)\/|^drizzle-orm/],
  [
    /^src\/definitions\//,
    /^src\/(kernel|domain|definitions)\/|^(zod|@messageformat\/parser|json-p3|lru-cache|re2js)$/,
  ],
  [/^src\/invoice_page\//, /^src\/(kernel|domain|invoice_page)\//],
  [/^src\/ports\//, /^src\/(kernel|domain|definitions|ports|schematron|xml)\/|^drizzle|^zod$/],
  [/^src\/http\//, /^src\/(kernel|domain|ports|http)\/|^@?hono|^drizzle|NODE/],
  // Shared list queries without a public module: stores and views import their files directly.
  [/^src\/platform\/lists\//, /^src\/(kernel|ports|platform\/lists)\/|^drizzle/],
  [
    /^src\/(framework|gateway|platform)\/(\w+\/){1,2}(\w+_)?(routes|schemas|wire)\.ts$/,
    /^src\/(kernel|domain|definitions|ports|http|xml)\/|^src\/deps\.ts|OWN|FACE|^@?hono|NODE/,
  ],
  [
    /^src\/(framework|gateway|platform)\/(\w+\/){1,2}(\w+_)?(store|views)\.ts$/,
    /^src\/(kernel|domain|definitions|ports|platform\/lists)\/|^src\/deps\.ts|^drizzle|OWN|FACE|NODE/,
  ],
  [
    /^src\/(framework|gateway|platform)\//,
    /^src\/(kernel|domain|definitions|xml|schematron|ports)\/|^src\/deps\.ts|OWN|FACE|^(zod|lru-cache)$|NODE/,
  ],
  [
    /^src\/adapters\//,
    /^src\/(kernel|domain|definitions|xml|schematron|ports|invoice_page|adapters)\/|^drizzle\/|^(?!src\/|workers\/|OWN|FACE)/,
  ],
  [/^src\/sandbox\//, /^src\/(kernel|domain|xml|schematron|ports|sandbox)\/|^@?hono|^zod$|^node:/],
  // The console runs in browsers and knows the API only from its document.
  [
    /^src\/console\//,
    /^src\/console\/|^(diff|react|react-dom|react-markdown|remark-gfm|dayjs|wouter|openapi-fetch|echarts|eventsource-parser)(\/|$)|^@(mantine|tanstack|codemirror|lezer)\//,
  ],
  [/^src\/sdk\//, /^src\/(kernel|sdk)\/|^node:|^@hey-api\/openapi-ts$|^eventsource-parser/],
  [/^src\/config\//, /^src\/(kernel|config)\/|^zod$|^node:(os|path)$/],
  // Only the composition root chooses adapters; entries of child processes import the adapters they need. Entry files
  // hand the workers to the composition root.
  [/^src\/(compose|processes)\//, /^(?!workers\/)/],
  // A command without a database imports the needed files directly, not a public module that loads one.
  [
    /^src\/cli\/(rules|rules_compare|validate)\.ts$/,
    /^src\/(kernel|domain|xml|ports|cli|config|compose|gateway\/validation)\/|^src\/deps\.ts|^node:/,
  ],
  [/^src\/cli\/product\.ts$/, /^src\/(kernel|cli|config|compose)\/|^workers\/run\.ts$|^node:/],
  [
    /^src\/cli\//,
    /^src\/(kernel|domain|definitions|xml|schematron|ports|cli|config|compose)\/|^src\/deps\.ts|FACE|^node:/,
  ],
  [/^src\/deps\.ts$/, /^src\/(kernel|ports)\//],
  [/^src\/(main|cli|app|edge)\.ts$/, /^(?!src\/adapters\/)/], // entries that may import every feature
  [
    /^workers\//,
    /^workers\/|^src\/(kernel|domain|ports|config|compose)\/|^src\/deps\.ts|FACE|^node:process/,
  ],
];

const PURE_NODE = /^node:(crypto|path|buffer|util|zlib)$/;

const files = globSync("{src,workers,drizzle/schema,drizzle/seed}/**/*.{ts,tsx}", { cwd: ROOT })
  .filter((it) => !it.endsWith(".d.ts"));
const sources = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));
const imports = [...sources].flatMap(([file, text]) =>
  [...text.matchAll(/^(?:import|export)[^;]*?\sfrom\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm)]
    .map(([, named, dynamic]) => ({ file, target: resolve(file, named ?? dynamic ?? "") }))
);

Deno.test("every import follows the rules", () => {
  assert(imports.length > 500, "the imports were found");
  const wrong = imports.filter(({ file, target }) => !isAllowed(file, target)).map((it) =>
    `${it.file} imports ${it.target}`
  );
  assertEquals(wrong, []);
});

Deno.test("a process that serves loads neither BullMQ nor, where there is no Redis, its client", () => {
  const loaded = loadedBy("src/main.ts");
  assert(loaded.has("src/adapters/bullmq/brokers.ts"), "the modules were found");
  assertEquals([...loaded].filter((it) => /^(bullmq|ioredis)$/.test(it)), []);
});

/** Returns the modules and packages that are loaded before the first line of a file runs. */
function loadedBy(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const text = sources.get(file) ?? "";
  const named = text.matchAll(/^(?:import|export)(?! type\b)[^;]*?\sfrom\s+"([^"]+)"/gm);
  for (const [, target] of named) loadedBy(resolve(file, target ?? ""), loaded);
  return loaded;
}

/** Later wings serve earlier ones: a file imports only its own wing and those after it. */
const WINGS = ["framework", "gateway", "platform"];
const getWing = (file: string) => WINGS.indexOf(file.split("/")[1] ?? "");

Deno.test("the framework builds on the gateway, and both build on the platform", () => {
  const wrong = imports.filter(({ file, target }) =>
    getWing(target) >= 0 && getWing(file) > getWing(target)
  );
  assertEquals(wrong.map(({ file, target }) => `${file} imports ${target}`), []);
  assert(imports.some(({ file, target }) => getWing(file) === 0 && getWing(target) === 2));
});

Deno.test("features do not lean on each other in a circle", () => {
  const arrows = imports.map(({ file, target }) =>
    [findFeature(file), findFeature(target)] as const
  );
  assertEquals(circle(arrows), []);
});

/** Grammars that are recursive themselves: an expression contains expressions. Files under `src/schematron/xpath`. */
const RECURSIONS = [
  /\/xpath\/(compile|flow|functions|operators|paths|predicates)\.ts$/,
  /\/xpath\/(parse_operators|parse_paths|parser)\.ts$/,
];

Deno.test("no files import each other in a circle, not even types, except two recursive grammars", () => {
  const arrows = imports.filter(({ target }) => sources.has(target));
  assert(arrows.length > 5_000, "the imports were found");
  const isRecursion = ({ file, target }: (typeof arrows)[number]) =>
    RECURSIONS.some((it) => it.test(file) && it.test(target));
  const others = arrows.filter((it) => !isRecursion(it));
  assertEquals(circle(others.map(({ file, target }) => [file, target] as const)), []);
});

Deno.test("rooms inside a feature do not lean on each other in a circle, nor on each other's rows", () => {
  const inside = imports.filter(({ file, target }) =>
    findFeature(file) && findFeature(file) === findFeature(target) &&
    findRoom(file) !== findRoom(target)
  ).filter(({ file }) => !isDoor(file));
  const rows = inside.filter(({ target }) =>
    /\/(\w+\/)(\w+_)?store\.ts$/.test(target) && subRoom(target)
  );
  assertEquals(rows.map((it) => `${it.file} imports ${it.target}`), []);
  assertEquals(
    circle(inside.map(({ file, target }) => [findRoom(file), findRoom(target)] as const)),
    [],
  );
});

/** Files that access rows of another feature, and why they cannot call that feature. */
const TOUCHED_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  // An evidence chain uses the lock of its invoice's row. Invoices depend on evidence, so evidence cannot call them.
  "src/gateway/evidence/store.ts": ["invoices"],
  // The rule book of a process reads the released rule sets; an adapter may not import a feature.
  "src/adapters/rules/rows.ts": ["rule_overrides", "rule_sets"],
};

Deno.test("a feature owns its tables: only it writes and locks them; others read them, at most in views", () => {
  const touched = [...sources].filter(([file]) =>
    findFeature(file) || file.startsWith("src/adapters/")
  )
    .flatMap(([file, text]) => touches(file, withoutComments(text)));
  const owners = new Map<string, Set<string>>();
  for (const { file, table, how } of touched) {
    if (how === "reads" || TOUCHED_ELSEWHERE[file]?.includes(table)) continue;
    owners.set(table, (owners.get(table) ?? new Set()).add(getOwner(file)));
  }
  assert(owners.size > 25, "the tables were found");
  const shared = [...owners].filter(([, rooms]) => rooms.size > 1)
    .map(([table, rooms]) => `${table} is written or locked by ${[...rooms].join(", ")}`);
  assertEquals(shared, []);
  const foreign = touched.filter(({ file, table }) =>
    !owners.get(table)?.has(getOwner(file)) && !TOUCHED_ELSEWHERE[file]?.includes(table) &&
    !/(^|\/|_)views\.ts$/.test(file)
  );
  assertEquals(foreign.map((it) => `${it.file} ${it.how} ${it.table}`), []);
});

Deno.test("only entry files read the environment, only config reads its variables, only its adapter reads the clock", () => {
  const entry =
    /^(src\/(main|cli|edge)\.ts|src\/processes\/\w+\.ts|workers\/main\.ts|src\/adapters\/(children\/serve\.ts|saxon\/.*child.*))$/;
  assertEquals(filesWith(/\bprocess\.env\b|\bDeno\.env\b/).filter((file) => !entry.test(file)), []);
  const named = /\b(env|environment|variables)(\?\.)?(\["[A-Z][A-Z_]+"\]|\.[A-Z][A-Z_]+\b)/;
  assertEquals(filesWith(named).filter((file) => !file.startsWith("src/config/")), []);
  assertEquals(
    filesWith(/\bnew Date\(\)/).filter((file) => !/^src\/(adapters\/clock|console)\//.test(file)),
    [],
  );
});

Deno.test("the outside is reached from adapters, entries and the command line only", () => {
  const mayFetch = /^src\/(adapters|sandbox|cli|console\/api)\//;
  assertEquals(
    filesWith(/(?:await|return|=>|=|\()\s*fetch\(/).filter((file) => !mayFetch.test(file)),
    [],
  );
});

Deno.test("properties of templates are read through their catalogue, nowhere by a name of one's own", () => {
  const named =
    /\b[pP]roperties(\)|\?\.|!)*\[|\b(template|pa|rule)\??\.properties\??\.\w|\} = (\w+[.?]+)*properties\b|[pP]roperties\}?\s*->/;
  // These files carry every property of a template, sealed, and read none.
  const carriers = /^src\/(domain\/template\/|platform\/templates\/secrets\.ts|http\/reference\/)/;
  assertEquals(filesWith(named).filter((file) => !carriers.test(file)), [
    "src/platform/templates/store.ts", // queries a key of the catalogue in SQL
  ]);
});

Deno.test("nothing newer than Node 24 is called, since Node runs the product too", () => {
  const newer = /\.(toBase64|toHex)\(/;
  assertEquals(filesWith(newer), []);
});

Deno.test("no file is longer than 400 lines, tables of codes excepted", () => {
  const tables = /^src\/domain\/invoice\/(status_catalogue|reasons)\.ts$/;
  const long = [...sources].filter(([file, text]) =>
    text.split("\n").length > 400 && !tables.test(file)
  ).map(([file]) => file);
  assertEquals(long, []);
});

Deno.test("no function is longer than 60 lines and no component than 120, except listed ones", () => {
  assertEquals(lengthProblems(), []);
});

Deno.test("every test file belongs to one group of the full run, or runs alone", () => {
  const { tasks } = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8"));
  assertEquals(tasks.test.split("--parallel ")[1], "tests/rooms/*.ts tests/system tests/*_test.ts");
  const alone = /^tests\/(system\/)?\w+_test\.ts$/;
  const rooms = globSync("tests/rooms/*.ts", { cwd: ROOT }).flatMap((room) => {
    const folders = readFileSync(join(ROOT, room), "utf8").matchAll(/^(?!import).*$/gm);
    const named = [...folders].flatMap(([line]) => [...line.matchAll(/"([^"]+)"/g)]);
    return testsIn(named.map(([, folder = ""]) => folder)).map((file) => `tests/${file}`);
  });
  const inOne = globSync("tests/**/*_test.ts", { cwd: ROOT }).filter((file) => !alone.test(file));
  assertEquals(inOne.filter((file) => !rooms.includes(file)), [], "name the folder in tests/rooms");
  assertEquals(rooms.filter((file, at) => rooms.indexOf(file) !== at), [], "in two rooms");
});

Deno.test("every export is used by the product, not only by tests", () => {
  const elsewhere = /^(drizzle\/schema|src\/sdk)\//; // all tables form one object; sources of generated clients
  const declared =
    /^export (?!default)(?:async |abstract )*(?:function\*?|const|class|interface|type) (\w+)/gm;
  const idle = [...sources].filter(([file]) => !elsewhere.test(file)).flatMap(([file, text]) => {
    const taken = takenFrom(file);
    const plain = withoutComments(text);
    return [...text.matchAll(declared)].map(([, name = ""]) => name)
      .filter((name) => !taken.has(name) && wordCount(plain, name) === 1)
      .map((name) => `${file}: ${name}`);
  });
  assertEquals(idle, []);
});

Deno.test("every re-export is imported somewhere", () => {
  const idle = handedOn.filter(({ file }) => !file.startsWith("src/sdk/")) // appears in the text of a client
    .filter(({ file, name }) => !takenFrom(file).has(name))
    .map(({ file, name }) => `${file}: ${name}`);
  assert(handedOn.length > 400, "the names were found");
  assertEquals(idle, []);
});

Deno.test("every name that a public module exports has a doc comment", () => {
  const shown = handedOn.filter(({ file }) => /^src\/(\w+\/){1,2}mod\.ts$/.test(file))
    .map(madeIn);
  assert(shown.length > 350, "the names were found");
  const silent = shown.filter(({ name, file }) => isSilent(name, sources.get(file) ?? ""))
    .map(({ name, file }) => `${file}: ${name}`);
  assertEquals([...new Set(silent)], []);
});

Deno.test("no two exported types have the same name", () => {
  // Names of the client package are public.
  const named = exportedNames(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm)
    .filter(({ file }) => !file.startsWith("src/sdk/"));
  const names = named.map(({ name }) => name);
  const twice = named.filter(({ name }) => names.indexOf(name) !== names.lastIndexOf(name));
  assert(named.length > 500, "the types were found");
  assertEquals(twice.map(({ file, name }) => `${name} in ${file}`).sort(), []);
});

Deno.test("the name of a limit begins with MAX or MIN, that of a type of dependencies ends in Deps", () => {
  const limit =
    /\b(const|let) (MOST|LEAST|LONGEST|SHORTEST|LARGEST|SMALLEST|BIGGEST|DEEPEST|FEWEST|SLOWEST|WIDEST)(_\w+)?\b/;
  assertEquals(filesWith(limit), []);
  assertEquals(filesWith(/\b(interface|type) \w*Needs\b/), []);
});

Deno.test("exported functions are named by verbs", () => {
  const named = exportedNames(/^export (?:async )?function\*? (\w+)/gm);
  const irregular =
    /^(begun|bound|broken|built|chosen|cut|drawn|found|given|grown|held|hidden|kept|known|left|lost|made|said|seen|sent|shown|spent|taken|told|written)$/;
  const regular = /^(?!embed$|exceed$|feed$|proceed$|seed$)[a-z]+ed$/;
  const noun = /^(?!is[A-Z]|oneOf$)\w+Of$/;
  const wrong = named.filter(({ name }) =>
    irregular.test(name) || regular.test(name) || noun.test(name)
  );
  assert(named.length > 1000, "the functions were found");
  assertEquals(wrong.map(({ file, name }) => `${name} in ${file}`), []);
});

interface Named {
  readonly file: string;
  readonly name: string;
}

/** Names that `file` re-exports from another file, as public modules do. */
const handedOn = [...sources].flatMap(([file, text]) =>
  namedIn(text, "export").map(({ name, as, from }) => ({
    file,
    name: as ?? name,
    of: { file: resolve(file, from), name },
  }))
);

/** Returns the file that declares a name that may be re-exported several times. */
function madeIn({ of }: { readonly of: Named }): Named {
  const next = handedOn.find(({ file, name }) => file === of.file && name === of.name);
  return next ? madeIn(next) : of;
}

/** Names that product files import from each file, with the importing files. */
const taken = new Map<string, Set<string>>();
for (const [file, text] of sources) {
  for (const { name, from } of [...namedIn(text, "import"), ...namedIn(text, "export")]) {
    take(resolve(file, from), name);
  }
  const whole = [
    ...text.matchAll(/^import (?:type )?\* as (\w+) from "([^"]+)"/gm),
    ...text.matchAll(/()\bimport\(\s*"([^"]+)"/g),
  ];
  // For a namespace import, every name after a dot counts, or anywhere if it is loaded later.
  for (const [, prefix, from = ""] of whole) {
    const names = prefix ? new RegExp(`\\b${prefix}\\.(\\w+)`, "g") : /\b(\w+)\b/g;
    for (const [, name = ""] of text.matchAll(names)) take(resolve(file, from), name);
  }
}

function take(file: string, name: string): void {
  taken.set(file, (taken.get(file) ?? new Set()).add(name));
}

function takenFrom(file: string): ReadonlySet<string> {
  return taken.get(file) ?? new Set();
}

/** Returns the names of `import { … } from` or `export { … } from`. */
function namedIn(text: string, how: "import" | "export") {
  const clauses = new RegExp(`^${how} (?:type )?\\{([^}]*)\\}\\s*from "([^"]+)"`, "gm");
  return [...text.matchAll(clauses)].flatMap(([, names = "", from = ""]) =>
    names.split(",").map((it) => it.trim().replace(/^type /, "")).filter(Boolean).map((it) => {
      const [name = "", as] = it.split(" as ");
      return { name, as, from };
    })
  );
}

/** Returns the exported names that a pattern finds, each with its file. */
function exportedNames(pattern: RegExp): Named[] {
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(pattern)].map(([, name = ""]) => ({ file, name }))
  );
}

function wordCount(text: string, word: string): number {
  return text.match(new RegExp(`(?<![\\w$])${word}(?![\\w$])`, "g"))?.length ?? 0;
}

interface Touch {
  readonly file: string;
  readonly table: string;
  readonly how: "writes" | "locks" | "reads";
}

/** Tables by the names of their symbols in `drizzle/schema`. */
const TABLES = new Map(
  [...sources].filter(([file]) => file.startsWith("drizzle/schema/")).flatMap(([, text]) =>
    [...text.matchAll(/export const (\w+) = p\.pgTable\(\s*"(\w+)"/g)].map((
      [, symbol = "", name = ""],
    ) => [symbol, name] as const)
  ),
);

/** Returns a file's accesses to tables: by symbols, their aliases, and names in SQL text. */
function touches(file: string, text: string): Touch[] {
  const [, imported = ""] = /import \{([^}]*)\} from "#drizzle\/schema\/mod\.ts"/.exec(text) ?? [];
  const symbols = imported.split(",").map((it) => it.trim().split(" as "))
    .map(([symbol = "", alias = symbol]) => ({ table: TABLES.get(symbol), alias }));
  const found = new Map<string, Touch["how"]>();
  for (const { table, alias } of symbols) {
    if (!table) continue;
    const short = new RegExp(`const (\\w+) = ${alias};`).exec(text)?.[1];
    const name = short ? `(${alias}|${short})` : alias;
    const writes = new RegExp(
      `\\.(insert|update|delete)\\(${name}\\)|\\binsertRows\\(tx, ${name},`,
    );
    if (writes.test(text)) found.set(table, "writes");
    else if (new RegExp(`\\.from\\(${name}\\)[^;]*\\.for\\(\\s*"(no key )?update"`).test(text)) {
      found.set(table, "locks");
    } else found.set(table, "reads");
  }
  for (const name of text.includes("drizzle-orm") ? TABLES.values() : []) {
    if (new RegExp(`\\b(update|insert into|delete from) ${name}\\b`).test(text)) {
      found.set(name, "writes");
    } else if (new RegExp(`\\b(from|join) ${name}\\b`).test(text) && !found.has(name)) {
      found.set(name, "reads");
    }
  }
  return [...found].map(([table, how]) => ({ file, table, how }));
}

/** Returns true if neither the declaration nor its group of similar lines has a docstring. */
function isSilent(name: string, text: string): boolean {
  const declares = new RegExp(
    `^export (async )?(function\\*?|const|(abstract )?class|interface|type) ${name}\\b`,
  );
  const lines = text.split("\n");
  let at = lines.findIndex((it) => declares.test(it));
  if (at < 0) return false;
  while (/^export (const|type) .*;$/.test(lines[at - 1] ?? "")) at--;
  return !lines[at - 1]?.endsWith("*/");
}

function getOwner(file: string): string {
  return findRoom(file) ?? file.split("/").slice(0, 3).join("/");
}

function isAllowed(file: string, target: string): boolean {
  const rule = RULES.find(([pattern]) => pattern.test(file));
  if (!rule) throw new Error(`${file} stands in no room`);
  const own = findFeature(file) && findFeature(file) === findFeature(target) ? "OWN" : "";
  const face = /^src\/(framework|gateway|platform)\/\w+\/mod\.ts$/.test(target) ? "FACE" : "";
  const node = PURE_NODE.test(target) ? "NODE" : "";
  return [target, own, face, node].some((it) => it && rule[1].test(it));
}

/**
 * Returns the edges of import cycles and of the paths between them, or an empty list. It repeatedly removes edges that
 * lead to no other edge and edges to which none leads.
 */
function circle(arrows: readonly (readonly [string | undefined, string | undefined])[]) {
  let left = arrows.filter(([from, to]) => from && to && from !== to);
  for (let before = -1; before !== left.length;) {
    before = left.length;
    const starts = new Set(left.map(([from]) => from));
    const ends = new Set(left.map(([, to]) => to));
    left = left.filter(([from, to]) => starts.has(to) && ends.has(from));
  }
  return [...new Set(left.map((arrow) => arrow.join(" → ")))];
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
