import { assert, assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { accepts } from "#src/adapters/xsd/automaton/accepts.ts";
import type { TypeTable } from "#src/adapters/xsd/automaton/tables.ts";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import { parseXml, type XmlDocument } from "#src/xml/mod.ts";
import { casesFolder } from "#tests/conformance/support.ts";
import { xmlFiles } from "#tests/conformance/xml_files.ts";
import { compareTrials, shippedTables, trials } from "#tests/conformance/xsd_mutants.ts";

const GOLDEN = resolve(import.meta.dirname ?? ".", "../golden");
const tables = shippedTables();
const sample = readFileSync(join(GOLDEN, "ubl/100000-RI-00001.xml"), "utf8");

function takes(text: string): boolean {
  return isTaken(parseXml(text));
}

function isTaken(document: XmlDocument): boolean {
  return tables.some(({ schema }) => accepts(schema, document));
}

Deno.test("the tables hold every type of the shipped schemas", () => {
  for (const { path, schema } of tables) {
    const types = new Set<TypeTable>();
    collect(schema.root.type, types);
    assert(types.size > 30, path);
    assertEquals([...types].filter(({ content }) => content.kind === "unknown"), [], path);
  }
});

function collect(type: TypeTable, found: Set<TypeTable>): void {
  if (found.has(type)) return;
  found.add(type);
  if (type.content.kind !== "elements") return;
  for (const slot of type.content.slots.values()) collect(slot.type, found);
}

Deno.test("with its tables a document gets the errors it gets from libxml2 alone; few valid ones need it", async () => {
  const xsd = createXsd();
  let valid = 0;
  let taken = 0;
  for (const document of referenceDocuments()) {
    const kind = document.root.local === "CreditNote" ? "ubl-creditnote" : "ubl-invoice";
    const alone = await xsd.validate(kind, document.source);
    assertEquals(await xsd.validate(kind, document.source, document), alone);
    if (alone.length > 0) continue;
    valid++;
    if (isTaken(document)) taken++;
  }
  assert(valid > 400 && taken / valid > 0.98, `${taken} of ${valid}`);
});

function referenceDocuments(): XmlDocument[] {
  const french = join(casesFolder(), "french");
  const files = [...readdirSync(french).map((it) => join(french, it)), ...xmlFiles(GOLDEN)];
  return files.filter((it) => it.endsWith(".xml")).map((it) => parseXml(readFileSync(it)))
    .filter(({ root }) => ["Invoice", "CreditNote"].includes(root.local));
}

Deno.test("the tables accept no mutant that libxml2 refuses", async () => {
  const documents = xmlFiles(GOLDEN).map((it) => parseXml(readFileSync(it)));
  const outcome = await compareTrials(trials(documents, 1), { count: 1_000, every: 10 });
  assertEquals(outcome.wrong, []);
  assert(outcome.accepted > 200 && outcome.shown > 30, JSON.stringify(outcome));
});

Deno.test("common additions to documents do not prevent the tables from accepting them", () => {
  const usual: [string | RegExp, string][] = [
    [/^/, ""],
    [
      "<Invoice ",
      '<Invoice xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x http://x/y.xsd" ',
    ],
    ["<cbc:ID>", "<!-- a comment --><cbc:ID>"],
    ["<cbc:ID>", "<cbc:ID><![CDATA[A & B]]>&#233;"],
    [/<Invoice /, '<?xml-stylesheet href="a.xsl"?>\n<Invoice '],
    [/>\s*</g, ">\n\t<"],
  ];
  for (const [from, to] of usual) assert(takes(sample.replace(from, to)), to);
});

Deno.test("unusual content is left to libxml2, even if it is valid", () => {
  const unusual: [string, string][] = [
    ["<cbc:IssueDate>", "<cbc:IssueDate> "],
    ["<cbc:IssueDate>", "<cbc:IssueDate><!-- today -->"],
    ["<Invoice ", '<Invoice xmlns:a="a b" '],
    ["<cbc:ID>", '<cbc:ID xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="false">'],
    ["<cbc:ID>", "<?a b?><cbc:ID>"],
  ];
  for (const [from, to] of unusual) assert(!takes(sample.replace(from, to)), to);
});

Deno.test("a tree vouches for its own text alone", async () => {
  const xsd = createXsd();
  const tree = parseXml(sample);
  assertEquals(await xsd.validate("ubl-invoice", tree.source, tree), []);
  const [error] = await xsd.validate("ubl-invoice", sample.replace("<cbc:ID>", "<cbc:Id>"), tree);
  assertEquals(error?.code, "XSD-SYNTAX");
});
