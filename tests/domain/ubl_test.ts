import { assertEquals, assertThrows } from "@std/assert";
import {
  findFlowProfile,
  readInvoice,
  summarizeInvoice,
  toLineRows,
  toVatRows,
} from "#src/domain/ubl/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { parseXml } from "#src/xml/mod.ts";
import { ublInvoice, ublText } from "./ubl_data.ts";

Deno.test("an invoice is summarised with its exact figures", async () => {
  assertEquals(summarizeInvoice(await ublInvoice("100000-RI-00001.xml")), {
    ublNumber: "RI-100000",
    issueDate: "2026-09-30",
    invoiceType: "380",
    totalHT: "6009.99",
    totalTTC: "7211.99",
    amountDue: "7211.99",
    totalVat: "1202.00",
    currency: "EUR",
    customerRef: "448337881",
    customerName: "Ateliers Morvan",
    customerSiren: "448337881",
    customerEndpoint: "448337881",
    supplierRef: "498259795",
    supplierName: "Société Industrielle du Rhône SAS",
    supplierSiren: "498259795",
    supplierEndpoint: "498259795",
    contractRef: undefined,
    orderRef: "SO619812",
    salesOrderRef: undefined,
    dueDate: "2026-11-29",
    processType: "S1",
    customizationId: "urn:cen.eu:en16931:2017",
  });
});

Deno.test("the lines of an invoice carry quantity, price, allowance and VAT as written", async () => {
  const lines = toLineRows(await ublInvoice("100000-RI-00001.xml"));
  assertEquals(lines, [
    {
      lineId: 1,
      description: 'Licence annuelle "Pro"',
      itemId: "IT97157",
      quantity: "12.5",
      unit: "C62",
      unitPrice: "480",
      lineAmount: "5995.00",
      allowance: "5",
      currency: "EUR",
      taxCategory: "S",
      taxRate: "20",
      taxExemption: "",
    },
    {
      lineId: 2,
      description: "Transport express",
      itemId: "IT20892",
      quantity: "0.333",
      unit: "C62",
      unitPrice: "45",
      lineAmount: "14.99",
      allowance: "0",
      currency: "EUR",
      taxCategory: "S",
      taxRate: "20",
      taxExemption: "",
    },
  ]);
});

Deno.test("each VAT rate of an invoice becomes one row in document order", async () => {
  const common = { taxCategory: "S", currency: "EUR", taxExemption: "" };
  assertEquals(toVatRows(await ublInvoice("100007-RI-00001.xml")), [
    { ...common, sequence: 1, taxRate: "5.5", taxableAmount: "87.50", taxAmount: "4.81" },
    { ...common, sequence: 2, taxRate: "20", taxableAmount: "192.00", taxAmount: "38.40" },
  ]);
});

Deno.test("a credit note is read with its own element names and due date", async () => {
  const note = await ublInvoice("100001-RM-00001.xml");
  assertEquals(note.kind, "creditNote");
  assertEquals(note.typeCode, "381");
  assertEquals(note.dueDate, "2026-12-23");
  assertEquals(note.precedingInvoices, [{ number: "RI-100000", issueDate: "2026-10-24" }]);
  assertEquals(note.lines.map((line) => [line.quantity, line.unit, line.netAmount]), [
    ["3", "LTR", "24.97"],
    ["100", "HUR", "6400.00"],
    ["100", "C62", "4500.00"],
    ["12.5", "HUR", "800.00"],
    ["100", "XBX", "735.00"],
  ]);
});

Deno.test("notes are split into subject code and text", async () => {
  const { notes } = await ublInvoice("invoice-every-term.xml");
  assertEquals(notes, [
    { subject: "PMT", text: "Indemnité forfaitaire : 40 € & frais réels" },
    { subject: "PMD", text: "Pénalités : 3 × le taux d'intérêt légal" },
    { subject: "AAB", text: "Escompte < 30 jours : néant" },
    { subject: undefined, text: "Merci de votre confiance." },
  ]);
});

Deno.test("a document in a foreign currency has two separate VAT totals", async () => {
  const { totals, vatBreakdown } = await ublInvoice("invoice-every-term.xml");
  assertEquals(totals, {
    lines: "245.00",
    allowances: "19.50",
    charges: "9.75",
    withoutVat: "235.25",
    vat: "37.05",
    vatInTaxCurrency: "34.10",
    withVat: "272.30",
    paid: "72.00",
    rounding: "-0.30",
    due: "200.00",
  });
  assertEquals(vatBreakdown.length, 2);
});

