import { assert, assertEquals } from "@std/assert";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { type InvoiceDocument, type InvoiceLine, readInvoice } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { UBL_FILES, ublInvoice } from "#tests/domain/ubl_data.ts";
import { printedPages, type PrintedText } from "./pdf_text.ts";

const pdf = createInvoicePdf();

async function readPages(
  invoice: InvoiceDocument,
  language: "fr" | "en" = "fr",
): Promise<PrintedText[][]> {
  return await printedPages(await pdf.render(invoice, { language }));
}

async function readTexts(invoice: InvoiceDocument, language?: "fr" | "en"): Promise<string[]> {
  return (await readPages(invoice, language)).flat().map(({ text }) => readable(text));
}

/** Replaces no-break spaces by plain ones, so that expectations are plain text. */
function readable(text: string): string {
  return text.replace(/[\u00A0\u202F]/g, " ");
}

function assertPrinted(texts: readonly string[], expected: readonly string[]): void {
  for (const text of expected) assert(texts.includes(text), `${text} is not on the page`);
}

async function withLines(
  count: number,
  change: (line: InvoiceLine, index: number) => InvoiceLine = (line) => line,
): Promise<InvoiceDocument> {
  const invoice = await ublInvoice("100000-RI-00001.xml");
  const [first] = invoice.lines;
  if (first === undefined) throw new TypeError("the sample has no line");
  const lines = Array.from({ length: count }, (_, index) => {
    return change({ ...first, id: `L${index + 1}`, netAmount: "10.10" }, index);
  });
  return { ...invoice, lines };
}

Deno.test("a French invoice shows parties, dates, lines, VAT, totals and payment", async () => {
  const pages = await readPages(await ublInvoice("100000-RI-00001.xml"));
  assertEquals(pages.length, 1);
  assertPrinted(pages.flat().map(({ text }) => readable(text)), [
    "Facture",
    "N° RI-100000",
    "Société Industrielle du Rhône SAS",
    "SIREN : 498 259 795",
    "SIRET : 498 259 795 10008",
    "N° TVA : FR85498259795",
    "Ateliers Morvan",
    "31000 Toulouse, France",
    "30/09/2026",
    "29/11/2026",
    "SO619812",
    "Prestation de services",
    'Licence annuelle "Pro"',
    "Remise : Remise ligne (−5,00)",
    "12,5 unités",
    "0,333 unité",
    "5 995,00",
    "20 %",
    "7 211,99 €",
    "Net à payer",
    "Virement",
    "FR76 3000 6000 0112 3456 7890 189",
    "Pénalités de retard : 3 fois le taux d'intérêt légal",
    "Page 1/1",
  ]);
});

Deno.test("a credit note in English is named and counted in English", async () => {
  const texts = await readTexts(await ublInvoice("100001-RM-00001.xml"), "en");
  assertPrinted(texts, [
    "Credit note",
    "No. RM-100001",
    "24 Oct 2026",
    "RI-100000 (24 Oct 2026)",
    "100 units",
    "100 boxes",
    "12,459.97",
    "€14,951.96",
    "Credit due",
  ]);
});

