import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createSaxonXslt } from "#src/adapters/saxon/mod.ts";
import { modulesInFolders } from "#src/adapters/saxon/modules.ts";
import { silentLog } from "#tests/support/log.ts";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import { type TransformFailure, transformFailure, type Xslt } from "#src/ports/xslt.ts";
import { parseXml } from "#src/xml/mod.ts";

const HERE = import.meta.dirname ?? ".";
const ROOT = resolve(HERE, "../../xsl/transform");
const STYLESHEET = join(ROOT, "R42565.xsl");
const xsd = createXsd();

interface Stage {
  readonly single: string;
  run(source: string, params?: Record<string, string>): Promise<string>;
  refused(source: string): Promise<TransformFailure & { message: string }>;
}

const steps: [name: string, body: (stage: Stage) => Promise<void>][] = [];

function testTransform(name: string, body: (stage: Stage) => Promise<void>) {
  steps.push([name, body]);
}

function getStage(xslt: Xslt, single: string): Stage {
  const transform = async (source: string, params: Record<string, string> = {}) =>
    (await xslt.transform({ stylesheet: STYLESHEET, source, params })).output;
  return {
    single,
    run: async (source, params) => {
      const output = await transform(source, params);
      const kind = output.includes("<CreditNote ") ? "ubl-creditnote" : "ubl-invoice";
      assertEquals(await xsd.validate(kind, output), []);
      return output;
    },
    refused: async (source) => {
      const error = await assertRejects(() => transform(source), Error) as Error;
      const failure = transformFailure(error);
      if (!failure) throw error;
      return { ...failure, message: error.message };
    },
  };
}

function texts(xml: string, name: string): string[] {
  return parseXml(xml).all.filter(({ qname }) => qname === name).map(({ text }) => text);
}

function replace(source: string, changes: Record<string, string>): string {
  let result = source;
  for (const [name, value] of Object.entries(changes)) {
    const pattern = new RegExp(`<${name}>[^<]*</${name}>`, "g");
    assert(pattern.test(result), name);
    result = result.replace(pattern, `<${name}>${value}</${name}>`);
  }
  return result;
}

testTransform(
  "French numbers are read with any blank, sign and separator",
  async ({ single, run }) => {
    const cases: [string, string][] = [
      ["1 234 567,50", "1234567.50"],
      ["1\u00a0234,5", "1234.50"],
      ["1\u202f234,567", "1234.57"],
      ["12,50-", "-12.50"],
      ["-12,50", "-12.50"],
      ["1.234,56", "1234.56"],
      ["1234.56", "1234.56"],
      ["0,005", "0.01"],
      ["0,005-", "-0.01"],
      ["  7  ", "7.00"],
    ];
    for (const [written, expected] of cases) {
      const output = await run(replace(single, { AmountTaxable_ID403: written }));
      assertEquals(texts(output, "cbc:TaxableAmount"), [expected], written);
    }
  },
);

testTransform("dates are read as Julian numbers, none when zero", async ({ single, run }) => {
  const cases: [string, string[]][] = [
    ["126273", ["2026-09-30"]],
    ["124366", ["2024-12-31"]],
    ["99001", ["1999-01-01"]],
    ["2026-02-28", ["2026-02-28"]],
    ["28/02/2026", ["2026-02-28"]],
    ["0", []],
    ["000000", []],
    ["      ", []],
    ["", []],
  ];
  for (const [written, expected] of cases) {
    const output = await run(replace(single, { DateNetDue_ID141: written }));
    assertEquals(texts(output, "cbc:DueDate"), expected, written);
  }
});

