import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CompiledSchema,
  compileSchema,
  type FailedAssertion,
  loadSchema,
} from "#src/schematron/mod.ts";
import { parseXml } from "#src/xml/mod.ts";

const RULES = join(import.meta.dirname ?? ".", "../../xsl/rules");
const core = setOf("en16931-ubl");
const extended = setOf("extended-ctc-fr-ubl");
const french = setOf("br-fr-flux2-ubl");

function setOf(name: string): CompiledSchema {
  return compileSchema(
    loadSchema(join(RULES, name, `${name}.sch`), (file) => readFileSync(file, "utf8")),
  );
}

/** Returns how often a rule fires, and how often it cannot be evaluated. */
function fire(set: CompiledSchema, rule: string, content: string): string {
  return validate(set, content).filter((it) => it.rule === rule).map((it) => it.kind).join(" ");
}

function validate(set: CompiledSchema, content: string): readonly FailedAssertion[] {
  const document = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
    xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
    xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">${content}</Invoice>`;
  return set.run(parseXml(document)).failures;
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
      fire(core, `${id}-08`, breakdown(code, taxable, "20") + line(code, lines, "20.00"));
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
    fire(extended, "BR-FREXT-CO-11", totals(total, allowances));
  assertEquals(off("12.79", ["12.80"]), "failed", "12.80 as a double is a little more");
  assertEquals(off("12.81", ["12.80"]), "", "and so 12.81 is a little nearer");
  assertEquals(off("12.80", ["1.28E1"]), "", "a double has exponents");
  assertEquals(off("12.82", ["12.80"]), "failed");
});

