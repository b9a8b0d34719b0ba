import { assert, assertEquals } from "@std/assert";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { testsIn } from "#tests/support/room.ts";
import { featureOf, isDoor, roomOf, subRoom } from "#tests/support/rooms_of.ts";

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
  [/^drizzle\/(schema|seed)\//, /^drizzle\/|^src\/(kernel|domain|ports)\/|^drizzle-orm/],
  [
    /^src\/definitions\//,
    /^src\/(kernel|domain|definitions)\/|^(zod|@messageformat\/parser|json-p3|lru-cache|re2js)$/,
  ],
  [/^src\/invoice_page\//, /^src\/(kernel|domain|invoice_page)\//],
  [/^src\/ports\//, /^src\/(kernel|domain|definitions|ports|schematron|xml)\/|^drizzle|^zod$/],
  [/^src\/sql\//, /^src\/(kernel|ports|sql)\/|^drizzle/],
  [/^src\/http\//, /^src\/(kernel|domain|ports|http)\/|^@?hono|^drizzle|NODE/],
  [
    /^src\/features\/(\w+\/){1,2}(\w+_)?(routes|schemas|wire)\.ts$/,
    /^src\/(kernel|domain|definitions|ports|http|xml)\/|^src\/deps\.ts|OWN|FACE|^@?hono|NODE/,
  ],
  [
    /^src\/features\/(\w+\/){1,2}(\w+_)?(store|views)\.ts$/,
    /^src\/(kernel|domain|definitions|ports|sql)\/|^src\/deps\.ts|^drizzle|OWN|FACE|NODE/,
  ],
  [
    /^src\/features\//,
    /^src\/(kernel|domain|definitions|xml|schematron|ports)\/|^src\/deps\.ts|OWN|FACE|^(zod|lru-cache)$|NODE/,
  ],
  [
    /^src\/adapters\//,
    /^src\/(kernel|domain|definitions|xml|schematron|ports|invoice_page|adapters)\/|^drizzle\/|^(?!src\/|workers\/|OWN|FACE)/,
  ],
  [/^src\/sandbox\//, /^src\/(kernel|domain|xml|schematron|ports|sandbox)\/|^@?hono|^zod$|^node:/],
  // It runs in browsers and knows the API by its document alone.
  [
    /^src\/console\//,
    /^src\/console\/|^(diff|react|react-dom|wouter|openapi-fetch|echarts|eventsource-parser)(\/|$)|^@(mantine|tanstack|codemirror|lezer)\//,
  ],
  [/^src\/sdk\//, /^src\/(kernel|sdk)\/|^node:|^@hey-api\/openapi-ts$|^eventsource-parser/],
  [/^src\/config\//, /^src\/(kernel|config)\/|^zod$|^node:(os|path)$/],
  // The composition root alone chooses adapters; the entries of child processes choose what they need of them.
  [/^src\/(compose|processes)\//, /./],
  // A command that needs no database loads the files it uses and not a door that leads to one.
  [
    /^src\/cli\/(rules|rules_compare|validate)\.ts$/,
    /^src\/(kernel|domain|xml|ports|cli|config|compose|features\/validation)\/|^src\/deps\.ts|^node:/,
  ],
  [
    /^src\/cli\//,
    /^src\/(kernel|domain|definitions|xml|schematron|ports|cli|config|compose)\/|^src\/deps\.ts|FACE|^node:|^workers\//,
  ],
  [/^src\/deps\.ts$/, /^src\/(kernel|ports)\//],
  [/^src\/(begin|main|cli|app|edge)\.ts$/, /^(?!src\/adapters\/)/], // the hall that leads to every room
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

Deno.test("every import obeys the rules of the house", () => {
  assert(imports.length > 500, "the imports were found");
  const wrong = imports.filter(({ file, target }) => !isAllowed(file, target)).map((it) =>
    `${it.file} imports ${it.target}`
  );
  assertEquals(wrong, []);
});

Deno.test("the database is on its way before the modules of the product run: little comes before it", () => {
  assert(/^import \{ beginning \} from "\.\/begin\.ts";/.test(sources.get("src/main.ts") ?? ""));
  const loaded = loadedBy("src/begin.ts");
  assert(loaded.has("src/adapters/pglite/client.ts"), "the modules were found");
  const heavy = /^src\/(features|http|definitions|schematron)\/|^drizzle|^@?hono|^pg$|^bullmq$/;
  assertEquals([...loaded].filter((it) => heavy.test(it)), []);
});

Deno.test("a process that serves loads neither BullMQ nor, where there is no Redis, its client", () => {
  const loaded = loadedBy("src/main.ts");
  assert(loaded.has("src/adapters/bullmq/brokers.ts"), "the modules were found");
  assertEquals([...loaded].filter((it) => /^(bullmq|ioredis)$/.test(it)), []);
});

/** The modules and packages that are there before the first line of a file runs. */
function loadedBy(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const text = sources.get(file) ?? "";
  const named = text.matchAll(/^(?:import|export)(?! type\b)[^;]*?\sfrom\s+"([^"]+)"/gm);
  for (const [, target] of named) loadedBy(resolve(file, target ?? ""), loaded);
  return loaded;
}

Deno.test("features do not lean on each other in a circle", () => {
  const arrows = imports.map(({ file, target }) => [featureOf(file), featureOf(target)] as const);
  assertEquals(circle(arrows), []);
});

Deno.test("rooms inside a feature do not lean on each other in a circle, nor on each other's rows", () => {
  const inside = imports.filter(({ file, target }) =>
    featureOf(file) && featureOf(file) === featureOf(target) && roomOf(file) !== roomOf(target)
  ).filter(({ file }) => !isDoor(file));
  const rows = inside.filter(({ target }) =>
    /\/(\w+\/)(\w+_)?store\.ts$/.test(target) && subRoom(target)
  );
  assertEquals(rows.map((it) => `${it.file} imports ${it.target}`), []);
  assertEquals(
    circle(inside.map(({ file, target }) => [roomOf(file), roomOf(target)] as const)),
    [],
  );
});

/** Who touches rows of another room, and why that room cannot be asked. */
const TOUCHED_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  // A chain of evidence hangs on its invoice, whose row is its lock; invoices lean on evidence, so it cannot ask them.
  "src/features/evidence/store.ts": ["invoices"],
  // The rule book of a process reads what the registry released; an adapter knows no feature.
  "src/adapters/rules/rows.ts": ["rule_overrides", "rule_sets"],
};

Deno.test("a room owns its tables: it alone writes and locks them, others read them in views at most", () => {
  const touched = [...sources].filter(([file]) =>
    featureOf(file) || file.startsWith("src/adapters/")
  )
    .flatMap(([file, text]) => touches(file, withoutComments(text)));
  const owners = new Map<string, Set<string>>();
  for (const { file, table, how } of touched) {
    if (how === "reads" || TOUCHED_ELSEWHERE[file]?.includes(table)) continue;
    owners.set(table, (owners.get(table) ?? new Set()).add(ownerOf(file)));
  }
  assert(owners.size > 25, "the tables were found");
  const shared = [...owners].filter(([, rooms]) => rooms.size > 1)
    .map(([table, rooms]) => `${table} is written or locked by ${[...rooms].join(", ")}`);
  assertEquals(shared, []);
  const foreign = touched.filter(({ file, table }) =>
    !owners.get(table)?.has(ownerOf(file)) && !TOUCHED_ELSEWHERE[file]?.includes(table) &&
    !/(^|\/|_)views\.ts$/.test(file)
  );
  assertEquals(foreign.map((it) => `${it.file} ${it.how} ${it.table}`), []);
});

Deno.test("the environment is read in entry files only, its variables in config only, the clock asked in its adapter only", () => {
  const entry =
    /^(src\/(begin|main|cli|edge)\.ts|src\/processes\/\w+\.ts|workers\/main\.ts|src\/adapters\/saxon\/.*child.*)$/;
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
  // Carries every property of a template, sealed, and reads none.
  const carriers = /^src\/(domain\/template\/|features\/templates\/secrets\.ts|http\/reference\/)/;
  assertEquals(filesWith(named).filter((file) => !carriers.test(file)), [
    "src/features/templates/store.ts", // asks for a key of the catalogue in SQL
  ]);
});

Deno.test("nothing newer than Node 20 is called, since Node runs the product too", () => {
  const newer =
    /\b(Promise\.(withResolvers|try)|(Map|Object)\.groupBy|Array\.fromAsync|RegExp\.escape|Iterator\.from)\b|\.(toBase64|toHex|isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/;
  assertEquals(filesWith(newer), []);
});

Deno.test("no file is longer than 400 lines, tables of codes excepted", () => {
  const tables = /^src\/domain\/invoice\/(status_catalogue|reasons)\.ts$/;
  const long = [...sources].filter(([file, text]) =>
    text.split("\n").length > 400 && !tables.test(file)
  ).map(([file]) => file);
  assertEquals(long, []);
});

Deno.test("every test file belongs to one room of the whole run, or stands alone in it", () => {
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

Deno.test("what a file exports is used by the product: nothing is kept for tests alone, or for nobody", () => {
  const elsewhere = /^(drizzle\/schema|src\/sdk)\//; // all tables are one object; what clients are made of
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

Deno.test("what a file hands on from another one, somebody takes from it", () => {
  const idle = handedOn.filter(({ file }) => !file.startsWith("src/sdk/")) // stands in the text of a client
    .filter(({ file, name }) => !takenFrom(file).has(name))
    .map(({ file, name }) => `${file}: ${name}`);
  assert(handedOn.length > 400, "the names were found");
  assertEquals(idle, []);
});

Deno.test("what a door shows to other rooms says what it is", () => {
  const shown = handedOn.filter(({ file }) => /^src\/(\w+\/){1,2}mod\.ts$/.test(file))
    .map(madeIn);
  assert(shown.length > 350, "the names were found");
  const silent = shown.filter(({ name, file }) => isSilent(name, sources.get(file) ?? ""))
    .map(({ name, file }) => `${file}: ${name}`);
  assertEquals([...new Set(silent)], []);
});

interface Named {
  readonly file: string;
  readonly name: string;
}

/** What `file` hands on though another one made it: a door's names. */
const handedOn = [...sources].flatMap(([file, text]) =>
  namedIn(text, "export").map(({ name, as, from }) => ({
    file,
    name: as ?? name,
    of: { file: resolve(file, from), name },
  }))
);

/** Where a name that is handed on, perhaps from door to door, was made. */
function madeIn({ of }: { readonly of: Named }): Named {
  const next = handedOn.find(({ file, name }) => file === of.file && name === of.name);
  return next ? madeIn(next) : of;
}

/** Names that product files import of a file, each with the files that do. */
const taken = new Map<string, Set<string>>();
for (const [file, text] of sources) {
  for (const { name, from } of [...namedIn(text, "import"), ...namedIn(text, "export")]) {
    take(resolve(file, from), name);
  }
  const whole = [
    ...text.matchAll(/^import (?:type )?\* as (\w+) from "([^"]+)"/gm),
    ...text.matchAll(/()\bimport\(\s*"([^"]+)"/g),
  ];
  // Of a module that is taken whole, every name that stands behind a dot, or anywhere where it is loaded later.
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

/** The names of `import { … } from` or `export { … } from`. */
function namedIn(text: string, how: "import" | "export") {
  const clauses = new RegExp(`^${how} (?:type )?\\{([^}]*)\\}\\s*from "([^"]+)"`, "gm");
  return [...text.matchAll(clauses)].flatMap(([, names = "", from = ""]) =>
    names.split(",").map((it) => it.trim().replace(/^type /, "")).filter(Boolean).map((it) => {
      const [name = "", as] = it.split(" as ");
      return { name, as, from };
    })
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

/** What a file does with tables: by their symbols, aliases of those, and their names in SQL text. */
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

/** Declared without a docstring above it, or above the lines of the same kind it stands in. */
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

function ownerOf(file: string): string {
  return roomOf(file) ?? file.split("/").slice(0, 3).join("/");
}

function isAllowed(file: string, target: string): boolean {
  const rule = RULES.find(([pattern]) => pattern.test(file));
  if (!rule) throw new Error(`${file} stands in no room`);
  const own = featureOf(file) && featureOf(file) === featureOf(target) ? "OWN" : "";
  const face = /^src\/features\/\w+\/mod\.ts$/.test(target) ? "FACE" : "";
  const node = PURE_NODE.test(target) ? "NODE" : "";
  return [target, own, face, node].some((it) => it && rule[1].test(it));
}

/** The arrows that are left when those that lead nowhere are dropped again and again: a circle, or none. */
function circle(arrows: readonly (readonly [string | undefined, string | undefined])[]) {
  let left = arrows.filter(([from, to]) => from && to && from !== to);
  for (let before = -1; before !== left.length;) {
    before = left.length;
    left = left.filter(([, to]) => left.some(([from]) => from === to));
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
