import { assertEquals } from "@std/assert";
import { SECTIONS } from "#src/definitions/sections.ts";
import { buildJsonSchema } from "#src/framework/configuration/json_schema.ts";
import { showCatalogues } from "#src/platform/templates/show_catalogues.ts";
import { propertySchema } from "#src/console/components/editor/property_schema.ts";
import { offersAt } from "#src/console/components/editor/schema_offers.ts";
import { findSchemaPosition } from "#src/console/components/editor/schema_place.ts";

/** Splits a text at `|`, the cursor. */
function at(marked: string) {
  const offset = marked.indexOf("|");
  const place = findSchemaPosition(marked.replace("|", ""), offset);
  return place &&
    [place.path.join("."), place.at, place.typed, [...place.siblings.keys()].join(" ")];
}

function offer(section: (typeof SECTIONS)[number], marked: string): string[] {
  const place = findSchemaPosition(marked.replace("|", ""), marked.indexOf("|"));
  return place ? offersAt(buildJsonSchema(section), place).map((it) => it.label) : [];
}

Deno.test("cursor positions are found by lines, dashes and brackets in unfinished text", () => {
  const cases: [text: string, place: ReturnType<typeof at>][] = [
    ["|", ["", "key", "", ""]],
    ["version: 1\npo|", ["", "key", "po", "version"]],
    ["pools:\n  erp:\n    driver: post|", ["pools.erp.driver", "value", "post", ""]],
    ["pools:\n  erp:\n    dr|\n    host: h\n  crm:\n    x: 1\n", [
      "pools.erp",
      "key",
      "dr",
      "host",
    ]],
    ["jobs:\n  a:\n    steps:\n      - id: x\n        |", [
      "jobs.a.steps.[]",
      "key",
      "",
      "id",
    ]],
    ["jobs:\n  a:\n    steps:\n    - id: x\n    - |", ["jobs.a.steps.[]", "key", "", ""]],
    ["a:\n- - b|", ["a.[].[]", "key", "b", ""]],
    ["a:\n  p: { x: 1, y|", ["a.p", "key", "y", "x"]],
    ["a:\n  p: { x: { t: int|", ["a.p.x.t", "value", "int", ""]],
    ["a:\n  p: [one, tw|", ["a.p.[]", "value", "tw", ""]],
    ['{"a": {"b": 1, "c|', ["a", "key", "c", "b"]],
    ['{\n  "a": [\n    {"k": "v|', ["a.[].k", "value", "v", ""]],
    ["a: b # say|", undefined],
    ['"quoted key":\n  x|', ["quoted key", "key", "x", ""]],
    ["# head\n\na:\n\n  # note\n  b:\n    c|", ["a.b", "key", "c", ""]],
  ];
  for (const [text, place] of cases) assertEquals(at(text), place, text);
});

Deno.test("keys and values of the section's schema are offered, without duplicates", () => {
  assertEquals(offer("pools", "|").includes("pools"), true);
  const keys = offer("pools", "version: 1\npools:\n  erp:\n    driver: postgres\n    |");
  assertEquals([keys.includes("host"), keys.includes("driver")], [true, false]);
  assertEquals(offer("pools", "pools:\n  erp:\n    driver: |").includes("postgres"), true);
  const connectors = "connectors:\n  erp:\n    type: sql\n    |";
  const ofSql = offer("connectors", connectors);
  assertEquals([ofSql.includes("queries"), ofSql.includes("endpoints")], [true, false]);
  const mode = "connectors:\n  erp:\n    type: sql\n    queries:\n      q:\n        mode: |";
  assertEquals(offer("connectors", mode), ["read", "write"]);
  for (const it of SECTIONS) assertEquals(offer(it, "|").includes("version"), true, it);
});

Deno.test("properties of a template are offered from the catalogue, with their values", () => {
  const [catalogue] = showCatalogues().catalogues.filter((it) => it.type === "document");
  const schema = propertySchema(catalogue?.properties ?? [], "fr");
  const offer = (marked: string) => {
    const place = findSchemaPosition(marked.replace("|", ""), marked.indexOf("|"));
    return place ? offersAt(schema, place) : [];
  };
  const keys = offer('{\n  "inputDir": "in",\n  "|');
  assertEquals(keys.some((it) => it.label === "transform" && it.help !== ""), true);
  assertEquals(keys.some((it) => it.label === "inputDir"), false, "it is there");
  const chosen = catalogue?.properties.find((it) => it.choices);
  const values = offer(`{ "${chosen?.name}": |`);
  assertEquals(values.map((it) => it.label), [...chosen?.choices ?? ["none has choices"]]);
  assertEquals(values.every((it) => it.isText), true);
});

Deno.test("finding a position never fails", () => {
  const text =
    "a: [1, {b: 'x', \"c\": }]\n- - : {{[,:\n\t  ? k\n'un: \"closed\n&x *y !!z |\n--- %T\n";
  for (let i = 0; i <= text.length; i++) {
    for (const it of SECTIONS) {
      const place = findSchemaPosition(text, i);
      if (place) offersAt(buildJsonSchema(it), place);
    }
  }
  assertEquals(findSchemaPosition(text, 0)?.path, []);
});
