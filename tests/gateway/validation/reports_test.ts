import { assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { termsIn } from "#src/gateway/validation/judging/rule_list.ts";
import { GOLDEN, startProduct, type TestProduct } from "#tests/support/product.ts";

Deno.test("the report of a file of many invoices says that it is about the first; the caller's liking decides its form", async () => {
  await using product = await startProduct();
  await product.write("burst.xml", await readFile(join(GOLDEN, "erp", "R42565-burst-12.xml")));
  const report = async (accept: string) => {
    const answer = await product.request("/api/validate", {
      method: "POST",
      headers: { "content-type": "application/json", accept },
      body: JSON.stringify({ file: "burst.xml", sourceType: "xml", template: "R42565" }),
    });
    assertEquals(answer.status, 200);
    return [answer.headers.get("content-type")?.split(";")[0], await answer.text()] as const;
  };
  const [type, page] = await report("text/html");
  assertEquals(type, "text/html");
  assertMatch(page, /la première des 12 factures du fichier/);
  assertMatch(page, /the first of the 12 invoices of the file/);
  const [xml, svrl] = await report("application/json;q=0.1, application/xml");
  assertEquals(xml, "application/xml");
  assertMatch(svrl, /<svrl:text xml:lang="fr">Ce rapport porte sur la première des 12 factures/);
  assertMatch(svrl, /<svrl:text xml:lang="en">This report is about the first of the 12 invoices/);
  assertEquals((await report("text/html;q=0.2, application/json;q=0.3"))[0], "application/json");
  assertEquals((await report("*/*"))[0], "application/json");
});

Deno.test("terms are reported for every French document", async () => {
  assertEquals(
    termsIn("BT-31 EXT-FR-FE-136, EXT-FR-FE-BG-02"),
    "BT-31 EXT-FR-FE-136 EXT-FR-FE-BG-02",
  );
  assertEquals(termsIn("MDT-105 MDG-3 clause 7"), "MDT-105 MDG-3");
  assertEquals(termsIn(undefined), "");
  await using product = await startProduct();
  for (const set of ["br-fr-cdv", "br-fr-flux2-ubl"]) {
    const { rules } = (await product.get(`/api/rules/${set}`)).body;
    const without = rules.filter((it: { businessTerm?: string }) => !it.businessTerm);
    assertEquals(without, [], set);
  }
});

Deno.test("the report of an ERP file that breaks off says how far it could be read", async () => {
  await using product = await startProduct();
  const whole = await readFile(join(GOLDEN, "erp", "R42565-burst-12.xml"));
  await product.write("cut.xml", whole.subarray(0, 30_000));
  await product.write("stump.xml", whole.subarray(0, 300));
  const report = async (file: string) => {
    const answer = await product.request("/api/validate", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/html" },
      body: JSON.stringify({ file, sourceType: "xml", template: "R42565" }),
    });
    return [answer.status, await answer.text()] as const;
  };
  const [status, page] = await report("cut.xml");
  assertEquals(status, 200);
  assertMatch(page, /n&#39;a pu être lu que jusqu&#39;à la ligne \d+/);
  assertMatch(page, /could be read as far as line \d+/);
  const [refused, sentence] = await report("stump.xml");
  assertEquals(refused, 422);
  assertMatch(sentence, /line \d+, column \d+ of stump\.xml/);
});

Deno.test("JSON, SVRL, page and run agree on a document in a foreign namespace", async () => {
  await using product = await startProduct();
  const invoice = await readFile(join(GOLDEN, "ubl", "100000-RI-00001.xml"), "utf8");
  const foreign = invoice.replaceAll("xsd:Invoice-2", "xsd:Invoice-3");
  await product.write("foreign.xml", new TextEncoder().encode(foreign));
  const report = async (accept: string) => {
    const answer = await product.request("/api/validate", {
      method: "POST",
      headers: { "content-type": "application/json", accept },
      body: JSON.stringify({ file: "foreign.xml", sourceType: "ubl" }),
    });
    assertEquals(answer.status, 200);
    return await answer.text();
  };
  const told = /XSD-UNKNOWN-ROOT[^]*xsd:Invoice-3[^]*RULES-NONE/;
  const json = await report("application/json");
  assertEquals(JSON.parse(json).success, false);
  const svrl = await report("application/xml");
  assertMatch(svrl, /title="invalid"/);
  const page = await report("text/html");
  assertMatch(page, /Non conforme[^]*Not compliant/);
  const { body } = await product.post("/api/run", {
    file: "foreign.xml",
    mode: "UBL",
    template: "R42565",
  });
  assertEquals(body.success, false);
  for (const text of [json, svrl, JSON.stringify(body)]) assertMatch(text, told);
  assertMatch(page, /xsd:Invoice-3[^]*XSD-UNKNOWN-ROOT/);
});

Deno.test("invalid dates are refused by name", async () => {
  await using product = await startProduct();
  for (const day of ["2026-02-31", "0000-01-01", "demain"]) await refusedEverywhere(product, day);
});

async function refusedEverywhere(product: TestProduct, day: string): Promise<void> {
  const answers = await Promise.all([
    product.post("/api/rules/en16931-ubl/activate", { version: "1.3.16", from: day }),
    product.post("/api/rules/compare", { from: "a@1", to: "a@2", since: day }),
    product.post(`/api/rules/install?effectiveFrom=${day}`, { path: "x" }),
    product.post("/api/rules/en16931-ubl/overrides", {
      rule: "BR-CO-10",
      level: "INFO",
      reason: "essai",
      expires: day,
    }),
  ]);
  for (const { status, body } of answers) {
    assertEquals(status, 400);
    assertMatch(body.error, new RegExp(`"${day}" is not a (day of the calendar|moment)`));
  }
}
