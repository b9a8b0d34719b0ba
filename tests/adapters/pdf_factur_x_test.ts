import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { embeddedInvoice } from "#src/adapters/pdf/embedded_invoice.ts";
import { readCii, writeCii } from "#src/domain/cii/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { parseXml, type XmlElement } from "#src/xml/mod.ts";
import { ublInvoice } from "#tests/domain/ubl_data.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { printedPages } from "./pdf_text.ts";

const pdf = createInvoicePdf();
const FILE = "invoice-every-term.xml";

async function facturX() {
  const invoice = await ublInvoice(FILE);
  const bytes = await pdf.facturX(invoice, { language: "fr" });
  return { invoice, bytes, document: await PDFDocument.load(bytes, { updateMetadata: false }) };
}

function streamAt(dictionary: PDFDict, key: string): PDFRawStream {
  const stream = dictionary.lookup(PDFName.of(key));
  if (stream instanceof PDFRawStream) return stream;
  throw new TypeError(`${key} is no stream`);
}

function decode(stream: PDFRawStream): Uint8Array {
  return decodePDFRawStream(stream).decode();
}

Deno.test("a Factur-X file embeds the CII of the invoice as an alternative of its pages", async () => {
  const { invoice, document } = await facturX();
  const [reference] = document.catalog.lookup(PDFName.of("AF"), PDFArray).asArray();
  const file = document.context.lookup(reference, PDFDict);
  assertEquals(file.get(PDFName.of("AFRelationship")), PDFName.of("Alternative"));
  assertEquals(file.lookup(PDFName.of("UF"), PDFHexString).decodeText(), "factur-x.xml");
  const stream = streamAt(file.lookup(PDFName.of("EF"), PDFDict), "F");
  assertEquals(stream.dict.get(PDFName.of("Subtype")), PDFName.of("text/xml"));
  assertEquals(new TextDecoder().decode(decode(stream)), writeCii(invoice));
  const names = document.catalog.lookup(PDFName.of("Names"), PDFDict)
    .lookup(PDFName.of("EmbeddedFiles"), PDFDict).lookup(PDFName.of("Names"), PDFArray);
  assertEquals(names.get(1), reference);
});

Deno.test("its XMP packet declares PDF/A-3b and the Factur-X profile EN 16931", async () => {
  const { document } = await facturX();
  const stream = streamAt(document.catalog, "Metadata");
  assertEquals(stream.dict.get(PDFName.of("Filter")), undefined);
  const { root } = parseXml(new TextDecoder().decode(stream.contents).replace(/<\?.*?\?>/g, ""));
  const values = new Map(leaves(root).map((element) => [element.qname, element.text]));
  assertEquals(values.get("pdfaid:part"), "3");
  assertEquals(values.get("pdfaid:conformance"), "B");
  assertEquals(values.get("fx:DocumentType"), "INVOICE");
  assertEquals(values.get("fx:DocumentFileName"), "factur-x.xml");
  assertEquals(values.get("fx:ConformanceLevel"), "EN 16931");
  assertEquals(values.get("xmp:CreateDate"), "2026-09-15T00:00:00Z");
  const described = leaves(root).filter(({ qname }) => qname === "pdfaProperty:name");
  assertEquals(described.map(({ text }) => text).sort(), [
    "ConformanceLevel",
    "DocumentFileName",
    "DocumentType",
    "Version",
  ]);
});

Deno.test("its colours are defined by an sRGB output intent", async () => {
  const { document } = await facturX();
  const intent = document.catalog.lookup(PDFName.of("OutputIntents"), PDFArray).lookup(0, PDFDict);
  assertEquals(intent.get(PDFName.of("S")), PDFName.of("GTS_PDFA1"));
  const profile = decode(streamAt(intent, "DestOutputProfile"));
  assertEquals(new DataView(profile.slice().buffer).getUint32(0), profile.length);
  assertEquals(new TextDecoder().decode(profile.slice(12, 24)), "mntrRGB XYZ ");
  assertEquals(new TextDecoder().decode(profile.slice(36, 40)), "acsp");
});

Deno.test("it has an identifier, a language and a title that agrees with the page", async () => {
  const { bytes, document } = await facturX();
  const id = document.context.trailerInfo.ID;
  assert(id instanceof PDFArray && id.size() === 2);
  assertEquals(document.catalog.lookup(PDFName.of("Lang"), PDFString).decodeText(), "fr");
  assertEquals(document.getTitle(), "Facture F-2026/0042");
  assertEquals(document.getCreationDate()?.toISOString(), "2026-09-15T00:00:00.000Z");
  const texts = (await printedPages(bytes)).flat().map(({ text }) => text);
  assert(texts.includes("N° F-2026/0042"));
});

Deno.test("every font of the pages is embedded", async () => {
  const { document } = await facturX();
  const descriptors = document.context.enumerateIndirectObjects()
    .map(([, object]) => object)
    .filter((object) => object instanceof PDFDict)
    .filter((dict) => dict.get(PDFName.of("Type")) === PDFName.of("FontDescriptor"));
  assertEquals(descriptors.length, 2);
  for (const descriptor of descriptors) {
    assert(decode(streamAt(descriptor, "FontFile2")).length > 0);
  }
});

Deno.test("markup in names cannot break the metadata", async () => {
  const invoice = await ublInvoice(FILE);
  const seller = { ...invoice.seller, name: "A&B </rdf:li> \u0001<x>" };
  const bytes = await pdf.facturX({ ...invoice, seller }, { language: "en" });
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const stream = streamAt(document.catalog, "Metadata");
  const packet = new TextDecoder().decode(stream.contents).replace(/<\?.*?\?>/g, "");
  const creator = leaves(parseXml(packet).root).find(({ text }) => text.startsWith("A&B"));
  assertEquals(creator?.text, "A&B </rdf:li> <x>");
});

function leaves(element: XmlElement): XmlElement[] {
  const elements = element.elements();
  return elements.length === 0 ? [element] : elements.flatMap(leaves);
}

Deno.test("the embedded invoice has the totals and the VAT of the invoice, and the pages print them", async (t) => {
  const folder = join(GOLDEN, "ubl");
  for (const name of await readdir(folder)) {
    await t.step(name, async () => {
      const invoice = readInvoice(parseXml(await readFile(join(folder, name), "utf8")));
      const bytes = await pdf.facturX(invoice, { language: "fr" });
      const { xml } = await embeddedInvoice(bytes);
      const { totals, vatBreakdown } = readCii(parseXml(new TextDecoder().decode(xml)));
      assertEquals(getFigures(totals), getFigures(invoice.totals));
      assertEquals(
        vatBreakdown.map((it) => [it.vat.code, getFigures(it)]),
        invoice.vatBreakdown.map((it) => [it.vat.code, getFigures(it)]),
      );
      const page = (await printedPages(bytes)).flat().map((it) => it.text).join("\n");
      for (const amount of [totals.withoutVat, totals.withVat, totals.due]) {
        const shown = new Intl.NumberFormat("fr", { minimumFractionDigits: 2 })
          .format(Number(amount));
        assertStringIncludes(page.replace(/\s/g, " "), shown.replace(/\s/g, " "));
      }
    });
  }
});

/** The amounts of a group as numbers: the two syntaxes may write `20` and `20.00`. */
function getFigures(group: object): Record<string, number> {
  return Object.fromEntries(
    Object.entries(group).flatMap(([name, value]) =>
      typeof value === "string" && value !== "" && Number.isFinite(Number(value))
        ? [[name, Number(value)]]
        : []
    ),
  );
}
