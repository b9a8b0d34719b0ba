import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CompiledSchema, compileSchema, loadSchema } from "#src/schematron/mod.ts";
import { parseXml } from "#src/xml/mod.ts";

const RULES = join(import.meta.dirname ?? ".", "../../xsl/rules");
const core = setOf("en16931-ubl");
const extended = setOf("extended-ctc-fr-ubl");

function setOf(name: string): CompiledSchema {
  return compileSchema(
    loadSchema(join(RULES, name, `${name}.sch`), (file) => readFileSync(file, "utf8")),
  );
}

/** How often a rule fires, and how often it could not be evaluated. */
function fired(set: CompiledSchema, rule: string, content: string): string {
  const document = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
    xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
    xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">${content}</Invoice>`;
  const { failures } = set.run(parseXml(document));
  return failures.filter((it) => it.rule === rule).map((it) => it.kind).join(" ");
}

function category(code: string, rate: string): string {
  return `<cbc:ID>${code}</cbc:ID><cbc:Percent>${rate}</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>`;
}

function breakdown(code: string, taxable: string, rate: string): string {
  return `<cac:TaxTotal><cac:TaxSubtotal><cbc:TaxableAmount>${taxable}</cbc:TaxableAmount><cbc:TaxAmount>0</cbc:TaxAmount>
    <cac:TaxCategory>${category(code, rate)}</cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>`;
}

function line(code: string, amount: string, rate: string): string {
  return `<cac:InvoiceLine><cbc:LineExtensionAmount>${amount}</cbc:LineExtensionAmount>
    <cac:Item><cac:ClassifiedTaxCategory>${
    category(code, rate)
  }</cac:ClassifiedTaxCategory></cac:Item></cac:InvoiceLine>`;
}

Deno.test("a taxable amount exactly 1.00 off is decided by the double one less, taken with every digit", () => {
  for (const [id, code] of [["BR-S", "S"], ["BR-AF", "L"], ["BR-AG", "M"]] as const) {
    const off = (lines: string, taxable: string) =>
      fired(core, `${id}-08`, breakdown(code, taxable, "20") + line(code, lines, "20.00"));
    assertEquals(off("100.10", "101.10"), "", "100.1 is a little less than 100.10");
    assertEquals(off("100.20", "101.20"), "failed", "100.2 is a little more than 100.20");
    assertEquals(off("100.00", "101.00"), "failed", "100 is 100");
    assertEquals(off("100.00", "99.01"), "");
    assertEquals(off("100.00", "1E2"), "", "a double has exponents");
  }
});

function totals(total: string, allowances: readonly string[]): string {
  return `<cac:LegalMonetaryTotal><cbc:AllowanceTotalAmount>${total}</cbc:AllowanceTotalAmount></cac:LegalMonetaryTotal>` +
    allowances.map((it) =>
      `<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount>${it}</cbc:Amount></cac:AllowanceCharge>`
    ).join("");
}

Deno.test("EXTENDED-CTC-FR: a total of allowances one cent off is decided by the digits of the double sum", () => {
  const off = (total: string, allowances: readonly string[]) =>
    fired(extended, "BR-FREXT-CO-11", totals(total, allowances));
  assertEquals(off("12.79", ["12.80"]), "failed", "12.80 as a double is a little more");
  assertEquals(off("12.81", ["12.80"]), "", "and so 12.81 is a little nearer");
  assertEquals(off("12.80", ["1.28E1"]), "", "a double has exponents");
  assertEquals(off("12.82", ["12.80"]), "failed");
});

Deno.test("EXTENDED-CTC-FR: rates are one however they are written, and apart to their last digit", () => {
  const off = (inBreakdown: string, onLine: string) =>
    fired(
      extended,
      "BR-FREXT-S-08",
      breakdown("S", "10.00", inBreakdown) + line("S", "10.00", onLine),
    );
  assertEquals(off("0", "-0.00"), "");
  assertEquals(off("5.50", "5.5"), "");
  assertEquals(off("5.5", "5.500000000000000000001"), "failed");
});

Deno.test("UBL-DT-01 looks at amounts of any name, also inside extensions", () => {
  const extension = (amount: string) => `<x:TotalAmount xmlns:x="urn:x">${amount}</x:TotalAmount>`;
  assertEquals(fired(core, "UBL-DT-01", extension("12.345")), "failed");
  assertEquals(fired(core, "UBL-DT-01", extension("12.34")), "");
});
