import { assertEquals, assertMatch } from "@std/assert";
import { PDFDocument } from "@cantoo/pdf-lib";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { writeCii } from "#src/domain/cii/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { encodeXml, parseXml } from "#src/xml/mod.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";
import { readTold, type Stage, stage } from "#tests/gateway/submission/support.ts";

const UBL = await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8");
const EXTENDED = "urn:cen.eu:en16931:2017#conformant#urn.cpro.gouv.fr:1p0:extended-ctc-fr";

function invoice(number: string, customizationId?: string) {
  const read = readInvoice(parseXml(UBL.replaceAll("RI-100002", number)));
  return customizationId === undefined ? read : { ...read, customizationId };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function bigEndian(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  for (let at = 0; at < bytes.length; at += 2) bytes.subarray(at, at + 2).reverse();
  return bytes;
}

/** Returns the only flow of an invoice at the PA, with its bytes. */
async function getFlow({ sandbox }: Stage, name: string) {
  const flows = (await sandbox.journal()).flatMap((entry) =>
    entry.kind === "flow" && entry.flow.flowDirection === "Out" && entry.flow.name === name
      ? [entry.flow]
      : []
  );
  const [flow, ...others] = flows;
  if (!flow || others.length > 0) throw new Error(`${flows.length} flows are called ${name}`);
  return flow;
}

Deno.test("a CII is sent as CII and a Factur-X as the PDF it is; both are listed, shown and followed", async (t) => {
  await using world = await stage();
  const { product } = world;
  const pdf = new Uint8Array(
    await createInvoicePdf().facturX(invoice("FX-1"), { language: "fr" }),
  );
  const files = {
    "CI-1": { content: writeCii(invoice("CI-1")), syntax: "CII", profile: "CIUS" },
    "CI-2": {
      content: writeCii(invoice("CI-2", EXTENDED)),
      syntax: "CII",
      profile: "Extended-CTC-FR",
    },
    "CI-3": {
      content: encodeXml(writeCii(invoice("CI-3")).replace("UTF-8", "ISO-8859-1")),
      syntax: "CII",
      profile: "CIUS",
    },
    "CI-4": {
      content: new TextEncoder().encode(`\ufeff${writeCii(invoice("CI-4"))}`),
      syntax: "CII",
      profile: "CIUS",
    },
    "CI-5": {
      content: bigEndian(encodeXml(writeCii(invoice("CI-5")).replace("UTF-8", "UTF-16"))),
      syntax: "CII",
      profile: "CIUS",
    },
    "FX-1": { content: pdf, syntax: "Factur-X", profile: "CIUS" },
  };
  for (const [number, { content, syntax, profile }] of Object.entries(files)) {
    await t.step(number, async () => {
      const extension = syntax === "Factur-X" ? "pdf" : "xml";
      const file = await product.write(`${number}.${extension}`, content);
      const judged = await product.post("/api/validate", { file, sourceType: "ubl" });
      assertEquals([judged.status, judged.body.success], [200, true], JSON.stringify(judged.body));
      const { body } = await product.post("/api/run", { file, mode: "UBL", template: "R42565" });
      assertEquals(body.error, undefined);
      const id = `${number.split("-").reverse().join("-")}-00000`;
      await readTold(world, id, ["10"]);
      const flow = await getFlow(world, `${id}.${extension}`);
      assertEquals([flow.flowSyntax, flow.flowProfile], [syntax, profile]);
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      assertEquals([flow.size, flow.sha256], [bytes.length, sha256(bytes)]);
      const [lines, vat, page] = await Promise.all(
        ["lines", "vat", "pdf"].map((path) => product.get(`/api/invoices/${id}/${path}`)),
      );
      assertEquals([lines?.body.lines.length, vat?.body.vat.length, page?.status], [
        invoice(number).lines.length,
        invoice(number).vatBreakdown.length,
        200,
      ]);
    });
  }
  await t.step("the Factur-X is returned unchanged", async () => {
    const answer = await product.request("/api/invoices/1-FX-00000/factur-x");
    assertEquals(new Uint8Array(await answer.arrayBuffer()), pdf);
  });
  await t.step("sent again it is the same file", async () => {
    const answer = await product.post("/api/invoices/1-FX-00000/resend", {
      force: true,
      reason: "The PA lost it",
    });
    assertEquals(answer.status, 200, JSON.stringify(answer.body));
    await until(async () => {
      const files = (await world.sandbox.journal()).flatMap((entry) =>
        entry.kind === "flow" && entry.flow.flowSyntax === "Factur-X" ? [entry.flow.sha256] : []
      );
      return files.length === 2 && files[0] === files[1];
    }, "the same file to be sent a second time");
  });
});

Deno.test("a PDF without an invoice is refused with a sentence, in the caller's language", async (t) => {
  await using world = await stage();
  const { product } = world;
  const plain = await createInvoicePdf().render(invoice("PDF-1"), { language: "fr" });
  const locked = await PDFDocument.load(plain);
  locked.encrypt({ userPassword: "user", ownerPassword: "owner" });
  const cases = {
    "plain.pdf": {
      content: plain,
      en: /embeds no invoice; ask the sender/,
      fr: /ne contient pas de facture ; demandez/,
    },
    "locked.pdf": {
      content: await locked.save(),
      en: /PDF is encrypted/,
      fr: /PDF est chiffré/,
    },
    "broken.pdf": {
      content: new TextEncoder().encode("%PDF-1.7\nnothing more"),
      en: /PDF cannot be read: its structure is damaged/,
      fr: /PDF est illisible : sa structure est endommagée/,
    },
  };
  for (const [name, { content, en, fr }] of Object.entries(cases)) {
    await t.step(name, async () => {
      const file = await product.write(name, new Uint8Array(content));
      for (const [language, sentence] of [["en", en], ["fr", fr]] as const) {
        const answer = await product.post("/api/validate", { file, sourceType: "ubl" }, {
          accept: "text/html",
          "x-service-lang": language,
        });
        assertEquals(answer.status, 422);
        assertMatch(answer.body.error, sentence);
      }
      const { body } = await product.post("/api/run", { file, mode: "UBL", template: "R42565" });
      assertEquals(body.success, false);
      const { errors: [finding] } = (await product.get("/api/integration-errors")).body;
      assertMatch(finding.messageEn, en);
      assertMatch(finding.messageFr, fr);
    });
  }
  await t.step("nothing is recorded", async () => {
    assertEquals((await product.get("/api/invoices")).body.total, 0);
  });
});
