import { assert, assertEquals, assertMatch } from "@std/assert";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import {
  toHtmlReport,
  toSvrl,
  validateDocument,
  type Validation,
} from "#src/features/validation/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { clockAt, INVOICE, xsd } from "./support.ts";

const SVRL = "http://purl.oclc.org/dsdl/svrl";
const deps = { clock: clockAt("2026-11-20T09:00:00Z"), rules: shippedRuleBook(), xsd };
const EVIL = `<script>alert("x")</script>`;
const escaped = EVIL.replaceAll("<", "&lt;");
const wrong = INVOICE
  .replace(">7211.99</cbc:TaxInclusiveAmount>", ">7211.98</cbc:TaxInclusiveAmount>")
  .replace("Société Industrielle du Rhône SAS", escaped);

async function judged(): Promise<Validation> {
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
  const validation = await judged();
  const { root } = parseXml(toSvrl(validation));
  assertEquals([root.ns, root.local, root.attr("title")], [SVRL, "schematron-output", "invalid"]);
  const patterns = root.childrenNamed(SVRL, "active-pattern").map((it) => it.attr("id"));
  assertEquals(patterns.slice(0, 2), ["en16931-ubl", "br-fr-flux2-ubl"]);
  const failures = root.childrenNamed(SVRL, "failed-assert");
  assertEquals(failures.length, validation.findings.length);
  const total = failures.find((it) => it.attr("id") === "BR-CO-15");
  assertEquals(total?.attr("flag"), "fatal");
  assertMatch(total?.attr("location") ?? "", /^\//);
  assert(total?.child(SVRL, "diagnostic-reference")?.text !== total?.child(SVRL, "text")?.text);
  assert(root.childrenNamed(SVRL, "text").some((it) => it.text.includes("BR-CO-17")));
});

Deno.test("the page escapes what a document or a reason says, loads nothing and runs nothing", async () => {
  const page = toHtmlReport(await judged(), wrong);
  assertEquals(/<script/i.test(page), false);
  assertEquals(/\b(?:src|href)\s*=\s*(?!"#)/.test(page.replace(/&[^;]+;/g, "")), false);
  assertEquals(/url\(|@import/.test(page), false);
  assertMatch(page, /default-src 'none'/);
});

Deno.test("the page puts the verdict first, the finding at its line, and says both languages", async () => {
  const validation = await judged();
  const page = toHtmlReport(validation, wrong);
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
  const page = toHtmlReport(await validateDocument(deps, large), large);
  assertMatch(page, /lignes sans remarque/);
});

Deno.test("what is no XML is shown as it is", async () => {
  const source = "<a>\n<b>\u0001</b";
  const validation = await validateDocument(deps, source);
  assertMatch(toHtmlReport(validation, source), /ne peut pas être lu/);
  parseXml(toSvrl(validation));
});
