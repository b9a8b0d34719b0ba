import { assert, assertEquals, assertMatch } from "@std/assert";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { toSvrl, validateDocument, type Validation } from "#src/gateway/validation/mod.ts";
import { toHtmlReport } from "#src/gateway/validation/reports/html_report.ts";
import { parseXml, type XmlElement } from "#src/xml/mod.ts";
import { clockAt, INVOICE, xsd } from "./support.ts";

const SVRL = "http://purl.oclc.org/dsdl/svrl";
const deps = { clock: clockAt("2026-11-20T09:00:00Z"), rules: shippedRuleBook(), xsd };
const EVIL = `<script>alert("x")</script>`;
const escaped = EVIL.replaceAll("<", "&lt;");
const wrong = INVOICE
  .replace(">7211.99</cbc:TaxInclusiveAmount>", ">7211.98</cbc:TaxInclusiveAmount>")
  .replace("Société Industrielle du Rhône SAS", escaped);

async function validate(): Promise<Validation> {
  const validation = await validateDocument(deps, wrong);
  const overrides = [{
    ruleSet: "en16931-ubl",
    rule: "BR-CO-17",
    level: "WARNING" as const,
    author: "claire",
    reason: EVIL,
    expires: "2027-01-31T00:00:00.000Z",
    findings: 0,
  }];
  return { ...validation, overrides };
}

Deno.test("the SVRL holds every finding with its set, level, place and both languages", async () => {
  const validation = await validate();
  const { root } = parseXml(toSvrl(validation, { language: "fr" }));
  assertEquals([root.ns, root.local, root.attr("title")], [SVRL, "schematron-output", "invalid"]);
  const patterns = root.childrenNamed(SVRL, "active-pattern").map((it) => it.attr("id"));
  assertEquals(patterns.slice(0, 2), ["en16931-ubl", "br-fr-flux2-ubl"]);
  const failures = root.childrenNamed(SVRL, "failed-assert");
  assertEquals(failures.length, validation.findings.length);
  const total = failures.find((it) => it.attr("id") === "BR-CO-15");
  assertEquals(total?.attr("flag"), "fatal");
  assertMatch(total?.attr("location") ?? "", /^\/\*:Invoice(\/\*:[A-Za-z]+(\[\d+\])?)*$/);
  assertMatch(total?.attr("test") ?? "", /DocumentCurrencyCode satisfies/);
  assertMatch(firedBefore(root, total).attr("context") ?? "", /^\/ubl:Invoice/);
  const prefixes = root.childrenNamed(SVRL, "ns-prefix-in-attribute-values");
  assertEquals(
    prefixes.find((it) => it.attr("prefix") === "cbc")?.attr("uri"),
    "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
  );
  assert(root.childrenNamed(SVRL, "text").some((it) => it.text.includes("BR-CO-17")));
});

/** Returns the rule of a failure. */
function firedBefore(root: XmlElement, failure: XmlElement | undefined): XmlElement {
  const found = root.elements().filter((it) =>
    it.local === "fired-rule" && it.index < (failure?.index ?? 0)
  ).at(-1);
  if (found === undefined) throw new Error("no rule was fired");
  return found;
}

Deno.test("the reports are in the requested language, and contain the other", async () => {
  const validation = await validate();
  const { messageFr, messageEn } = validation.findings.find((it) => it.rule === "BR-CO-15") ?? {};
  const sentences = { fr: messageFr, en: messageEn };
  for (const [language, other] of [["fr", "en"], ["en", "fr"]] as const) {
    const { root } = parseXml(toSvrl(validation, { language }));
    const total = root.childrenNamed(SVRL, "failed-assert")
      .find((it) => it.attr("id") === "BR-CO-15");
    const said = [
      total?.child(SVRL, "text"),
      total?.child(SVRL, "diagnostic-reference")?.children[0],
    ];
    assertEquals(
      said.map((it) => it && "text" in it && it.text),
      [sentences[language], sentences[other]],
    );
    const page = toHtmlReport(validation, { source: wrong, language });
    assertMatch(page, new RegExp(`<html lang="${language}">`));
    assertMatch(page, new RegExp(`id="speak-${language}" checked`));
    assertEquals(page.match(/ checked>/g)?.length, 1);
  }
});

