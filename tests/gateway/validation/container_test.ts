import { assertEquals } from "@std/assert";
import { PDFDocument } from "@cantoo/pdf-lib";
import { validateCommand } from "#src/cli/validate.ts";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { containerFindings } from "#src/gateway/validation/judging/container_findings.ts";
import { CONTAINER_RULES } from "#src/ports/factur_x.ts";
import { writeCii } from "#src/domain/cii/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { inFolder } from "#tests/support/folder.ts";
import { INVOICE } from "./support.ts";

/** Embeds the invoice in a page that is not PDF/A: text in Helvetica, no metadata, no output intent. */
async function plainHybrid(cii: string): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage().drawText("Facture");
  await document.attach(new TextEncoder().encode(cii), "factur-x.xml", { mimeType: "text/xml" });
  return await document.save();
}

Deno.test("a Factur-X to be sent that is not PDF/A-3 is refused, with the missing parts", () =>
  inFolder(async (folder) => {
    const invoice = readInvoice(parseXml(INVOICE));
    const own = await createInvoicePdf().facturX(invoice, { language: "fr" });
    await Deno.writeFile(`${folder}/own.pdf`, own);
    await Deno.writeFile(`${folder}/plain.pdf`, await plainHybrid(writeCii(invoice)));
    const out: string[] = [];
    const io = { env: {}, out: (line: string) => void out.push(line), err: () => {} };
    assertEquals(
      await validateCommand(["--json", `${folder}/own.pdf`, `${folder}/plain.pdf`], io),
      1,
    );
    const [good, bad] = out.map((line) => JSON.parse(line));
    const ofContainer = (it: { source: string }) => it.source === "Factur-X";
    assertEquals(good.valid, true);
    assertEquals(good.findings.filter(ofContainer).map((it: { rule: string }) => it.rule), [
      "FX-CHECKED",
    ]);
    assertEquals(bad.valid, false);
    const told = bad.findings.filter(ofContainer)
      .map((it: { level: string; rule: string; value?: string }) => [it.level, it.rule, it.value]);
    assertEquals(told, [
      ["FATAL", "FX-ID", undefined],
      ["FATAL", "FX-XMP", undefined],
      ["FATAL", "FX-FILESPEC", undefined],
      ["FATAL", "FX-INTENT", undefined],
      ["FATAL", "FX-FONT", "Helvetica"],
      ["INFO", "FX-CHECKED", undefined],
    ]);
  }));

Deno.test("a Factur-X that we receive is never refused for its container", () => {
  const hybrid = {
    name: "facture.xml",
    faults: CONTAINER_RULES.map((rule) => ({ rule, value: "x" })),
  };
  const received = containerFindings(hybrid, "received");
  assertEquals(new Set(received.map((it) => it.level)), new Set(["WARNING"]));
  const issued = containerFindings(hybrid, "issued");
  assertEquals(issued.length, CONTAINER_RULES.length + 1);
  for (const { messageEn, messageFr } of issued) {
    assertEquals([messageEn.endsWith("."), messageFr.endsWith(".")], [true, true]);
  }
});
