import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { translate } from "#src/kernel/i18n/sentence.ts";

const TEXT = `# Pools of the house
version: 1

pools: # two of them
  default:
    driver: postgres   # the one
    host: "db.example"
    port: 5432
    # who signs in
    user: 'app'
    connections: { min: 0, max: 10 }   # few
    search: [app, public]
    sql: |  # monthly
      select 1
        from x

    tags:
      - one  # first
      # between
      - two
  archive: &archive
    driver: sqlite
    file: /var/a.db
  copy: *archive
# the end
`;

// deno-lint-ignore no-explicit-any -- the shape is that of the text above
function change(change: (value: any) => void): string {
  const { value } = yamlTexts.read(TEXT);
  change(value);
  const text = yamlTexts.write(TEXT, value);
  assertEquals(yamlTexts.read(text).value, value);
  return text;
}

/** Returns the lines that occur in only one of the two texts. */
function difference(text: string): { gone: string[]; come: string[] } {
  const [before, after] = [TEXT.split("\n"), text.split("\n")];
  return {
    gone: before.filter((it) => !after.includes(it)),
    come: after.filter((it) => !before.includes(it)),
  };
}

Deno.test("a text without a change stays as it is, byte for byte", () => {
  assertEquals(change(() => {}), TEXT);
});

Deno.test("a changed scalar is replaced in place, in its own quoting", () => {
  const text = change((it) => {
    it.pools.default.host = "two.example";
    it.pools.default.port = 5433;
    it.pools.default.connections.max = 20;
    it.pools.default.user = "it's";
  });
  assertEquals(difference(text), {
    gone: [
      '    host: "db.example"',
      "    port: 5432",
      "    user: 'app'",
      "    connections: { min: 0, max: 10 }   # few",
    ],
    come: [
      '    host: "two.example"',
      "    port: 5433",
      "    user: 'it''s'",
      "    connections: { min: 0, max: 20 }   # few",
    ],
  });
});

Deno.test("a block of lines keeps its style, its margin and the comment of its head", () => {
  const text = change((it) => void (it.pools.default.sql = "select 2\n  from x\n"));
  assertEquals(difference(text), { gone: ["      select 1"], come: ["      select 2"] });
});

Deno.test("entries and items come and go as whole lines", () => {
  const text = change((it) => {
    delete it.pools.default.port;
    it.pools.default.tags.splice(1, 0, "middle");
    it.pools.default.connections = { max: 10, idle: "5s" };
    it.pools.default.search = ["public", "other"];
    it.pools.third = { driver: "sqlite", file: "c.db" };
  });
  assertEquals(difference(text), {
    gone: [
      "    port: 5432",
      "    connections: { min: 0, max: 10 }   # few",
      "    search: [app, public]",
    ],
    come: [
      "    connections: { max: 10, idle: 5s }   # few",
      "    search: [public, other]",
      "      - middle",
      "  third:",
      "    file: c.db",
    ],
  });
});

Deno.test("an alias stays while it equals its anchor, and is written out otherwise", () => {
  const both = change((it) => {
    it.pools.archive.file = "b.db";
    it.pools.copy.file = "b.db";
  });
  assertEquals(difference(both), { gone: ["    file: /var/a.db"], come: ["    file: b.db"] });
  const one = change((it) => void (it.pools.archive.file = "b.db"));
  assert(!one.includes("*archive") && one.includes("&archive"));
});

Deno.test("line breaks of another system stay", () => {
  const text = "a: 1\r\n# note\r\nb:\r\n  - x\r\n";
  assertEquals(
    yamlTexts.write(text, { a: 2, b: ["x", "y"], c: { d: "e" } }),
    "a: 2\r\n# note\r\nb:\r\n  - x\r\n  - y\r\nc:\r\n  d: e\r\n",
  );
});

Deno.test("content that no section may have is reported with its position", () => {
  const bomb = ["a: &a [x, x, x, x, x, x, x, x, x, x]"].concat(
    [..."bcdefg"].map((it, at) =>
      `${it}: &${it} [${Array(10).fill(`*${"abcdef"[at]}`).join(", ")}]`
    ),
  ).join("\n");
  const report = (text: string) =>
    yamlTexts.read(text).problems.map((it) => `${it.line}:${it.column} ${translate(it.sentence)}`);
  assertEquals(report("a: 1\nb:\n  c: 1\n  c: 2\n"), ["4:3 The key c stands here twice"]);
  assertEquals(report(bomb).length, 1);
  assert(report(bomb)[0]?.includes("more than 100000 values"));
  assertEquals(report("a: &x [*x]"), ["1:8 *x contains itself"]);
  assert(report("a: *nobody")[0]?.includes("nobody"));
  assert(report("a: !!binary aGk=").length > 0);
  assert(report("a: 1\n---\nb: 1").length > 0);
  assert(report("[".repeat(20_000)).length > 0);
  assert(report(`a: ${"[".repeat(40)}${"]".repeat(40)}`)[0]?.includes("deeper than 32"));
  assert(report("__proto__: { a: 1 }").length > 0);
  assert(report("? [a]\n: 1").length > 0);
});