Deno.test("the SVRL invents no rule and no expression", async () => {
  const clean = parseXml(toSvrl(await validateDocument(deps, INVOICE), { language: "fr" })).root;
  assertEquals(clean.childrenNamed(SVRL, "failed-assert"), []);
  assertEquals(
    clean.childrenNamed(SVRL, "fired-rule").map((it) => it.attr("role")),
    ["all", "all"],
  );
  const foreign =
    parseXml(toSvrl(await validateDocument(deps, "<order xmlns='urn:x'/>"), { language: "fr" }))
      .root;
  const [failure] = foreign.childrenNamed(SVRL, "failed-assert");
  assertEquals(
    ["id", "test", "location"].map((it) => failure?.attr(it)),
    ["XSD-UNKNOWN-ROOT", "", "/*:order"],
  );
  assertEquals(firedBefore(foreign, failure).attr("context"), "/*:order");
});

Deno.test("amounts are written as the sentence of the language writes them, quotations as they stand", async () => {
  const rate = wrong.replaceAll(">20</cbc:Percent>", ">20.123</cbc:Percent>");
  const page = toHtmlReport(await validateDocument(deps, rate), { source: rate, language: "fr" });
  const found = [...page.matchAll(/<dt>(Trouvé|Found)<\/dt><dd>([^<]*)/g)].map((it) =>
    `${it[1]} ${it[2]}`
  );
  for (const one of ["Trouvé 7211,98", "Found 7211.98", "Trouvé 20.123", "Found 20.123"]) {
    assert(found.includes(one), one);
  }
  assertEquals(found.includes("Trouvé 7211.98"), false);
});

Deno.test("a notice precedes the verdict, in both languages", async () => {
  const notice = { fr: "Une sur <douze>", en: "One of <twelve>" };
  const validation = await validate();
  const page = toHtmlReport(validation, { source: wrong, language: "fr", notice });
  assert(page.indexOf("Une sur &lt;douze&gt;") < page.indexOf("Non conforme"));
  assert(page.indexOf("One of &lt;twelve&gt;") < page.indexOf("Not compliant"));
  assertMatch(
    toSvrl(validation, { language: "fr", notice }),
    /xml:lang="en">One of &lt;twelve&gt;/,
  );
});

Deno.test("the page escapes texts of a document or a reason, loads nothing and runs nothing", async () => {
  const page = toHtmlReport(await validate(), { source: wrong, language: "fr" });
  assertEquals(/<script/i.test(page), false);
  assertEquals(/\b(?:src|href)\s*=\s*(?!"#)/.test(page.replace(/&[^;]+;/g, "")), false);
  assertEquals(/url\(|@import/.test(page), false);
  assertMatch(page, /default-src 'none'/);
});

Deno.test("the page puts the verdict first, the finding at its line, and says both languages", async () => {
  const validation = await validate();
  const page = toHtmlReport(validation, { source: wrong, language: "fr" });
  const finding = validation.findings.find((it) => it.rule === "BR-CO-15");
  assert(page.indexOf("Non conforme") < page.indexOf("BR-CO-15"));
  assertMatch(page, /Not compliant/);
  const row = page.indexOf(`id="l${finding?.line}"`);
  assert(row > 0 && page.indexOf("<mark>", row) > row);
  assertMatch(page, /7\u202F211,98 EUR/);
  assertMatch(page, /claire/);
});

Deno.test("a large document is shown around its findings", async () => {
  const line = /<cac:InvoiceLine>.*<\/cac:InvoiceLine>/.exec(INVOICE)?.[0] ?? "";
  const large = INVOICE.replace(line, `${line}\n`.repeat(500));
  const page = toHtmlReport(await validateDocument(deps, large), { source: large, language: "fr" });
  assertMatch(page, /lignes sans remarque/);
});

Deno.test("text that is not XML is shown unchanged", async () => {
  const source = "<a>\n<b>\u0001</b";
  const validation = await validateDocument(deps, source);
  assertMatch(toHtmlReport(validation, { source, language: "fr" }), /ne peut pas être lu/);
  parseXml(toSvrl(validation, { language: "fr" }));
});