testTransform("an amount keeps every cent of it, however large", async ({ single, run }) => {
  const cases: readonly [written: string, expected: string][] = [
    ["9007199254740993,17", "9007199254740993.17"],
    ["90 071 992 547 409,93-", "-90071992547409.93"],
    ["123456789012345678901234,565", "123456789012345678901234.57"],
    ["0,005", "0.01"],
    ["0,004", "0.00"],
    ["-0,004", "0.00"],
    ["-0,005", "-0.01"],
    ["0,1", "0.10"],
    ["-0,1", "-0.10"],
    ["1", "1.00"],
    ["0", "0.00"],
  ];
  for (const [written, expected] of cases) {
    const output = await run(replace(single, { AmountOpen_ID504: written }));
    assertEquals(texts(output, "cbc:PayableAmount"), [expected], written);
  }
});

testTransform("what is missing or unreadable ends the transform and is named", async (stage) => {
  const { single, refused } = stage;
  const cases: [Record<string, string>, string, string, string][] = [
    [{ DateInvoiceJ_ID140: "0" }, "DateInvoiceJ_ID140", "", "missing or empty"],
    [{ DateInvoiceJ_ID140: "125366" }, "DateInvoiceJ_ID140", "125366", "not a date"],
    [{ DateNetDue_ID141: "demain" }, "DateNetDue_ID141", "demain", "not a date"],
    [{ DateNetDue_ID141: "31/02/2026" }, "DateNetDue_ID141", "31/02/2026", "not a date"],
    [{ AmountGross_ID501: "12,5O" }, "AmountGross_ID501", "12,5O", "not a number"],
    [{ AmountGross_ID501: "1,2,3" }, "AmountGross_ID501", "1,2,3", "not a number"],
    [
      { AmountExtendedPrice_ID309: "" },
      "AmountExtendedPrice_ID309",
      "",
      "Line 1: the element AmountExtendedPrice_ID309 is missing or empty in Invoice_Detail_S20",
    ],
    [
      { NameAlpha_ID18: "   " },
      "NameAlpha_ID18",
      "",
      "Seller: the element NameAlpha_ID18 is missing or empty in Bill_From_S12",
    ],
    [{ ProcessFlag_ID155: "" }, "ProcessFlag_ID155", "", "missing or empty"],
  ];
  for (const [change, element, value, en] of cases) {
    const failure = await refused(replace(single, change));
    assertEquals([failure.kind, failure.element, failure.value], ["stopped", element, value]);
    assertStringIncludes(failure.message, element);
    assertStringIncludes(failure.message, en);
    assertStringIncludes(failure.messageFr, element);
    if (value) assertStringIncludes(failure.messageFr, value);
  }
  const without = single.replace(/<Invoice_Total_S40>.*<\/Invoice_Total_S40>/, "");
  assertEquals((await refused(without)).element, "Invoice_Total_S40");
  assertEquals((await refused("<R42565/>")).element, "Invoice_Header_S11");
});

testTransform("the constants can be given from outside", async ({ single, run }) => {
  const without = replace(single, { IBAN_ID23: "" });
  const output = await run(without, { "note-AAB": "", iban: "FR 00", "credit-types": "RI R2" });
  assertEquals(texts(output, "cbc:Note").length, 2);
  assertEquals(parseXml(output).root.local, "CreditNote");
  assertStringIncludes(output, "<cbc:ID>FR00</cbc:ID>");
  const process = await run(replace(single, { ProcessFlag_ID155: "" }), { process: "B1" });
  assertEquals(texts(process, "cbc:ProfileID"), ["B1"]);
});

testTransform(
  "a credit note printed in negative figures says the same as in positive ones",
  async (stage) => {
    const report = await readFile(join(HERE, "erp/R42565-burst-12.xml"), "utf8");
    const start = report.indexOf("<Invoice_Header_S11><DocumentOrderInvoiceE_ID135>100001");
    const piece = report.slice(start, report.indexOf("</Invoice_Header_S11>", start));
    const dated = piece.replace(
      "</OriginalDocument_ID161>",
      "$&<DateOriginalInvoice_ID163>126273</DateOriginalInvoice_ID163>",
    );
    const positive = `<R>${dated}</Invoice_Header_S11></R>`;
    const negative = positive.replace(
      /<((?:Amount|AmtTax|UnitsTrans|LineDiscount)\w+)>([^<]+)</g,
      "<$1>$2-<",
    );
    assert(negative !== positive);
    assertEquals(await stage.run(negative), await stage.run(positive));
  },
);

