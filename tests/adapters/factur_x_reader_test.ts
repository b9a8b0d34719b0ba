import { assertEquals, assertRejects } from "@std/assert";
import { deflateSync } from "node:zlib";
import { homedir } from "node:os";
import process from "node:process";
import { AFRelationship, PDFDocument, PDFName, PDFString } from "@cantoo/pdf-lib";
import { createFacturXReader } from "#src/adapters/pdf/factur_x_reader.ts";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { writeCii } from "#src/domain/cii/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type ContainerFault, isPdf } from "#src/ports/factur_x.ts";
import { ublInvoice } from "#tests/domain/ubl_data.ts";
import { silentLog } from "#tests/support/log.ts";
import {
  encodeLzw,
  getAscii85,
  getHex,
  getRuns,
  predictedUp,
  withStream,
  withStreams,
} from "./pdf_filters.ts";

function reader() {
  const { DENO_DIR, PATH } = process.env;
  const environment = {
    HOME: homedir(),
    ...DENO_DIR === undefined ? {} : { DENO_DIR },
    ...PATH === undefined ? {} : { PATH },
  };
  const found = createFacturXReader({ log: silentLog, environment });
  return { ...found, [Symbol.asyncDispose]: () => found.close() };
}

async function withFiles(
  ...files: readonly (readonly [name: string, xml: string, AFRelationship?])[]
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage();
  for (const [name, xml, afRelationship] of files) {
    await document.attach(new TextEncoder().encode(xml), name, {
      mimeType: "text/xml",
      ...afRelationship && { afRelationship },
    });
  }
  return await document.save();
}

Deno.test("the invoice of a Factur-X is found with its name, relationship and profile", async () => {
  await using it = reader();
  const invoice = await ublInvoice("invoice-every-term.xml");
  const pdf = await createInvoicePdf().facturX(invoice, { language: "fr" });
  const { xml, ...found } = await it.open(pdf);
  assertEquals(new TextDecoder().decode(xml), writeCii(invoice));
  assertEquals(found, {
    name: "factur-x.xml",
    relationship: "Alternative",
    profile: "EN 16931",
    faults: [],
  });
  assertEquals([isPdf(pdf), isPdf(xml)], [true, false]);
});

Deno.test("ZUGFeRD and XRechnung names count, other attachments do not, and two different invoices are refused", async () => {
  await using it = reader();
  for (const name of ["ZUGFeRD-invoice.xml", "xrechnung.xml"]) {
    const pdf = await withFiles(["notes.xml", "<n/>"], [name, "<a/>", AFRelationship.Data]);
    const { xml, profile } = await it.open(pdf);
    assertEquals([new TextDecoder().decode(xml), profile], ["<a/>", undefined]);
  }
  const refuse = async (pdf: Uint8Array, why: string) => {
    const error = await assertRejects(() => it.open(pdf), AppError, why);
    assertEquals(error.code, "refused");
  };
  await refuse(await withFiles(["other.xml", "<a/>", AFRelationship.Data]), "embeds no invoice");
  await refuse(await withFiles(["order-x.xml", "<o/>"]), "order-x.xml is another message");
  await refuse(
    await withFiles(["A.xml", CII], ["B.xml", `${CII}<!-- other -->`]),
    "A.xml and B.xml",
  );
});

const CII =
  '<?xml version="1.0"?><!-- > --><rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"/>';

Deno.test("an invoice with an odd name, relationship or rival is read, and each is a fault", async () => {
  await using it = reader();
  const faultsOf = async (pdf: Uint8Array) => {
    const { xml, name, faults } = await it.open(pdf);
    return { xml: new TextDecoder().decode(xml), name, faults };
  };
  const has = (faults: readonly ContainerFault[], rule: string) =>
    faults.find((it) => it.rule === rule)?.value;
  for (const relationship of [AFRelationship.Supplement, AFRelationship.Unspecified]) {
    const { faults } = await faultsOf(await withFiles(["factur-x.xml", CII, relationship]));
    assertEquals(has(faults, "FX-RELATIONSHIP"), relationship);
    assertEquals(has(faults, "FX-NAME"), undefined);
  }
  const named = await faultsOf(await withFiles(["notes.xml", "<n/>"], ["Facture 12.XML", CII]));
  assertEquals([named.name, has(named.faults, "FX-NAME")], ["Facture 12.XML", "Facture 12.XML"]);
  const several = await faultsOf(
    await withFiles(["zugferd-invoice.xml", "<a/>"], ["factur-x.xml", CII]),
  );
  assertEquals([several.name, several.xml], ["factur-x.xml", CII]);
  assertEquals(has(several.faults, "FX-SEVERAL"), "zugferd-invoice.xml");
  const same = await faultsOf(await withFiles(["xrechnung.xml", CII], ["factur-x.xml", CII]));
  assertEquals(has(same.faults, "FX-SEVERAL"), undefined);
  const ubl = await faultsOf(await withFiles(["factur-x.xml", "<Invoice/>"]));
  assertEquals(has(ubl.faults, "FX-SYNTAX"), "Invoice");
});