Deno.test("a credit note shows neither a due date nor an account to pay to", async () => {
  const invoice = await ublInvoice("100001-RM-00001.xml");
  const account = { id: "FR7630006000011234567890189", name: undefined, bic: undefined };
  const transfer = { meansCode: "30", meansText: undefined, remittance: undefined };
  const payment = { ...transfer, account, card: undefined, mandate: undefined };
  const term = { dueDate: undefined, amount: undefined, percentage: undefined };
  const note = "Pénalités de retard : 10 %";
  const credit = {
    ...invoice,
    dueDate: "2026-12-24",
    payments: [payment],
    paymentTerms: [{ ...term, note: "30 jours fin de mois" }],
    notes: [{ subject: "PMD", text: note }],
  };
  const iban = "FR76 3000 6000 0112 3456 7890 189";
  const forbidden = ["Règlement", "Date d'échéance", "24/12/2026", iban, "30 jours fin de mois"];
  const texts = await readTexts(credit);
  assertPrinted(texts, ["À votre crédit", note]);
  assertEquals(texts.filter((text) => forbidden.includes(text)), []);

  const refund = "Imputé sur votre prochaine facture";
  const own = { ...payment, account: { ...account, name: invoice.buyer.name } };
  assertPrinted(
    await readTexts({ ...credit, payments: [own], paymentTerms: [{ ...term, note: refund }] }),
    ["Remboursement", iban, refund],
  );
  const owed = { ...credit, totals: { ...invoice.totals, due: "-5.00" } };
  assertPrinted(await readTexts(owed), ["Règlement", "24/12/2026", iban]);
});

Deno.test("placeholders of an ERP are no references", async () => {
  const invoice = await ublInvoice("100000-RI-00001.xml");
  for (const order of ["NA", "n/a", "-", ".", " N/A "]) {
    const references = { ...invoice.references, order, contract: "C-17" };
    const texts = await readTexts({ ...invoice, references });
    assertEquals(texts.includes("Bon de commande"), false, order);
    assertPrinted(texts, ["Contrat", "C-17"]);
  }
});

Deno.test("several VAT rates are listed with their bases", async () => {
  const texts = await readTexts(await ublInvoice("100007-RI-00001.xml"));
  assertPrinted(texts, ["5,5 %", "87,50", "4,81", "20 %", "192,00", "38,40", "322,71 €"]);
});

Deno.test("reverse charge is named with its reason", async () => {
  const invoice = await ublInvoice("100000-RI-00001.xml");
  const vat = {
    code: "AE",
    rate: "0",
    exemptionReason: "Article 283-2 nonies du CGI",
    exemptionCode: undefined,
  };
  const texts = await readTexts({
    ...invoice,
    lines: invoice.lines.map((line) => ({ ...line, vat })),
    vatBreakdown: [{ taxableAmount: "6009.99", taxAmount: "0.00", currency: "EUR", vat }],
  });
  assertPrinted(texts, ["Autoliquidation (AE)", "Article 283-2 nonies du CGI", "AE", "0 %"]);
});

Deno.test("an invoice with every business term shows allowances, charges and both VAT totals", async () => {
  const texts = await readTexts(await ublInvoice("invoice-every-term.xml"));
  assertPrinted(texts, [
    "Affacturage de l'Ouest",
    "Représentation Fiscale SARL",
    "Dépôt Morvan Rennes",
    "Remise de fidélité",
    "−19,50",
    "Prix brut 125,00, remise 25,00",
    "/ 10 kg",
    "Total TVA en EUR",
    "34,10 €",
    "−72,00 USD",
    "200,00 USD",
    "•••• 1234, A. Morvan",
    "Autoliquidation (AE)",
    "PJ-1 · BON_LIVRAISON · bl-5.pdf · https://exemple.fr/pj?id=1&v=2",
  ]);
});

Deno.test("sixty lines go over pages that carry the sum and repeat the header", async () => {
  const pages = (await readPages(await withLines(60)))
    .map((page) => page.map(({ text }) => readable(text)));
  assert(pages.length > 2);
  const all = pages.flat();
  for (let line = 1; line <= 60; line++) {
    assertEquals(all.filter((text) => text === `L${line}`).length, 1);
  }
  const counts = pages.map((page) => page.filter((text) => /^L\d+$/.test(text)).length);
  let carried = 0;
  pages.slice(0, counts.findLastIndex((count) => count > 0)).forEach((page, index) => {
    carried += counts[index] ?? 0;
    const sum = `${(carried * 10.1).toFixed(2).replace(".", ",")} €`;
    assertEquals(page[page.indexOf("À reporter") + 1], sum);
    const next = pages[index + 1] ?? [];
    assertEquals(next[next.indexOf("Report") + 1], sum);
    assertPrinted(next, ["Désignation", `Page ${index + 2}/${pages.length}`]);
  });
});

