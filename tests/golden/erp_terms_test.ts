import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createSaxonXslt } from "#src/adapters/saxon/mod.ts";
import { modulesInFolders } from "#src/adapters/saxon/modules.ts";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import { type TransformFailure, transformFailure } from "#src/ports/xslt.ts";
import { parseXml } from "#src/xml/mod.ts";
import { silentLog } from "#tests/support/log.ts";

const HERE = import.meta.dirname ?? ".";
const ROOT = resolve(HERE, "../../xsl/transform");
const STYLESHEET = join(ROOT, "R42565.xsl");
const xsd = createXsd();

/** Adds elements to the end of a section, or replaces those with the same name. */
function given(source: string, section: string, elements: Record<string, string>): string {
  const [open, close] = [`<${section}>`, `</${section}>`];
  const start = source.indexOf(open);
  const end = source.indexOf(close, start);
  assert(start >= 0, section);
  let inside = source.slice(start + open.length, end);
  for (const [name, value] of Object.entries(elements)) {
    inside = inside.replace(new RegExp(`<${name}>[^<]*</${name}>`), "");
    // Elements of the header come before its sections, as the ERP prints them.
    if (section === "Invoice_Header_S11") inside = `<${name}>${value}</${name}>${inside}`;
    else inside += `<${name}>${value}</${name}>`;
  }
  return source.slice(0, start + open.length) + inside + source.slice(end);
}

const HEADER = "Invoice_Header_S11";
const SELLER = "Bill_From_S12";
const BUYER = "Sold_To_S13";