Deno.test("an invoice attached to a page alone is found", async () => {
  await using it = reader();
  const document = await PDFDocument.create();
  const page = document.addPage();
  const { context } = document;
  const spec = context.obj({
    Type: "Filespec",
    EF: { F: context.register(context.flateStream(CII)) },
  });
  spec.set(PDFName.of("F"), PDFString.of("factur-x.xml"));
  page.node.set(
    PDFName.of("Annots"),
    context.obj([{ Type: "Annot", Subtype: "FileAttachment", FS: context.register(spec) }]),
  );
  const { xml, faults } = await it.open(await document.save());
  assertEquals(new TextDecoder().decode(xml), CII);
  assertEquals(faults.filter(({ rule }) => ["FX-AF", "FX-TREE"].includes(rule)).length, 2);
});

Deno.test("every filter of PDF is decoded, in chains too", async () => {
  await using it = reader();
  const text = `${CII}<!-- ${"aaaaaaaaabcabcabc".repeat(2000)} -->`;
  const plain = new TextEncoder().encode(text);
  const cases: readonly (readonly [Uint8Array, readonly string[], string?])[] = [
    [getHex(plain), ["ASCIIHexDecode"]],
    [getAscii85(deflateSync(plain)), ["ASCII85Decode", "FlateDecode"]],
    [getHex(encodeLzw(plain)), ["AHx", "LZWDecode"]],
    [getRuns(plain), ["RunLengthDecode"]],
    [deflateSync(predictedUp(plain, 16)), ["FlateDecode"], "<</Predictor 12/Columns 16>>"],
  ];
  for (const [bytes, filters, parameters] of cases) {
    const { xml } = await it.open(withStream(bytes, filters, parameters));
    assertEquals(new TextDecoder().decode(xml).trimEnd(), text, filters.join(" "));
  }
});

Deno.test("hostile PDFs are refused within the limits, and the next one is read", async (t) => {
  await using it = reader();
  const refuse = async (pdf: Uint8Array, why: string) => {
    const error = await assertRejects(() => it.open(pdf), AppError, why);
    assertEquals(error.code, "refused");
  };
  await t.step("no PDF", () => refuse(new TextEncoder().encode("%PDF-1.7\nnothing"), "PDF"));
  await t.step("a bomb", async () => {
    const document = await PDFDocument.create();
    const bomb = deflateSync(new Uint8Array(64 * 1024 * 1024));
    const stream = document.context.stream(bomb, { Filter: "FlateDecode" });
    const spec = document.context.obj({
      Type: "Filespec",
      AFRelationship: "Data",
      EF: { F: document.context.register(stream) },
    });
    spec.set(PDFName.of("F"), PDFString.of("factur-x.xml"));
    document.catalog.set(
      PDFName.of("AF"),
      document.context.obj([document.context.register(spec)]),
    );
    await refuse(await document.save(), "factur-x.xml has more than 20971520 bytes");
  });
  await t.step("a bomb inside a bomb", async () => {
    const inner = deflateSync(new Uint8Array(500 * 1024 * 1024));
    const filters = ["ASCII85Decode", "FlateDecode", "FlateDecode"];
    await refuse(withStream(getAscii85(deflateSync(inner)), filters), "more than 20971520 bytes");
  });
  await t.step(
    "a longer chain of filters than any writer uses",
    () => refuse(withStream(new Uint8Array(9), Array(7).fill("ASCIIHexDecode")), "7 filters"),
  );
  await t.step("many bombs together", async () => {
    const bomb = deflateSync(new Uint8Array(19 * 1024 * 1024));
    const pdf = withStreams(Array.from({ length: 40 }, () => bomb));
    await refuse(pdf, "embeds no invoice");
  });
  await t.step("arrays inside arrays", async () => {
    const text = `%PDF-1.7\n1 0 obj\n${"[".repeat(2_000_000)}\nendobj\ntrailer<</Root 1 0 R>>\n`;
    await refuse(new TextEncoder().encode(text), "PDF");
  });
  await t.step("a page tree that doubles at each level", async () => {
    const kids = Array.from(
      { length: 60 },
      (_, n) => `${n + 10} 0 obj\n<</Kids[${n + 11} 0 R ${n + 11} 0 R]>>\nendobj\n`,
    ).join("");
    const bytes = withStream(new TextEncoder().encode(CII), [], undefined, { kids, root: 10 });
    const { name } = await it.open(bytes);
    assertEquals(name, "factur-x.xml");
  });
  await t.step("a name tree that holds itself", async () => {
    const document = await PDFDocument.create();
    const node = document.context.obj({});
    const reference = document.context.register(node);
    node.set(PDFName.of("Kids"), document.context.obj([reference, reference, reference]));
    document.catalog.set(PDFName.of("Names"), document.context.obj({ EmbeddedFiles: reference }));
    await refuse(await document.save(), "embeds no invoice");
  });
  await t.step("too many objects", async () => {
    const objects = Array.from({ length: 100_001 }, (_, n) => `${n + 1} 0 obj\n1\nendobj\n`);
    const text = `%PDF-1.7\n${objects.join("")}trailer<</Root 1 0 R>>\n`;
    await refuse(new TextEncoder().encode(text), "more than 100000 objects");
  });
  await t.step("the next one", async () => {
    const { name } = await it.open(await withFiles(["factur-x.xml", "<a/>"]));
    assertEquals(name, "factur-x.xml");
  });
});
