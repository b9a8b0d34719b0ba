import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import { AppError } from "#src/kernel/errors.ts";

const SHARED = process.env["PASSERELLE_SHARED"] ??
  resolve(import.meta.dirname ?? ".", "../../../shared");
const GOLDEN = resolve(import.meta.dirname ?? ".", "../golden/ubl");
const xsd = createXsd();

function readKind(xml: string): string {
  return xml.includes("<CreditNote") ? "ubl-creditnote" : "ubl-invoice";
}

async function sample(): Promise<string> {
  return await readFile(join(GOLDEN, "100000-RI-00001.xml"), "utf8");
}

Deno.test("every golden invoice is valid, as text and as bytes", async () => {
  for (const name of await readdir(GOLDEN)) {
    const bytes = await readFile(join(GOLDEN, name));
    const text = bytes.toString("utf8");
    assertEquals(await xsd.validate(readKind(text), bytes), [], name);
    assertEquals(await xsd.validate(readKind(text), text), [], name);
  }
});

Deno.test("the schemas validate the French cases like the reference", async () => {
  const folder = join(SHARED, "cases/french");
  const table = await readFile(join(folder, "verdicts.tsv"), "utf8");
  const rows = table.trim().split("\n").slice(1).map((line) => line.split("\t"));
  for (const [name = "", verdict] of rows) {
    const xml = await readFile(join(folder, name), "utf8");
    const errors = await xsd.validate(readKind(xml), xml);
    assertEquals(errors.length === 0 ? "valid" : "invalid", verdict, name);
    assert(errors.every(({ code }) => code !== "XSD-OTHER"), name);
  }
});

