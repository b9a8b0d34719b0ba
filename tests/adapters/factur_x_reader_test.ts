import { assertEquals, assertRejects } from "@std/assert";
import { deflateSync } from "node:zlib";
import { homedir } from "node:os";
import process from "node:process";
import { AFRelationship, PDFDocument, PDFName, PDFString } from "@cantoo/pdf-lib";
import { createFacturXReader } from "#src/adapters/pdf/factur_x_reader.ts";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { writeCii } from "#src/domain/cii/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { isPdf } from "#src/ports/factur_x.ts";
import { ublInvoice } from "#tests/domain/ubl_data.ts";
import { silentLog } from "#tests/support/log.ts";

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
  const refused = async (pdf: Uint8Array, why: string) => {
    const error = await assertRejects(() => it.open(pdf), AppError, why);
    assertEquals(error.code, "refused");
  };
  await refused(await withFiles(["other.xml", "<a/>", AFRelationship.Data]), "embeds no invoice");
  await refused(
    await withFiles(["factur-x.xml", "<a/>", AFRelationship.Supplement]),
    "embeds no invoice",
  );
  await refused(
    await withFiles(["factur-x.xml", "<a/>"], ["xrechnung.xml", "<b/>"]),
    "factur-x.xml and xrechnung.xml",
  );
});

Deno.test("hostile PDFs are refused within the limits, and the next one is read", async (t) => {
  await using it = reader();
  const refused = async (pdf: Uint8Array, why: string) => {
    const error = await assertRejects(() => it.open(pdf), AppError, why);
    assertEquals(error.code, "refused");
  };
  await t.step("no PDF", () => refused(new TextEncoder().encode("%PDF-1.7\nnothing"), "PDF"));
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
    await refused(await document.save(), "factur-x.xml has more than 20971520 bytes");
  });
  await t.step("a name tree that holds itself", async () => {
    const document = await PDFDocument.create();
    const node = document.context.obj({});
    const reference = document.context.register(node);
    node.set(PDFName.of("Kids"), document.context.obj([reference, reference, reference]));
    document.catalog.set(PDFName.of("Names"), document.context.obj({ EmbeddedFiles: reference }));
    await refused(await document.save(), "embeds no invoice");
  });
  await t.step("too many objects", async () => {
    const objects = Array.from({ length: 100_001 }, (_, n) => `${n + 1} 0 obj\n1\nendobj\n`);
    const text = `%PDF-1.7\n${objects.join("")}trailer<</Root 1 0 R>>\n`;
    await refused(new TextEncoder().encode(text), "more than 100000 objects");
  });
  await t.step("the next one", async () => {
    const { name } = await it.open(await withFiles(["factur-x.xml", "<a/>"]));
    assertEquals(name, "factur-x.xml");
  });
});