Deno.test("a description longer than a page is continued and its amount carried once", async () => {
  const invoice = await withLines(3, (line, index) => ({
    ...line,
    item: { ...line.item, description: index === 1 ? "texte très long ".repeat(900) : "court" },
  }));
  const pages = (await readPages(invoice)).map((page) => page.map(({ text }) => readable(text)));
  assert(pages.length > 2);
  const words = pages.flat().filter((text) => text.startsWith("texte") || text.includes("long"))
    .join(" ").split(" ").filter((word) => word === "long");
  assertEquals(words.length, 900);
  const first = pages[0] ?? [];
  assertEquals(first[first.indexOf("À reporter") + 1], "20,20 €");
});

Deno.test("characters no font has are replaced and invisible ones left out", async () => {
  const texts = await readTexts({
    ...await ublInvoice("100000-RI-00001.xml"),
    number: "A\u0000\u200B中-e\u0301",
  });
  assertPrinted(texts, ["N° A \uFFFD-é"]);
});

Deno.test("a status is shown next to the title", async () => {
  const invoice = await ublInvoice("100000-RI-00001.xml");
  const bytes = await pdf.render(invoice, { language: "fr", statusLabel: "Déposée" });
  assertPrinted((await printedPages(bytes)).flat().map(({ text }) => text), ["Déposée"]);
});

Deno.test("an invoice without any data still gives a page", async () => {
  const empty = readInvoice(
    parseXml('<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>'),
  );
  const pages = await readPages(empty);
  assertEquals(pages.length, 1);
  assertPrinted(pages.flat().map(({ text }) => text), ["Facture", "Page 1/1"]);
});

Deno.test("no text leaves the frame of the page or covers another", async () => {
  const huge = await withLines(9, (line) => ({
    ...line,
    quantity: "1000000000.123456",
    netAmount: "12345678901234.56",
    item: { ...line.item, name: "Mot".repeat(60), description: "x".repeat(300) },
  }));
  const wordy = {
    ...huge,
    paymentTerms: [{
      note: "conditions ".repeat(2000),
      dueDate: undefined,
      amount: undefined,
      percentage: undefined,
    }],
    seller: { ...huge.seller, name: "Nom ".repeat(500) },
    buyer: { ...huge.buyer, name: "Nom".repeat(900) },
  };
  const invoices = [huge, wordy, ...await Promise.all(UBL_FILES.map(ublInvoice))];
  for (const invoice of invoices) {
    for (const language of ["fr", "en"] as const) {
      for (const page of await readPages(invoice, language)) assertLegible(page);
    }
  }
});

Deno.test("equal invoices give equal bytes", async () => {
  const invoice = await ublInvoice("invoice-every-term.xml");
  const [first, second] = await Promise.all([
    pdf.render(invoice, { language: "fr" }),
    pdf.render(invoice, { language: "fr" }),
  ]);
  assertEquals(first, second);
});

function assertLegible(page: readonly PrintedText[]): void {
  for (const { text, x, y, width } of page) {
    assert(x >= 41.9 && x + width <= 553.5 && y >= 40 && y <= 815, `${text} leaves the frame`);
  }
  page.forEach((text, index) => {
    const covered = page.slice(index + 1).find((other) => overlap(text, other));
    assertEquals(covered, undefined, `${text.text} is covered`);
  });
}

function overlap(one: PrintedText, other: PrintedText): boolean {
  const apartInHeight = Math.abs(one.y - other.y) > 0.8 * Math.min(one.size, other.size);
  const apartInWidth = one.x + one.width <= other.x + 0.5 || other.x + other.width <= one.x + 0.5;
  return !apartInHeight && !apartInWidth;
}