testTransform("a negative discount is a charge", async ({ single, run }) => {
  const discount = `<Header_Discount_S14><Description_ID200>Port    </Description_ID200>
    <ReasonCode_ID201>FC </ReasonCode_ID201><AmountDiscount_ID202>12,50-</AmountDiscount_ID202>
    <TaxCategory_ID203>S</TaxCategory_ID203><TaxRate_ID204>20,000</TaxRate_ID204></Header_Discount_S14>`;
  const output = await run(
    single.replace("<Tax_Summary_S30>", `${discount}<Tax_Summary_S30>`)
      .replace("<LineDiscount_ID308>5,00<", "<LineDiscount_ID308>5,00-<"),
  );
  assertStringIncludes(
    output,
    `<cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:AllowanceChargeReasonCode>FC</cbc:AllowanceChargeReasonCode><cbc:AllowanceChargeReason>Port</cbc:AllowanceChargeReason><cbc:Amount currencyID="EUR">12.50</cbc:Amount><cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>20</cbc:Percent>`,
  );
  assertEquals(texts(output, "cbc:ChargeTotalAmount"), ["12.50"]);
  assertEquals(texts(output, "cbc:AllowanceTotalAmount"), []);
  assertStringIncludes(
    output,
    "<cbc:AllowanceChargeReason>Frais ligne</cbc:AllowanceChargeReason>",
  );
});

testTransform("each category without VAT gives its reason", async ({ single, run }) => {
  const codes: Record<string, string[]> = {
    AE: ["VATEX-EU-AE"],
    K: ["VATEX-EU-IC"],
    G: ["VATEX-EU-G"],
    O: ["VATEX-EU-O"],
    E: [],
    Z: [],
  };
  for (const [category, expected] of Object.entries(codes)) {
    const names = { TaxCategory_ID310: category, TaxCategory_ID401: category };
    const rates = { TaxRate_ID311: "0", TaxRate_ID402: "0,000" };
    const output = await run(replace(single, { ...names, ...rates }));
    assertEquals(texts(output, "cbc:TaxExemptionReasonCode"), expected);
    const reasons = category === "Z" || category === "E" ? 0 : 1;
    assertEquals(texts(output, "cbc:TaxExemptionReason").length, reasons, category);
    assertEquals(texts(output, "cbc:Percent"), category === "O" ? [] : ["0", "0", "0"]);
    assertEquals(texts(output, "cac:Delivery"), [], "the report says nothing of a delivery");
  }
});

testTransform("what was paid already is told", async ({ single, run }) => {
  const output = await run(replace(single, { AmountOpen_ID504: "7 000,00" }));
  assertEquals(texts(output, "cbc:PrepaidAmount"), ["211.99"]);
  assertEquals(texts(output, "cbc:PayableAmount"), ["7000.00"]);
});

testTransform(
  "a party abroad has no SIREN and no electronic address of ours",
  async ({ single, run }) => {
    const output = await run(replace(single, {
      TaxId_ID20: "HRB 1234 ",
      AdditionalTaxId_ID21: "",
      Country_ID45: "DE ",
      ZipCodePostal_ID44: "",
    }));
    assert(!output.includes("EndpointID") && !output.includes("PartyIdentification"));
    assertStringIncludes(output, "<cbc:CompanyID>HRB 1234</cbc:CompanyID>");
  },
);

Deno.test("the stylesheet for R42565", async (t) => {
  const xslt = createSaxonXslt({ modules: modulesInFolders([ROOT]), log: silentLog, size: 1 });
  const stage = getStage(xslt, await readFile(join(HERE, "erp/R42565-single.xml"), "utf8"));
  try {
    for (const [name, body] of steps) await t.step(name, () => body(stage));
  } finally {
    await xslt.close();
  }
});
