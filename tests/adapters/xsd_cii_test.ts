import { assert, assertEquals } from "@std/assert";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import { writeCii } from "#src/domain/cii/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";

const SAMPLES = resolve(import.meta.dirname ?? ".", "../golden/ubl");
/** Folder `cii` of CEN's validation artefacts (ConnectingEurope/eInvoicing-EN16931), not part of the project. */
const ARTEFACT = Deno.env.get("CII_ARTEFACT");
const PUBLISHED = "schema/D16B SCRDM (Subset)/uncoupled clm/CII/uncefact/data/standard/" +
  "CrossIndustryInvoice_100pD16B.xsd";

const xsd = createXsd();

function samples(): string[] {
  return readdirSync(SAMPLES).filter((name) => name.endsWith(".xml")).slice(0, 20)
    .map((name) => writeCii(readInvoice(parseXml(readFileSync(join(SAMPLES, name))))));
}

Deno.test("a CII of ours is valid against D16B and D22B", async () => {
  const found = samples();
  assert(found.length > 5);
  for (const xml of found) {
    assertEquals(await xsd.validate("cii-d16b", xml), []);
    assertEquals(await xsd.validate("cii-d22b", xml), []);
  }
});

Deno.test("schema violations are reported with their position: order, number, type, attribute, a fixed list", async () => {
  const [xml = ""] = samples();
  const broken: [string, string, string, string][] = [
    ["<ram:TypeCode>", "<ram:TypeKode>", "</ram:TypeCode>", "XSD-UNEXPECTED-ELEMENT"],
    ["<ram:DuePayableAmount>", "<ram:DuePayableAmount>1,2", "", "XSD-TYPE"],
    ['format="102"', 'formatt="102"', "", "XSD-ATTRIBUTE"],
    [
      "<ram:InvoiceCurrencyCode>",
      '<ram:InvoiceCurrencyCode listID="ISO 4217">',
      "",
      "XSD-ATTRIBUTE",
    ],
  ];
  for (const [from, to, closing, code] of broken) {
    const changed = xml.replace(from, to)
      .replace(closing || "\u0000", closing.replace("Code", "Kode"));
    const [first] = await xsd.validate("cii-d16b", changed);
    assertEquals(first?.code, code, to);
    assert(first && first.line > 0 && first.xpath !== "");
  }
});

Deno.test("D22B allows several preceding invoices, D16B one", async () => {
  const [xml = ""] = samples();
  const reference =
    "<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>A</ram:IssuerAssignedID>" +
    "</ram:InvoiceReferencedDocument>";
  const end = "</ram:SpecifiedTradeSettlementHeaderMonetarySummation>";
  const two = xml.replace(
    /<ram:InvoiceReferencedDocument>.*?<\/ram:InvoiceReferencedDocument>/g,
    "",
  )
    .replace(end, end + reference + reference);
  assertEquals(await xsd.validate("cii-d22b", two), []);
  assertEquals((await xsd.validate("cii-d16b", two))[0]?.code, "XSD-UNEXPECTED-ELEMENT");
});

Deno.test("D22B leaves the names of code lists free, as the French rules on taxes need, D16B does not", async () => {
  const xml = samples().find((it) => it.includes("<ram:ReasonCode>")) ?? "";
  const named = xml.replace("<ram:ReasonCode>", '<ram:ReasonCode listID="5153">');
  assert(named !== xml);
  assertEquals(await xsd.validate("cii-d22b", named), []);
  assertEquals((await xsd.validate("cii-d16b", named))[0]?.code, "XSD-ATTRIBUTE");
});

Deno.test({
  name: "the published schema and ours agree on CEN's examples and on mutants of them",
  ignore: ARTEFACT === undefined || spawnSync("xmllint", ["--version"]).status !== 0,
  fn: async () => {
    const folder = join(ARTEFACT ?? "", "examples");
    const files = new Map<string, string>();
    for (const name of readdirSync(folder).filter((it) => it.endsWith(".xml"))) {
      const xml = readFileSync(join(folder, name), "utf8").replace(/^\uFEFF/, "");
      assertEquals(await xsd.validate("cii-d16b", xml), [], name);
      [xml, ...mutants(xml)].forEach((it, at) => files.set(`${name}-${at}.xml`, it));
    }
    const published = verdicts(files);
    const ours = new Map<string, boolean>();
    for (const [name, xml] of files) {
      ours.set(name, (await xsd.validate("cii-d16b", xml)).length === 0);
    }
    assert(published.values().filter((it) => !it).toArray().length > 500);
    assertEquals(ours, published);
  },
});

/**
 * Returns the document with each part omitted, doubled, swapped with the next, renamed, or with another value or
 * attribute.
 */
function mutants(xml: string): string[] {
  const leaves = [...xml.matchAll(/<(ram:\w+)([^>]*)>([^<]*)<\/\1>/g)];
  return leaves.flatMap(
    ({ 0: whole, 1: name = "", 2: attributes = "", 3: value = "", index }, at) => {
      const put = (text: string) => xml.slice(0, index) + text + xml.slice(index + whole.length);
      const ways = [
        "",
        whole + whole,
        `<ram:Foreign>${value}</ram:Foreign>`,
        `<${name}${attributes}>x1,5</${name}>`,
        `<${name}${attributes} schemeID="1">${value}</${name}>`,
        `<${name}${attributes} listID="1" name="2">${value}</${name}>`,
        `<${name} unitCode="" currencyID="EUR">${value}</${name}>`,
        `<${name}${attributes}><ram:ID>1</ram:ID></${name}>`,
      ];
      return [put(ways[at % ways.length] ?? ""), put(ways[(at * 5 + 3) % ways.length] ?? "")];
    },
  );
}

function verdicts(files: ReadonlyMap<string, string>): Map<string, boolean> {
  const folder = mkdtempSync(join(tmpdir(), "cii-"));
  for (const [name, xml] of files) writeFileSync(join(folder, name), xml);
  const schema = join(ARTEFACT ?? "", PUBLISHED);
  const run = spawnSync("xmllint", ["--noout", "--schema", schema, ...files.keys()], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const valid = new Set(
    run.stderr.split("\n").filter((it) => it.endsWith(" validates")).map((it) => it.slice(0, -10)),
  );
  return new Map([...files.keys()].map((name) => [name, valid.has(name)]));
}