Deno.test("the stylesheet for R42565 writes the data of the ERP, and invents nothing", async (t) => {
  const xslt = createSaxonXslt({ modules: modulesInFolders([ROOT]), log: silentLog, size: 1 });
  const single = await readFile(join(HERE, "erp/R42565-single.xml"), "utf8");
  const run = async (source: string, params: Record<string, string> = {}) => {
    const { output } = await xslt.transform({ stylesheet: STYLESHEET, source, params });
    const kind = output.includes("<CreditNote ") ? "ubl-creditnote" : "ubl-invoice";
    assertEquals(await xsd.validate(kind, output), []);
    return output;
  };
  const refuse = async (source: string): Promise<TransformFailure & { message: string }> => {
    const error = await assertRejects(() => run(source), Error);
    const failure = transformFailure(error);
    if (!failure) throw error;
    return { ...failure, message: error.message };
  };
  try {
    await t.step(
      "the account is the payee's, the seller's or the template's, or missing",
      async () => {
        const without = given(single, SELLER, { IBAN_ID23: " " });
        const failure = await refuse(without);
        assertEquals([failure.kind, failure.element], ["stopped", "IBAN_ID23"]);
        assertStringIncludes(failure.message, "enter the IBAN of your company");
        assertStringIncludes(failure.messageFr, "renseignez l'IBAN de votre société");
        const ofTemplate = await run(without, { iban: "DE89 3704 0044 0532 0130 00" });
        assertStringIncludes(ofTemplate, "<cbc:ID>DE89370400440532013000</cbc:ID>");
        assert(!(await run(without, { "payment-code": "48" })).includes("PayeeFinancialAccount"));
        const payee =
          "<Payee_S16><NameAlpha_ID18>Factor SA</NameAlpha_ID18><TaxId_ID20>552 081 317</TaxId_ID20><IBAN_ID23>FR00 1</IBAN_ID23></Payee_S16>";
        const factored = await run(
          single.replace("<Invoice_Detail_S20>", `${payee}<Invoice_Detail_S20>`),
          { "type-codes": "RI=393" },
        );
        assertStringIncludes(factored, "<cbc:InvoiceTypeCode>393<");
        assertStringIncludes(factored, "<cbc:ID>FR001</cbc:ID>");
        assertStringIncludes(
          factored,
          '<cac:PayeeParty><cac:PartyName><cbc:Name>Factor SA</cbc:Name></cac:PartyName><cac:PartyLegalEntity><cbc:CompanyID schemeID="0002">552081317<',
        );
      },
    );

    await t.step("each type of invoice has its message", async () => {
      for (const code of ["380", "384", "386", "389", "393", "261", "381", "396", "503"]) {
        const kind = ["261", "381", "396", "503"].includes(code) ? "CreditNote" : "Invoice";
        const ofErp = await run(given(single, HEADER, { InvoiceTypeCode_ID138: code }));
        const ofTemplate = await run(single, { "type-codes": `R9=380 RI=${code}` });
        for (const output of [ofErp, ofTemplate]) {
          assertEquals(parseXml(output).root.local, kind, code);
          assertStringIncludes(output, `<cbc:${kind}TypeCode>${code}<`);
        }
      }
      const unknown = await refuse(given(single, HEADER, { InvoiceTypeCode_ID138: "999" }));
      assertEquals([unknown.element, unknown.value], ["InvoiceTypeCode_ID138", "999"]);
    });

    await t.step(
      "the original of a credit note has its own date, or asks the gateway",
      async () => {
        const credit = given(single, HEADER, {
          DocumentType_ID136: "RM",
          OriginalDocument_ID161: "RI-99",
        });
        const asked = await xslt.transform({ stylesheet: STYLESHEET, source: credit });
        assertStringIncludes(
          asked.output,
          '<cbc:ID>RI-99</cbc:ID><cbc:IssueDate><?passerelle-issue-date of="RI-99"?></cbc:IssueDate>',
        );
        const dated = await run(given(credit, HEADER, { DateOriginalInvoice_ID163: "126001" }));
        assertStringIncludes(dated, "<cbc:ID>RI-99</cbc:ID><cbc:IssueDate>2026-01-01<");
      },
    );

    await t.step("orders, delivery and treatment stand where they belong", async () => {
      const shipTo =
        "<Ship_To_S15><NameAlpha_ID18>Dépôt Est</NameAlpha_ID18><AdditionalTaxId_ID21>448 337 881 10007</AdditionalTaxId_ID21><AddressLine1_ID41>1 quai</AddressLine1_ID41><ZipCodePostal_ID44>67000</ZipCodePostal_ID44><City_ID43>Strasbourg</City_ID43><Country_ID45>FR</Country_ID45></Ship_To_S15>";
      const output = await run(
        given(single, HEADER, {
          CustomerPO_ID162: "PO 4711",
          DateDelivered_ID142: "126270",
          Treatment_ID156: "B2BINT",
        }).replace("<Invoice_Detail_S20>", `${shipTo}<Invoice_Detail_S20>`),
        { treatment: "B2B" },
      );
      assertStringIncludes(
        output,
        "<cbc:ID>PO 4711</cbc:ID><cbc:SalesOrderID>SO619812</cbc:SalesOrderID>",
      );
      assertStringIncludes(
        output,
        '<cac:Delivery><cbc:ActualDeliveryDate>2026-09-27</cbc:ActualDeliveryDate><cac:DeliveryLocation><cbc:ID schemeID="0009">44833788110007</cbc:ID><cac:Address><cbc:StreetName>1 quai</cbc:StreetName><cbc:CityName>Strasbourg</cbc:CityName><cbc:PostalZone>67000</cbc:PostalZone>',
      );
      assertStringIncludes(output, "<cbc:Name>Dépôt Est</cbc:Name>");
      assertStringIncludes(output, "<cbc:Note>#BAR#B2BINT</cbc:Note>");
      assertStringIncludes(
        await run(single, { treatment: "B2B" }),
        "<cbc:Note>#BAR#B2B</cbc:Note>",
      );
      assert(!(await run(single)).includes("#BAR#"));
    });

    await t.step("VAT of another currency is written in euros, or refused", async () => {
      const dollars = given(single, HEADER, { CurrencyCodeFrom_ID150: "USD" });
      const failure = await refuse(dollars);
      assertEquals(failure.element, "AmtTaxDomestic_ID505");
      assertStringIncludes(failure.message, "VAT in EUR (BT-111) is unknown");
      const inEuros = async (source: string, amount: string) => {
        const output = await run(source);
        assertStringIncludes(
          output,
          "<cbc:DocumentCurrencyCode>USD</cbc:DocumentCurrencyCode><cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>",
        );
        assertStringIncludes(
          output,
          `</cac:TaxTotal><cac:TaxTotal><cbc:TaxAmount currencyID="EUR">${amount}</cbc:TaxAmount></cac:TaxTotal>`,
        );
      };
      await inEuros(given(dollars, HEADER, { ExchangeRate_ID152: "0,9200000" }), "1105.84");
      await inEuros(
        given(dollars, "Invoice_Total_S40", { AmtTaxDomestic_ID505: "1 100,00" }),
        "1100.00",
      );
      const untaxed = given(dollars, "Invoice_Total_S40", { AmtTax_ID503: "0,00" });
      await inEuros(untaxed, "0.00");
    });

    await t.step("parties have the identifiers and addresses of their country", async () => {
      const cases: [Record<string, string>, id: string, address: string][] = [
        [{ TaxId_ID20: "448 337 881" }, '"0002">448337881', '"0225">448337881'],
        [
          { RoutingCode_ID26: "ACHATS" },
          '"0002">448337881',
          '"0225">448337881_44833788110007_ACHATS',
        ],
        [{ AddressSuffix_ID27: "COMPTA" }, '"0002">448337881', '"0225">448337881_COMPTA'],
        [
          { Country_ID45: "DE", VatNumber_ID22: "DE 123456789", TaxId_ID20: "HRB 1" },
          '"0223">DE123456789',
          '"9930">DE123456789',
        ],
        [
          {
            Country_ID45: "US",
            VatNumber_ID22: "",
            TaxId_ID20: "12-345",
            ElectronicAddress_ID24: "a@b.us",
          },
          '"0227">12-345',
          '"EM">a@b.us',
        ],
        [
          {
            Country_ID45: "US",
            VatNumber_ID22: "",
            TaxId_ID20: "123456789",
            ElectronicAddress_ID24: "5060",
            AddressScheme_ID25: "0088",
          },
          '"0227">123456789',
          '"0088">5060',
        ],
        [
          {
            Country_ID45: "NC",
            VatNumber_ID22: "",
            TaxId_ID20: "1234567",
            ElectronicAddress_ID24: "a@b.nc",
          },
          '"0228">1234567',
          '"EM">a@b.nc',
        ],
        [
          {
            Country_ID45: "PF",
            VatNumber_ID22: "",
            TaxId_ID20: "A12345",
            ElectronicAddress_ID24: "a@b.pf",
          },
          '"0229">A12345',
          '"EM">a@b.pf',
        ],
      ];
      for (const [elements, id, address] of cases) {
        const output = await run(given(single, BUYER, elements));
        const buyer = output.slice(output.indexOf("<cac:AccountingCustomerParty>"));
        const said = JSON.stringify(elements);
        assertStringIncludes(buyer, `<cbc:CompanyID schemeID=${id}</cbc:CompanyID>`, said);
        assertStringIncludes(buyer, `<cbc:EndpointID schemeID=${address}</cbc:EndpointID>`, said);
      }
      const routed = given(single, BUYER, { RoutingCode_ID26: "X", AdditionalTaxId_ID21: "" });
      assertEquals((await refuse(routed)).element, "AdditionalTaxId_ID21");
    });

    await t.step(
      "an exemption has the reason of the ERP or of the template, never an invented one",
      async () => {
        const exempt = given(single, "Tax_Summary_S30", {
          TaxCategory_ID401: "E",
          TaxRate_ID402: "0",
        });
        assert(!(await run(exempt)).includes("TaxExemptionReason"));
        const reason = {
          ExemptionCode_ID405: "VATEX-FR-FRANCHISE",
          ExemptionReason_ID406: "Art. 293 B",
        };
        assertStringIncludes(
          await run(given(exempt, "Tax_Summary_S30", reason)),
          "<cbc:TaxExemptionReasonCode>VATEX-FR-FRANCHISE</cbc:TaxExemptionReasonCode><cbc:TaxExemptionReason>Art. 293 B<",
        );
      },
    );
  } finally {
    await xslt.close();
  }
});

