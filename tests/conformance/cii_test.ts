import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { writeCii } from "#src/domain/cii/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import type { FailedAssertion } from "#src/schematron/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { build, parts } from "../../xsl/rules/en16931-cii/build/main.ts";
import { FLUX2_CII } from "../../xsl/rules/br-fr-flux2-cii/build/main.ts";
import { renderSchema } from "../../xsl/rules/br-fr-flux2-ubl/build/schema.ts";
import { parts as ublParts } from "../../xsl/rules/build/build.ts";

const FOLDER = resolve(import.meta.dirname ?? ".", "../../xsl/rules/en16931-cii");
const SAMPLES = resolve(import.meta.dirname ?? ".", "../golden/ubl");
const CII = samples();

Deno.test("the committed schemas of EN 16931 on CII are generated from the tables, and the entry includes each once", () => {
  const entry = readFileSync(join(FOLDER, "en16931-cii.sch"), "utf8");
  const included = [...entry.matchAll(/<include href="([^"]+)"/g)].map(([, path]) => path);
  assertEquals(included.toSorted(), [...build().keys()].toSorted());
  for (const [path, content] of build()) {
    assertEquals(readFileSync(join(FOLDER, path), "utf8"), content, `${path} is not up to date`);
  }
});

Deno.test("EN 16931 has 806 rules on CII, and those it shares with UBL say the same", () => {
  const rules = parts().flatMap((part) => part.rules);
  assertEquals(new Set(rules.map((rule) => rule.id)).size, rules.length);
  const ubl = new Map(ublParts().flatMap((part) => part.rules).map((rule) => [rule.id, rule]));
  const shared = rules.filter((rule) => rule.id.startsWith("BR-"));
  const other = shared.filter(({ id, en, fr, terms }) => {
    const same = ubl.get(id);
    return same?.en !== en || same.fr !== fr || same.terms !== terms;
  });
  assertEquals(other.map((rule) => rule.id), ["BR-CL-06", "BR-CL-08", "BR-CL-10"]);
  assertEquals(shared.length, [...ubl.keys()].filter((id) => id.startsWith("BR-")).length);
  assertEquals(rules.length, 806);
});

Deno.test("the committed French schema on CII is generated from its rules", () => {
  const path = join(FOLDER, "../br-fr-flux2-cii/br-fr-flux2-cii.sch");
  assertEquals(readFileSync(path, "utf8"), renderSchema(FLUX2_CII));
});

Deno.test("a valid UBL invoice is a valid CII", () => {
  assert(CII.length > 5);
  for (const xml of CII) assertEquals(rulesBroken(xml), []);
});

/** Original text, replacement, and the rules that then fail. */
const MUTANTS: readonly (readonly [RegExp, string, readonly string[]])[] = [
  [/(<ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>)[^<]*/, "$1", ["BR-01"]],
  [/(<rsm:ExchangedDocument><ram:ID>)[^<]*/, "$1 ", ["BR-02"]],
  [/<ram:DuePayableAmount>(\d+)\./, "<ram:DuePayableAmount>1$1.", ["BR-CO-16"]],
  [/<ram:InvoiceCurrencyCode>EUR/, "<ram:InvoiceCurrencyCode>EUX", [
    "BR-CL-04",
    "BR-CO-15",
  ]],
  [/(<ram:IssueDateTime>.*?>)\d{8}</, "$120261301<", ["CII-DT-097"]],
  [/<ram:TypeCode>VAT<\/ram:TypeCode>/g, "<ram:TypeCode>GST</ram:TypeCode>", [
    "BR-47",
    "BR-48",
    "BR-CO-04",
    "CII-DT-037",
  ]],
  [/<ram:BilledQuantity unitCode="[^"]*"/, '<ram:BilledQuantity unitCode="1XX"', ["BR-CL-23"]],
  [/<ram:SpecifiedTradeProduct>/, "<ram:SpecifiedTradeProduct><ram:ID>1</ram:ID>", [
    "CII-SR-045",
  ]],
];

Deno.test("errors in a CII are found under their rule number and position", () => {
  const [xml = ""] = CII;
  for (const [from, to, expected] of MUTANTS) {
    const changed = xml.replace(from, to);
    assert(changed !== xml, String(from));
    const found = rulesBroken(changed);
    assertEquals(expected.filter((id) => !found.includes(id)), [], `${from}: ${found}`);
  }
});

Deno.test("a French rule on CII reports its context group and shows the value in it", () => {
  const line = "/rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction" +
    "/ram:IncludedSupplyChainTradeLineItem/ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax";
  const sample = Deno.readTextFileSync(
    new URL("french/extended-cii/canary-islands.xml", import.meta.url),
  );
  const found = failures("br-fr-flux2-cii", sample).filter(({ rule }) => rule.endsWith("BT-151"));
  assertEquals(found.map(({ location }) => location.replaceAll("[1]", "")), [line]);
  assertMatch(found[0]?.message ?? "", /"L" is not allowed/);
});

function samples(): string[] {
  return readdirSync(SAMPLES).filter((name) => name.endsWith(".xml")).slice(0, 20)
    .map((name) => writeCii(readInvoice(parseXml(readFileSync(join(SAMPLES, name))))));
}

function rulesBroken(xml: string): string[] {
  const found = failures("en16931-cii", xml);
  return [...new Set(found.map(({ kind, rule }) => kind === "failed" ? rule : `${rule} ${kind}`))];
}

function failures(id: string, xml: string): readonly FailedAssertion[] {
  const set = shippedRuleBook().sets().find(({ manifest }) => manifest.id === id);
  return set?.schema().run(parseXml(xml)).failures ?? [];
}
