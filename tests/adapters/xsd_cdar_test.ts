import { assert, assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { readMutants } from "#tests/conformance/mutate.ts";

const FOLDER = resolve(import.meta.dirname ?? ".", "../../xsl/xsd");
/** Published schema (FNFE-MPE's `CrossDomainAcknowledgementAndResponse_100pD22B.xsd`), not part of the project. */
const PUBLISHED = Deno.env.get("CDAR_SCHEMA");
const UNCEFACT = "urn:un:unece:uncefact:data:standard";
const ROOT = "CrossDomainAcknowledgementAndResponse";
const VALUES: Readonly<Record<string, string>> = {
  "xs:boolean": "true",
  "xs:decimal": "1.00",
  "xs:dateTime": "2026-11-20T10:00:00",
  "xs:anyURI": "urn:x",
  "xs:base64Binary": "QUJD",
};

const xsd = createXsd();
const model = Map.groupBy(table("cdar-model.tsv"), ([parent = ""]) => parent);
const datatypes = Map.groupBy(table("cdar-datatypes.tsv"), ([name = ""]) => name);
const whole = `<rsm:${ROOT} xmlns:rsm="${UNCEFACT}:${ROOT}:100"
  xmlns:ram="${UNCEFACT}:ReusableAggregateBusinessInformationEntity:100"
  xmlns:udt="${UNCEFACT}:UnqualifiedDataType:100" xmlns:qdt="${UNCEFACT}:QualifiedDataType:100">${
  getContent(ROOT, "rsm")
}</rsm:${ROOT}>`;

function table(name: string): string[][] {
  return readFileSync(`${FOLDER}/${name}`, "utf8").split("\n").slice(1)
    .filter((line) => line !== "").map((line) => line.split("\t"));
}

/** Returns every element of an aggregate once, each with all its attributes. */
function getContent(parent: string, prefix: "rsm" | "ram"): string {
  return (model.get(parent) ?? []).map(([, element = "", type = ""]) => {
    const name = `${prefix}:${element}`;
    if (type.startsWith("ram:")) return `<${name}>${getContent(type.slice(4), "ram")}</${name}>`;
    const [[, inner = "", content = "", attributes = ""] = []] = datatypes.get(type) ?? [];
    const tag = inner === "" ? name : `${type.slice(0, 3)}:${inner}`;
    const written = attributes.split("; ").filter((it) => it !== "").map((attribute) => {
      const [key, kind = ""] = attribute.split(/:(?=xs:)/);
      return ` ${key}="${VALUES[kind] ?? "a"}"`;
    });
    const value = `<${tag}${written.join("")}>${VALUES[content] ?? "x"}</${tag}>`;
    return inner === "" ? value : `<${name}>${value}</${name}>`;
  }).join("\n");
}

async function isValid(xml: string): Promise<boolean> {
  return (await xsd.validate("cdar", xml)).length === 0;
}

Deno.test("a status message with everything the schema knows is valid", async () => {
  assertEquals(await xsd.validate("cdar", whole), []);
});

Deno.test("a date needs no format, a period and an address are read strictly, most elements stand once", async () => {
  const verdicts: [string | RegExp, string, boolean][] = [
    [/ format="a"/g, "", true],
    ['<udt:DateTimeString format="a">x</udt:DateTimeString>', "", false],
    [
      '<udt:DateTimeString format="a">x</udt:DateTimeString>',
      "<udt:DateTime>2026-11-20T10:00:00</udt:DateTime>",
      true,
    ],
    ["<ram:StartDateTime>", "<ram:Start/><ram:StartDateTime>", false],
    ["<ram:CityName", "<ram:Foreign/><ram:CityName", false],
    ["<ram:ProcessConditionCode", "<ram:ProcessConditionCode/><ram:ProcessConditionCode", false],
    ["<ram:ReasonInformation", "<ram:ReasonInformation/><ram:ReasonInformation", true],
    ["<rsm:ExchangedDocument>", "<rsm:Foreign/><rsm:ExchangedDocument>", false],
  ];
  for (const [from, to, valid] of verdicts) {
    const changed = whole.replace(from, to);
    assert(changed !== whole, String(from));
    assertEquals(await isValid(changed), valid, to);
  }
});

Deno.test({
  name: "the published schema of status messages and ours give the same verdict on every mutant",
  ignore: PUBLISHED === undefined,
  fn: async () => {
    const published = createXsd({ schemas: { published: resolve(PUBLISHED ?? "") } });
    const documents = [{ name: "whole", text: whole }, { name: "unformatted", text: slim(whole) }];
    const mutants = [
      ...[...readMutants(documents, { count: 6000, seed: 1 })].map(({ text }) => text),
      ...withForeigners(slim(whole)),
    ];
    const wrong: string[] = [];
    let invalid = 0;
    for (const text of mutants) {
      const valid = await isValid(text);
      if (!valid) invalid++;
      const errors = await published.validate("published", text);
      if (valid !== (errors.length === 0)) wrong.push(text);
    }
    assert(invalid > 2000 && invalid < mutants.length - 2000, `${invalid} of ${mutants.length}`);
    assertEquals(wrong, []);
  },
});

function slim(xml: string): string {
  return xml.replace(/ (?!xmlns)\w+="[^"]*"/g, "");
}

/** Inserts each element of the library before elements of the document, at one in five positions. */
function withForeigners(xml: string): string[] {
  const names = [...new Set([...model.values()].flat().map(([, element]) => element))];
  const places = parseXml(xml).all.slice(1);
  return places.flatMap(({ order }, at) =>
    names.filter((_, it) => (it + at) % 5 === 0)
      .map((name) => `${xml.slice(0, order)}<ram:${name}/>${xml.slice(order)}`)
  );
}