Deno.test("the table of the README names each element the stylesheet reads, with its business terms", async () => {
  const text = await readFile(STYLESHEET, "utf8");
  const sources = parseXml(text).root.elements().filter((it) =>
    it.ns === "urn:passerelle:transform" && it.local === "source"
  ).map((it) => ({ bt: it.attr("bt") ?? "", field: it.attr("field") ?? "" }));
  assert(sources.length > 50);
  const code = text.replace(/<p:source [^>]*>/g, "").replace(/<!--[\s\S]*?-->/g, "");
  const read = new Set(code.match(/\b\w+_(?:ID|S)\d+\b/g));
  const declared = new Set(sources.flatMap((it) => it.field.split("/")));
  const key = ["Invoice_Header_S11", "KeyCompany_ID137"]; // key of the invoice, not a business term
  assertEquals([...read].sort(), [...declared, ...key].sort());

  const rows = (await readFile(join(ROOT, "README.md"), "utf8")).matchAll(
    /^\|\s*`([\w/]+_ID\d+)`\s*\|\s*(BT-[^|]*?)\s*\|/gm,
  );
  const table = Array.from(rows, ([, field, terms]) => ({ field, terms: terms?.split(", ") }));
  const wanted = Map.groupBy(sources, (it) => it.field);
  assertEquals(
    Object.fromEntries(table.map((it) => [it.field, it.terms])),
    Object.fromEntries([...wanted].map(([field, of]) => [field, of.map((it) => it.bt)])),
  );
  assertEquals(table.length, wanted.size, "each element has one row");
});