Deno.test("EXTENDED-CTC-FR: rates are one however they are written, and apart to their last digit", () => {
  const off = (inBreakdown: string, onLine: string) =>
    fire(
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
  assertEquals(fire(core, "UBL-DT-01", extension("12.345")), "failed");
  assertEquals(fire(core, "UBL-DT-01", extension("12.34")), "");
});

Deno.test("EXTENDED-CTC-FR: a group is the sum of its sub-lines as doubles, rounded to the cent", () => {
  const own = (parent: string, status: string) =>
    `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>F1</cbc:ID><cbc:DocumentStatusCode>${status}</cbc:DocumentStatusCode></cac:InvoiceDocumentReference>${
      parent && `<cac:BillingReferenceLine><cbc:ID>${parent}</cbc:ID></cac:BillingReferenceLine>`
    }</cac:BillingReference>`;
  const nested = (id: string, amount: string, reference: string) =>
    `<cac:InvoiceLine><cbc:ID>${id}</cbc:ID><cbc:LineExtensionAmount>${amount}</cbc:LineExtensionAmount>${reference}</cac:InvoiceLine>`;
  const off = (group: string, lines: readonly string[]) =>
    fire(
      extended,
      "BR-FREXT-08",
      `<cbc:ID>F1</cbc:ID>` + nested("1", group, own("", "GROUP")) +
        lines.map((it, at) => nested(`1.${at}`, it, own("1", "DETAIL"))).join(""),
    );
  assertEquals(off("0.3", ["0.1", "0.2"]), "");
  assertEquals(off("1E2", ["100.00"]), "", "exponents are amounts");
  assertEquals(off("100", ["1e1", "90"]), "");
  assertEquals(off("1E2", ["99.99"]), "failed");
  assertEquals(off("1.00", ["1.005"]), "", "100.49999999999999 rounds to 100");
});

Deno.test("amounts and dates that no schema allows are validated, not aborted", () => {
  const dates = "<cbc:IssueDate>0000-01-01</cbc:IssueDate>";
  assertEquals(fire(core, "BR-03", dates), "");
  for (const amount of ["1E2", "1.5e1", "1e-2"]) {
    const total =
      `<cac:LegalMonetaryTotal><cbc:PayableAmount>${amount}</cbc:PayableAmount></cac:LegalMonetaryTotal>`;
    assertEquals(fire(core, "BR-15", total), "");
    const item =
      `<cac:InvoiceLine><cac:Price><cbc:PriceAmount>${amount}</cbc:PriceAmount></cac:Price></cac:InvoiceLine>`;
    assertEquals(fire(core, "BR-27", item), "");
  }
});

Deno.test("UBL-SR-47: the means of payment are compared as text, wherever they stand", () => {
  const means = (...codes: readonly string[]) =>
    codes.map((it) =>
      `<cac:PaymentMeans><cbc:PaymentMeansCode>${it}</cbc:PaymentMeansCode></cac:PaymentMeans>`
    )
      .join("");
  assertEquals(fire(core, "UBL-SR-47", means("30", "30")), "");
  assertEquals(fire(core, "UBL-SR-47", means("30", "58")), "failed");
  assertEquals(fire(core, "UBL-SR-47", means("30", "030")), "failed");
  assertEquals(fire(core, "UBL-SR-47", means("30", " 30")), "failed");
  assertEquals(fire(core, "UBL-SR-47", means("30", "58", "30")), "failed");
});

Deno.test("BR-DEC-13 and BR-DEC-15 look for the currency inside the amount, UBL-DT-01 at the amount", () => {
  const total = (amount: string, inside = "") =>
    `<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>
    <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">${inside}${amount}</cbc:TaxAmount></cac:TaxTotal>`;
  for (const [id, name] of [["BR-DEC-13", "Document"], ["BR-DEC-15", "Tax"]]) {
    assertEquals(fire(core, id ?? "", total("1.234")), "");
    const code = `<cbc:${name}CurrencyCode>EUR</cbc:${name}CurrencyCode>`;
    assertEquals(fire(core, id ?? "", total(".234", code)), "failed");
  }
  assertEquals(fire(core, "UBL-DT-01", total("1.234")), "failed");
});

Deno.test("BR-S-05: one rate above 0 is enough where two are given, and a rate has to be a number", () => {
  const rates = (...percents: readonly string[]) =>
    line("S", "1.00", percents.join("</cbc:Percent><cbc:Percent>"));
  assertEquals(fire(core, "BR-S-05", rates("20")), "");
  assertEquals(fire(core, "BR-S-05", rates("0")), "failed");
  assertEquals(fire(core, "BR-S-05", rates("-0.00")), "failed");
  assertEquals(fire(core, "BR-S-05", rates("0", "20")), "");
  assertEquals(fire(core, "BR-S-05", rates("1e-2")), "");
  assertEquals(fire(core, "BR-S-05", rates("x")), "not-evaluated");
});

Deno.test("BR-FR-15 and BR-FR-16 judge each of several VAT categories and rates by itself", () => {
  const item = (...categories: readonly string[]) =>
    `<cac:InvoiceLine><cac:Item>${
      categories.map((it) => `<cac:ClassifiedTaxCategory>${it}</cac:ClassifiedTaxCategory>`).join(
        "",
      )
    }</cac:Item></cac:InvoiceLine>`;
  const [good, odd, foreign] = [category("S", "20"), category("S", "7.77"), category("L", "20")];
  assertEquals(fire(french, "BR-FR-16_BT-152", item(good, good)), "");
  assertEquals(fire(french, "BR-FR-16_BT-152", item(good, odd, odd)), "failed failed");
  assertEquals(fire(french, "BR-FR-08_BT-151-2", item(foreign, good)), "failed");
  assertEquals(
    fire(french, "BR-FR-15_BT-151-1", item(category("X", "20"), foreign)),
    "failed failed",
  );
  const twoRates = item(
    `<cbc:ID>S</cbc:ID><cbc:Percent>20</cbc:Percent><cbc:Percent>7.77</cbc:Percent>`,
  );
  assertEquals(fire(french, "BR-FR-16_BT-152", twoRates), "failed");
});

Deno.test("a repeated value is shown for a text, but not for a group", () => {
  const period = "<cac:InvoicePeriod><cbc:StartDate>2026-01-01</cbc:StartDate></cac:InvoicePeriod>";
  const reference =
    "<cac:ContractDocumentReference><cbc:ID>C</cbc:ID></cac:ContractDocumentReference>";
  const show = (content: string, rule: string) =>
    validate(core, content).filter((it) => it.rule === rule)
      .map((it) => it.diagnostics.find(({ role }) => role === "value")?.text);
  assertEquals(show(period + period, "UBL-SR-08"), [""]);
  assertEquals(show(reference + reference, "UBL-SR-01"), ["C"]);
});

Deno.test("rules that cannot be evaluated on duplicated elements are reported as unevaluated", () => {
  const cii = setOf("en16931-cii");
  const document = (line: string) =>
    parseXml(`<rsm:CrossIndustryInvoice
      xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
      xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100">
      <rsm:SupplyChainTradeTransaction><ram:IncludedSupplyChainTradeLineItem>${line}</ram:IncludedSupplyChainTradeLineItem>
      </rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`);
  const kinds = (names: string) =>
    cii.run(document(`<ram:SpecifiedTradeProduct>${names}</ram:SpecifiedTradeProduct>`)).failures
      .filter((it) => it.rule === "BR-25").map((it) => it.kind);
  const name = "<ram:Name>Vis</ram:Name>";
  assertEquals([kinds(""), kinds(name), kinds(name + name)], [["failed"], [], ["not-evaluated"]]);
});