Deno.test("the parties of a complete invoice are read with every identifier", async () => {
  const { seller, payee, taxRepresentative, creditorId } = await ublInvoice(
    "invoice-every-term.xml",
  );
  assertEquals(seller.tradingName, "SIR & Fils");
  assertEquals(seller.ids, [
    { value: "49825979510008", scheme: "0009" },
    { value: "VENDOR-12", scheme: undefined },
  ]);
  assertEquals(seller.taxRegistrationId, "LOC-7788");
  assertEquals(seller.address?.line3, "Porte 12");
  assertEquals(seller.contact?.email, "compta@sir.example");
  assertEquals(payee?.name, "Affacturage de l'Ouest");
  assertEquals(taxRepresentative?.vatId, "FR32123456789");
  assertEquals(creditorId, "FR72ZZZ123456");
});

Deno.test("a complete line is read with price, period, attributes and allowances", async () => {
  const [line] = (await ublInvoice("invoice-every-term.xml")).lines;
  assertEquals(line?.price, {
    net: "100.0000",
    discount: "25.00",
    gross: "125.00",
    baseQuantity: "10",
    baseUnit: "KGM",
  });
  assertEquals(line?.period, { start: "2026-08-01", end: "2026-08-15" });
  assertEquals(line?.object, { value: "LOT-55", scheme: "AVE" });
  assertEquals(line?.item.attributes[1], { name: "Longueur", value: "40 mm" });
  assertEquals(line?.charges.map((charge) => charge.amount), ["5.50"]);
  assertEquals(toLineRows(await ublInvoice("invoice-every-term.xml"))[0]?.allowance, "10.5");
});

Deno.test("a line takes its exemption reason from the breakdown of its VAT category", async () => {
  const lines = toLineRows(await ublInvoice("invoice-every-term.xml"));
  assertEquals(lines.map((line) => [line.lineId, line.taxExemption]), [
    [10, ""],
    [20, "Autoliquidation"],
  ]);
});

Deno.test("lines whose identifiers are not distinct whole numbers are numbered by position", async () => {
  const source = await ublText("100000-RI-00001.xml");
  for (const id of ["1", "A-1", ""]) {
    const changed = source.replace("<cbc:ID>2</cbc:ID>", `<cbc:ID>${id}</cbc:ID>`);
    const lines = toLineRows(readInvoice(parseXml(changed)));
    assertEquals(lines.map((line) => line.lineId), [1, 2]);
  }
});

Deno.test("an invoice that lacks everything reads as empty", () => {
  const empty = readInvoice(
    parseXml('<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>'),
  );
  assertEquals(empty.seller.name, undefined);
  assertEquals(empty.totals.due, undefined);
  assertEquals(summarizeInvoice(empty).customerRef, undefined);
  assertEquals(toLineRows(empty), []);
  assertEquals(toVatRows(empty), []);
});

Deno.test("invalid amounts and dates are undefined, the rest of the document is read", async () => {
  const source = (await ublText("100000-RI-00001.xml"))
    .replace("2026-09-30</cbc:IssueDate>", "2026-02-31</cbc:IssueDate>")
    .replace("2026-11-29</cbc:DueDate>", "2026-11-29+01:00</cbc:DueDate>")
    .replace(">1202.00</cbc:TaxAmount>\n", ">1 202,00</cbc:TaxAmount>\n")
    .replace(">7211.99</cbc:PayableAmount>", ">7.2e3</cbc:PayableAmount>");
  const summary = summarizeInvoice(readInvoice(parseXml(source)));
  assertEquals(summary.issueDate, undefined);
  assertEquals(summary.dueDate, "2026-11-29");
  assertEquals(summary.totalVat, undefined);
  assertEquals(summary.amountDue, undefined);
  assertEquals(summary.totalTTC, "7211.99");
});

Deno.test("a buyer without legal identifier is referenced by its own identifier", async () => {
  const source = (await ublText("100000-RI-00001.xml"))
    .replace('<cbc:CompanyID schemeID="0002">448337881</cbc:CompanyID>', "");
  const summary = summarizeInvoice(readInvoice(parseXml(source)));
  assertEquals(summary.customerRef, "44833788110007");
  assertEquals(summary.customerSiren, "448337881");
});

Deno.test("another kind of document is refused by name", () => {
  const error = assertThrows(() => readInvoice(parseXml("<Order xmlns='urn:x'/>")), AppError);
  assertEquals(error.code, "unsupported");
  assertEquals(error.message.includes("{urn:x}Order"), true);
});

Deno.test("the specification identifier decides the flow profile", () => {
  const french = "urn.cpro.gouv.fr:1p0";
  assertEquals(findFlowProfile("urn:factur-x.eu:1p0:basic"), "Basic");
  assertEquals(findFlowProfile("urn:cen.eu:en16931:2017"), "CIUS");
  assertEquals(
    findFlowProfile(`urn:cen.eu:en16931:2017#conformant#${french}:extended-ctc-fr`),
    "Extended-CTC-FR",
  );
  assertEquals(findFlowProfile("urn:cen.eu:en16931:2017#compliant#urn:xoev-de:x"), undefined);
  assertEquals(findFlowProfile(undefined), undefined);
});
