import { assert, assertEquals } from "@std/assert";
import { CII_NAMESPACES, writeCii } from "#src/domain/cii/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { parseXml, type XmlElement } from "#src/xml/mod.ts";
import { TERMS } from "./cii_terms.ts";
import { UBL_FILES, ublInvoice, ublText } from "./ubl_data.ts";

for (const file of UBL_FILES) {
  Deno.test(`the CII of ${file} holds each business term in its place`, async () => {
    const invoice = await ublInvoice(file);
    const root = parseXml(writeCii(invoice)).root;
    for (const { bt, path, values } of TERMS) {
      assertEquals(select(root, path), values(invoice).filter((v) => v !== undefined), bt);
    }
  });
}

Deno.test("the complete invoice has a value for every business term", async () => {
  const invoice = await ublInvoice("invoice-every-term.xml");
  const empty = TERMS.filter(({ values }) => values(invoice).every((value) => value === undefined));
  assertEquals(empty.map(({ bt }) => bt), []);
  const covered = new Set(TERMS.map(({ bt }) => bt));
  const all = Array.from({ length: 165 }, (_, index) => `BT-${index + 1}`);
  assertEquals(all.filter((bt) => !covered.has(bt)), ["BT-4", "BT-8"]);
});

Deno.test("elements of the settlement stand in the order of the schema", async () => {
  const { root } = parseXml(writeCii(await ublInvoice("invoice-every-term.xml")));
  const [settlement] = elementsAt(
    root,
    "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement",
  );
  const names = settlement?.elements().map((element) => element.local) ?? [];
  assertEquals(names.filter((name, index) => name !== names[index - 1]), [
    "CreditorReferenceID",
    "PaymentReference",
    "TaxCurrencyCode",
    "InvoiceCurrencyCode",
    "PayeeTradeParty",
    "SpecifiedTradeSettlementPaymentMeans",
    "ApplicableTradeTax",
    "BillingSpecifiedPeriod",
    "SpecifiedTradeAllowanceCharge",
    "SpecifiedTradePaymentTerms",
    "SpecifiedTradeSettlementHeaderMonetarySummation",
    "InvoiceReferencedDocument",
    "ReceivableSpecifiedTradeAccountingAccount",
  ]);
});

Deno.test("the VAT point code is translated from the list of UBL to that of CII", async () => {
  const source = (await ublText("100000-RI-00001.xml")).replace(
    "<cac:OrderReference>",
    "<cac:InvoicePeriod><cbc:DescriptionCode>35</cbc:DescriptionCode></cac:InvoicePeriod>$&",
  );
  const cii = writeCii(readInvoice(parseXml(source)));
  assert(cii.includes("<ram:DueDateTypeCode>29</ram:DueDateTypeCode>"));
});

Deno.test("an account without an IBAN is written as proprietary", async () => {
  const source = (await ublText("100000-RI-00001.xml"))
    .replace("FR7630006000011234567890189", "12-34-56/9876");
  const cii = writeCii(readInvoice(parseXml(source)));
  assert(cii.includes("<ram:ProprietaryID>12-34-56/9876</ram:ProprietaryID>"));
  assert(!cii.includes("IBANID"));
});

Deno.test("markup in values survives the writing", async () => {
  const invoice = await ublInvoice("100000-RI-00001.xml");
  const hostile = `</ram:ID><x a="1">&amp;]]>\r\n"'é€😀`;
  const { root } = parseXml(
    writeCii({ ...invoice, number: hostile, creditorId: "<!--", taxCurrency: undefined }),
  );
  assertEquals(select(root, "rsm:ExchangedDocument/ram:ID"), [hostile]);
});

Deno.test("an empty invoice yields the groups the schema demands and no empty element below", () => {
  const empty = readInvoice(
    parseXml('<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>'),
  );
  const { root } = parseXml(writeCii(empty));
  assertEquals(root.elements().map((element) => element.local), [
    "ExchangedDocumentContext",
    "ExchangedDocument",
    "SupplyChainTradeTransaction",
  ]);
  assertEquals(root.text, "");
});

/** Returns the texts of the elements, or values of the attributes, that a simple XPath selects below the root. */
function select(root: XmlElement, path: string): string[] {
  const [elements, attribute] = path.split("/@");
  return elementsAt(root, elements ?? "").flatMap((element) =>
    attribute === undefined ? [element.text] : element.attr(attribute) ?? []
  );
}

function elementsAt(root: XmlElement, path: string): readonly XmlElement[] {
  const steps = path.match(/[a-z]+:\w+(?:\[[^\]]*\])?/g) ?? [];
  return steps.reduce<readonly XmlElement[]>((elements, step) => {
    const [, prefix = "", local = "", condition] = /^(\w+):(\w+)(?:\[(.*)\])?$/.exec(step) ?? [];
    return elements.flatMap((element) => readChildren(element, prefix, local))
      .filter((element) => condition === undefined || holds(element, condition));
  }, [root]);
}

function holds(element: XmlElement, condition: string): boolean {
  const [, left = "", right] = /^(.*)="(.*)"$/.exec(condition) ?? [];
  if (left.startsWith("@")) return element.attr(left.slice(1)) === right;
  return elementsAt(element, left).some((found) => found.text === right);
}

function readChildren(element: XmlElement, prefix: string, local: string): readonly XmlElement[] {
  const namespaces: Readonly<Record<string, string>> = CII_NAMESPACES;
  return element.childrenNamed(namespaces[prefix] ?? "", local);
}