Deno.test("each kind of error has its code, its place and sentences in both languages", async () => {
  const good = await sample();
  const cases: [string, string, string, string, string, string][] = [
    [
      "<cbc:ProfileID>S1</cbc:ProfileID>",
      "<cbc:ProfileId>S1</cbc:ProfileId>",
      "XSD-UNEXPECTED-ELEMENT",
      "/Invoice/cbc:ProfileId",
      "L'élément cbc:ProfileId n'a pas sa place ici ; attendu : cbc:ProfileID, cbc:ProfileExecutionID, cbc:ID",
      "Element cbc:ProfileId may not stand here; expected: cbc:ProfileID, cbc:ProfileExecutionID, cbc:ID",
    ],
    [
      "<cac:OrderReference><cbc:ID>NA</cbc:ID><cbc:SalesOrderID>SO619812</cbc:SalesOrderID>",
      "<cac:OrderReference>",
      "XSD-MISSING-ELEMENT",
      "/Invoice/cac:OrderReference",
      "L'élément cac:OrderReference est incomplet ; il manque : cbc:ID",
      "Element cac:OrderReference is incomplete; missing: cbc:ID",
    ],
    [
      "<cbc:IssueDate>2026-09-30<",
      "<cbc:IssueDate>30/09/2026<",
      "XSD-TYPE",
      "/Invoice/cbc:IssueDate",
      "cbc:IssueDate vaut « 30/09/2026 » ; il faut une date (AAAA-MM-JJ)",
      'cbc:IssueDate is "30/09/2026"; it must be a date (YYYY-MM-DD)',
    ],
    [
      '<cbc:PriceAmount currencyID="EUR">480',
      '<cbc:PriceAmount currencyID="EUR">',
      "XSD-TYPE",
      "/Invoice/cac:InvoiceLine[1]/cac:Price/cbc:PriceAmount",
      "cbc:PriceAmount est vide ; il faut un nombre décimal",
      "cbc:PriceAmount is empty; it must be a decimal number",
    ],
    [
      '<cbc:PriceAmount currencyID="EUR">45',
      "<cbc:PriceAmount>45",
      "XSD-ATTRIBUTE",
      "/Invoice/cac:InvoiceLine[2]/cac:Price/cbc:PriceAmount",
      "L'attribut currencyID manque à l'élément cbc:PriceAmount",
      "Element cbc:PriceAmount lacks the attribute currencyID",
    ],
    [
      "<cbc:ID>RI-100000",
      '<cbc:ID color="red">RI-100000',
      "XSD-ATTRIBUTE",
      "/Invoice/cbc:ID",
      "L'élément cbc:ID n'admet pas l'attribut color",
      "Element cbc:ID does not allow the attribute color",
    ],
    [
      "<cac:PaymentMeans>",
      "<cac:PaymentMeans>soon",
      "XSD-TEXT",
      "/Invoice/cac:PaymentMeans",
      "L'élément cac:PaymentMeans ne peut pas contenir de texte",
      "Element cac:PaymentMeans may not hold text",
    ],
    [
      "<cbc:ID>RI-100000",
      "<cbc:ID><cbc:ID/>RI-100000",
      "XSD-UNEXPECTED-ELEMENT",
      "/Invoice/cbc:ID",
      "L'élément cbc:ID ne peut pas contenir d'autres éléments",
      "Element cbc:ID may not hold other elements",
    ],
  ];
  for (const [from, to, code, xpath, message, messageEn] of cases) {
    const [error, ...more] = await xsd.validate("ubl-invoice", good.replace(from, to));
    assertEquals(more, [], to);
    const { line = 0, column = 0 } = error ?? {};
    assertEquals(
      { code: error?.code, xpath: error?.xpath, message: error?.messageFr, en: error?.messageEn },
      { code, xpath, message, en: messageEn },
    );
    const name = xpath.replace(/.*\//, "").replace(/\[.*/, "");
    const place = good.replace(from, to).split("\n")[line - 1]?.slice(column - 1) ?? "";
    assertStringIncludes(place.slice(0, name.length + 1), `<${name}`);
  }
});

Deno.test("the wrong kind of document is named", async () => {
  const [error] = await xsd.validate("ubl-creditnote", await sample());
  assertEquals([error?.code, error?.xpath], ["XSD-UNKNOWN-ROOT", "/Invoice"]);
  await assertRejects(() => xsd.validate("ubl-order", "<a/>"), AppError, "ubl-order");
});

Deno.test("extensions may hold anything well-formed", async () => {
  const extension = `<ext:UBLExtensions
    xmlns:ext="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2">
    <ext:UBLExtension><ext:ExtensionContent><a xmlns="u">x<b/></a></ext:ExtensionContent></ext:UBLExtension>
    </ext:UBLExtensions><cbc:CustomizationID>`;
  const xml = (await sample()).replace("<cbc:CustomizationID>", extension);
  assertEquals(await xsd.validate("ubl-invoice", xml), []);
});

Deno.test("what is not XML, a DOCTYPE and foreign encodings are findings, never exceptions", async () => {
  const good = await sample();
  const secret = `<!DOCTYPE Invoice [<!ENTITY a SYSTEM "file:///etc/hostname">]>`;
  const inputs: (string | Uint8Array)[] = [
    "",
    "hello",
    good.slice(0, 900),
    good.replace("<Invoice", `${secret}<Invoice`),
    good.replace("<Invoice", `<!-- ?> --><?x --> ?>${secret}<Invoice`),
    good.replace("<cbc:ID>", "<cbc:ID>&a;"),
    new Uint8Array([0xff, 0xfe, 0x3c, 0x00, 0x61, 0x00]),
    new Uint8Array([0x3c, 0x00, 0x21, 0x00, 0x44, 0x00]),
    new Uint8Array([0x3c, 0x61, 0x3e, 0xe9, 0x3c, 0x2f, 0x61, 0x3e]),
  ];
  for (const input of inputs) {
    const errors = await xsd.validate("ubl-invoice", input);
    assertEquals(errors[0]?.code, "XSD-SYNTAX");
  }
});

Deno.test("a lifecycle message is checked for its order of elements", async () => {
  const message = cdar("<ram:ReasonCode>ART_ERR</ram:ReasonCode><ram:Reason>x</ram:Reason>");
  assertEquals(await xsd.validate("cdar", message), []);
  const [error] = await xsd.validate(
    "cdar",
    cdar("<ram:Reason>x</ram:Reason><ram:ReasonCode>ART_ERR</ram:ReasonCode>"),
  );
  assertEquals(error?.code, "XSD-UNEXPECTED-ELEMENT");
  assertStringIncludes(error?.messageFr ?? "", "ram:ReasonCode");
});

Deno.test("an installation may add a schema of its own; a broken one is refused by name", async () => {
  const folder = await mkdtemp(join(tmpdir(), "xsd-"));
  try {
    const schema = (body: string) =>
      `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${body}</xs:schema>`;
    await writeFile(join(folder, "a.xsd"), schema(`<xs:element name="a" type="xs:integer"/>`));
    await writeFile(join(folder, "b.xsd"), schema(`<xs:element name="b" type="xs:nothing"/>`));
    const own = createXsd({
      schemas: { a: join(folder, "a.xsd"), b: join(folder, "b.xsd") },
    });
    assertEquals(await own.validate("a", "<a>1</a>"), []);
    assertEquals((await own.validate("a", "<a>x</a>"))[0]?.code, "XSD-TYPE");
    await assertRejects(() => own.validate("b", "<b/>"), AppError, "b.xsd");
    own.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

function cdar(reason: string): string {
  const base = "urn:un:unece:uncefact:data:standard";
  return `<rsm:CrossDomainAcknowledgementAndResponse
    xmlns:rsm="${base}:CrossDomainAcknowledgementAndResponse:100"
    xmlns:ram="${base}:ReusableAggregateBusinessInformationEntity:100"
    xmlns:udt="${base}:UnqualifiedDataType:100" xmlns:qdt="${base}:QualifiedDataType:100">
  <rsm:ExchangedDocumentContext>
    <ram:BusinessProcessSpecifiedDocumentContextParameter><ram:ID>REGULATED</ram:ID></ram:BusinessProcessSpecifiedDocumentContextParameter>
    <ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn.cpro.gouv.fr:1p0:CDV:invoice</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter>
  </rsm:ExchangedDocumentContext>
  <rsm:ExchangedDocument>
    <ram:ID>F1_207</ram:ID>
    <ram:IssueDateTime><udt:DateTimeString format="204">20261120100000</udt:DateTimeString></ram:IssueDateTime>
    <ram:SenderTradeParty><ram:RoleCode>WK</ram:RoleCode></ram:SenderTradeParty>
    <ram:IssuerTradeParty><ram:GlobalID schemeID="0002">498259795</ram:GlobalID><ram:RoleCode>BY</ram:RoleCode></ram:IssuerTradeParty>
    <ram:RecipientTradeParty><ram:GlobalID schemeID="0002">448337881</ram:GlobalID><ram:RoleCode>SE</ram:RoleCode><ram:URIUniversalCommunication><ram:URIID schemeID="0225">448337881</ram:URIID></ram:URIUniversalCommunication></ram:RecipientTradeParty>
  </rsm:ExchangedDocument>
  <rsm:AcknowledgementDocument>
    <ram:MultipleReferencesIndicator><udt:Indicator>false</udt:Indicator></ram:MultipleReferencesIndicator>
    <ram:TypeCode>23</ram:TypeCode>
    <ram:IssueDateTime><udt:DateTimeString format="204">20261120100000</udt:DateTimeString></ram:IssueDateTime>
    <ram:ReferenceReferencedDocument>
      <ram:IssuerAssignedID>F1</ram:IssuerAssignedID><ram:StatusCode>46</ram:StatusCode><ram:TypeCode>380</ram:TypeCode>
      <ram:FormattedIssueDateTime><qdt:DateTimeString format="102">20261101</qdt:DateTimeString></ram:FormattedIssueDateTime>
      <ram:ProcessConditionCode>207</ram:ProcessConditionCode><ram:ProcessCondition>En_litige</ram:ProcessCondition>
      <ram:IssuerTradeParty><ram:GlobalID schemeID="0002">448337881</ram:GlobalID></ram:IssuerTradeParty>
      <ram:SpecifiedDocumentStatus>${reason}<ram:SequenceNumeric>1</ram:SequenceNumeric>
        <ram:IncludedNote><ram:Content>x</ram:Content></ram:IncludedNote>
        <ram:SpecifiedDocumentCharacteristic><ram:ID>BT-152</ram:ID><ram:TypeCode>DIV</ram:TypeCode>
          <ram:ValueChangedIndicator><udt:IndicatorString>true</udt:IndicatorString></ram:ValueChangedIndicator>
          <ram:Location>/x</ram:Location><ram:ValueAmount currencyID="EUR">1.00</ram:ValueAmount><ram:ValuePercent>20</ram:ValuePercent>
        </ram:SpecifiedDocumentCharacteristic>
      </ram:SpecifiedDocumentStatus>
    </ram:ReferenceReferencedDocument>
  </rsm:AcknowledgementDocument>
</rsm:CrossDomainAcknowledgementAndResponse>`;
}