Deno.test("invalid YAML is explained in either language, never in the library's words", () => {
  const report = (text: string) =>
    yamlTexts.read(text).problems.map((
      { sentence },
    ) => [translate(sentence, "fr"), translate(sentence)])[0];
  assertEquals(report("a:\n\tb: 1"), [
    "Ce n'est pas du YAML : un retrait s'écrit avec des espaces, pas avec des tabulations",
    "This is no YAML: indentation is written with blanks, not with tabs",
  ]);
  assertEquals(report("a: !shape 1"), [
    "Ce n'est pas du YAML : l'étiquette (!) n'est pas connue",
    "This is no YAML: the tag (!) is not known",
  ]);
});

Deno.test("a great many keys are read in a time that grows as they do", () => {
  const text = Array.from({ length: 30_000 }, (_, at) => `k${at}: 1`).join("\n");
  assertEquals(yamlTexts.read(text).problems, []);
});

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,5}$/);
const scalar = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    "yes",
    "1",
    "a: b",
    "- x",
    "# no",
    "",
    " lead",
    "line\nline\n",
    "é",
    "null",
    "${X}",
  ),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ depthSize: "small", withCrossShrink: true }, scalar, tie("list"), tie("map")),
  list: fc.array(tie("tree"), { maxLength: 4 }),
  map: fc.dictionary(name, tie("tree"), { maxKeys: 4 }),
}));
const root = fc.dictionary(name, tree, { minKeys: 1, maxKeys: 5 });

/** Writes a value as a person might: some parts in brackets, some quoted, comments everywhere. */
function write(value: unknown, random: () => number, margin = "", isRoot = false): string {
  const note = () => random() < 0.3 ? "  # note" : "";
  const above = (indent: string) => random() < 0.2 ? `${indent}# above\n` : "";
  if (typeof value === "object" && value !== null && Object.keys(value).length) {
    if (!isRoot && random() < 0.3) return ` ${JSON.stringify(value)}${note()}\n`;
    const isList = Array.isArray(value);
    const lines = Object.entries(value).map(([key, it]) =>
      above(margin) +
      `${margin}${isList ? "-" : `${key}:`}${write(it, random, `${margin}  `)}`
    );
    return `${note()}\n${lines.join("")}`;
  }
  if (typeof value === "string" && /^\w[\w\n]*\n$/.test(value) && random() < 0.5) {
    return ` |\n${value.replace(/^(?=.)/gm, `${margin}  `)}`;
  }
  return ` ${JSON.stringify(value)}${note()}\n`;
}

function text(value: object, seed: number): string {
  let state = seed;
  const random = () => (state = state * 48271 % 2147483647) / 2147483647;
  return `# head\n${write(value, random, "", true).replace(/^[^\n]*\n/, "")}`;
}

Deno.test("every written value is read back unchanged", () => {
  fc.assert(
    fc.property(root, root, fc.integer({ min: 1, max: 2 ** 30 }), (before, after, seed) => {
      const old = text(before, seed);
      fc.pre(!yamlTexts.read(old).problems.length);
      assertEquals(yamlTexts.read(old).value, before);
      assertEquals(yamlTexts.read(yamlTexts.write(old, after)).value, after);
    }),
    { numRuns: 300 },
  );
});

Deno.test("an untouched entry keeps its bytes, including comments", () => {
  fc.assert(
    fc.property(root, tree, fc.integer({ min: 1, max: 2 ** 30 }), (value, other, seed) => {
      const old = text(value, seed);
      fc.pre(!yamlTexts.read(old).problems.length);
      const keys = Object.keys(value);
      const touched = keys[seed % keys.length] ?? "";
      const after = yamlTexts.write(old, { ...value, [touched]: other, zz_new: other });
      assertEquals(yamlTexts.read(after).value, { ...value, [touched]: other, zz_new: other });
      for (const part of readParts(old).filter((it) => !it.startsWith(`${touched}:`))) {
        assert(after.includes(part), `${JSON.stringify(part)} is not in\n${after}\nwas\n${old}`);
      }
    }),
    { numRuns: 300 },
  );
});

/** Returns the lines of each root entry. */
function readParts(text: string): string[] {
  return text.split(/^(?=[a-z]\w*:)/m).slice(1).map((it) => it.replace(/(^|\n)# above\n$/, "$1"));
}

Deno.test("an alias stands for the last anchor of its name before it, and many of them cost no more than their number", () => {
  const { value, problems } = yamlTexts.read("a: &x 1\nb: *x\nc: &x [*x, 2]\nd: *x\n");
  assertEquals([value, problems.map((it) => translate(it.sentence))], [
    { a: 1, b: 1, c: [null, 2], d: [null, 2] },
    ["*x contains itself", "*x contains itself"],
  ]);
  assertEquals(yamlTexts.read("a: *x\nb: &x 1\n").problems.map((it) => it.line), [1]);
  // A linear search per alias would take an hour.
  const many = Array.from({ length: 20_000 }, (_, at) => `k${at}: *a\n`).join("");
  const read = yamlTexts.read(`a: &a { n: 1 }\n${many}`);
  assertEquals(read.problems, []);
  assertEquals((read.value as Record<string, unknown>)["k19999"], { n: 1 });
});
