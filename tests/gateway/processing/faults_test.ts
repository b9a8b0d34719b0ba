import { assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeXml } from "#src/xml/mod.ts";
import { longTest } from "#tests/support/long.ts";
import { GOLDEN, startProduct, type TestProduct } from "#tests/support/product.ts";

const TAG = "DocumentOrderInvoiceE_ID135";

async function fail(product: TestProduct, name: string, content: string | Uint8Array) {
  const file = await product.write(name, content);
  const asked = { template: "R42565", file, mode: "BURST" };
  const { body } = await product.post("/api/run", asked);
  assertEquals(body.success, false);
  const all = (await product.get("/api/integration-errors?sortBy=id&sortDir=desc")).body.errors;
  return { run: body, finding: all[0] };
}

Deno.test("malformed XML in an ERP document is reported with its line and column in the file", async (t) => {
  await using product = await startProduct();
  const end = `</${TAG}></Invoice_Header_S11>`;
  const good = `<Invoice_Header_S11><${TAG}>1${end}`;
  const cases: [label: string, content: string, place: [line: number, column: number]][] = [
    ["a line of its own", `<R42565>\n<Invoice_Header_S11>\n<${TAG}>\n&foo;${end}</R42565>`, [4, 1]],
    ["one line", `<R42565><Invoice_Header_S11><${TAG}>&foo;${end}</R42565>`, [1, 58]],
    [
      "behind a declaration, properties and another piece",
      `<?xml version="1.0"?>\r\n<R42565>\r\n<Properties>\r\n</Properties>\r\n${good}<Invoice_Header_S11>\r\n <${TAG}>é&foo;${end}\r\n</R42565>`,
      [6, 32],
    ],
    [
      "in the line in which another piece ends",
      `<R42565>\n${good}<Invoice_Header_S11><${TAG}>&foo;${end}</R42565>`,
      [2, good.length + 50],
    ],
  ];
  for (const [label, content, place] of cases) {
    await t.step(label, async () => {
      const { finding, run } = await fail(product, "entity.xml", content);
      assertEquals([finding.rule, finding.line, finding.column], ["TRF-SOURCE", ...place]);
      const where = `(line ${place[0]}, column ${place[1]})`;
      const en = `The source is not well-formed XML: The reference &foo; is not allowed ${where}`;
      assertEquals([finding.message, finding.messageEn], [en, en]);
      assertMatch(
        finding.messageFr,
        /La référence &foo; n'est pas admise \(ligne \d+, colonne \d+\)/,
      );
      const says = run.logs.some((it: { message: string }) => it.message.includes(where));
      assertEquals(says, true);
    });
  }
  await t.step("malformed XML around the documents is reported with its position", async () => {
    const content = `<R42565>\n<Properties>&foo;</Properties>\n${good}</R42565>`;
    const { finding } = await fail(product, "envelope.xml", content);
    assertEquals([finding.line, finding.column], [3, 1]);
    assertMatch(finding.messageEn, /what stands around the invoice/);
  });
  await t.step("and a report on it says the same", async () => {
    const file = await product.write("report.xml", cases[0]?.[1] ?? "");
    const asked = { file, sourceType: "xml", template: "R42565" };
    const answer = await product.post("/api/validate", asked, { accept: "text/html" });
    assertEquals(answer.status, 422);
    assertMatch(answer.body.error, /line 4, column 1/);
  });
});

/** Returns the burst with an invalid amount in the invoice of this number, which no credit note cancels. */
function spoil(burst: string, number: string): string {
  const from = burst.indexOf(`<${TAG}>${number}<`);
  return burst.slice(0, from) +
    burst.slice(from).replace(/<AmountGross_ID501>[^<]*</, "<AmountGross_ID501> abc <");
}

async function readCounts(product: TestProduct, runId: string): Promise<Record<string, number>> {
  return (await product.get(`/api/runs/${runId}`)).body.counts;
}

longTest(
  "a report in another encoding gives the same invoices, and its faults have their place",
  async () => {
    await using product = await startProduct();
    const burst = await readFile(join(GOLDEN, "erp", "R42565-burst-12.xml"), "utf8");
    const bad = spoil(burst, "100004");
    for (const encoding of ["windows-1252", "UTF-16"]) {
      const declared = bad.replace(
        /^\ufeff?(<\?xml[^>]*\?>)?/,
        `<?xml version="1.0" encoding="${encoding}"?>`,
      );
      const { finding } = await fail(product, `${encoding}.xml`, encodeXml(declared));
      const at = declared.indexOf("<AmountGross_ID501> abc <");
      const before = declared.slice(0, at);
      const place = [before.split("\n").length, at - before.lastIndexOf("\n")];
      assertEquals([finding.line, finding.column], place, encoding);
      const { body } = await product.get("/api/invoices?search=h%C3%A9lios");
      assertEquals(body.invoices[0]?.customerName, "Groupe Hélios", encoding);
    }
  },
);

longTest(
  "a failed transform names its invoice, and the place of the value that was refused",
  async (t) => {
    await using product = await startProduct();
    const burst = await readFile(join(GOLDEN, "erp", "R42565-burst-12.xml"), "utf8");
    const bad = spoil(burst, "100004");
    const { finding, run } = await fail(product, "abc.xml", bad);

    await t.step("by number, type and company, so that it is found", async () => {
      assertEquals([finding.doc, finding.dct, finding.kco], ["100004", "RI", "00001"]);
      for (const search of ["AmountGross", "100004"]) {
        const { body } = await product.get(`/api/integration-errors?search=${search}&level=FATAL`);
        assertEquals([body.total, body.errors[0].rule], [1, "TRF-STOPPED"], search);
      }
      const { body } = await product.get(`/api/runs/${run.runId}`);
      const failed = body.invoices.find((it: { state: string }) => it.state === "rejected");
      assertEquals(failed.id, "100004-RI-00001");
    });
    await t.step("by line and column of the file", () => {
      const at = bad.indexOf("<AmountGross_ID501> abc <");
      const before = bad.slice(0, at);
      const place = [before.split("\n").length, at - before.lastIndexOf("\n")];
      assertEquals([finding.line, finding.column], place);
    });
    const codes = async () => {
      const { body } = await product.get("/api/invoices/100004-RI-00001/lifecycle");
      return body.events.map((it: { statusCode: string }) => it.statusCode);
    };
    await t.step(
      "and is listed among the invoices as rejected, however often it fails",
      async () => {
        await fail(product, "again.xml", bad);
        const { body } = await product.get("/api/invoices?status=9907");
        assertEquals(body.invoices.map((it: { fedoc: string }) => it.fedoc), ["100004"]);
        assertEquals(await codes(), ["9900", "9907", "9900", "9907"]);
        const errors = await product.get("/api/invoices/100004-RI-00001/errors");
        assertEquals(errors.body.errors.map((it: { rule: string }) => it.rule), ["TRF-STOPPED"]);
        assertEquals(
          (await product.get("/api/integration-errors?search=AmountGross")).body.total,
          1,
        );
        assertEquals((await product.post("/api/invoices/100004-RI-00001/resend")).status, 422);
      },
    );
    await t.step("until its correction is recorded in its place, and sent", async () => {
      const file = await product.write("mended.xml", burst);
      const asked = { template: "R42565", file, mode: "BURST" };
      const { body } = await product.post("/api/run", asked);
      assertEquals(await readCounts(product, body.runId), { submitted: 1, unchanged: 11 });
      assertEquals((await codes()).slice(4, 7), ["9900", "9901", "9906"]);
      assertEquals((await product.get("/api/invoices/100004-RI-00001/lines")).status, 200);
      assertEquals((await product.get("/api/integration-errors?search=100004")).body.total, 0);
    });
    await t.step("and stays, whatever fails later", async () => {
      const before = await codes();
      const { finding } = await fail(product, "late.xml", bad);
      assertEquals([finding.rule, finding.doc], ["TRF-STOPPED", "100004"]);
      assertEquals(await codes(), before);
      assertEquals((await product.get("/api/invoices/100004-RI-00001/lines")).status, 200);
    });
    await t.step(
      "and its finding counts as one, until its document can be read again",
      async () => {
        const open = async () =>
          (await product.get("/api/integration-errors?search=100004")).body.total;
        await fail(product, "later.xml", bad);
        assertEquals(await open(), 1);
        const file = await product.write("mended.xml", burst);
        const { body } = await product.post("/api/run", {
          template: "R42565",
          file,
          mode: "BURST",
        });
        assertEquals(await readCounts(product, body.runId), { unchanged: 12 });
        assertEquals(await open(), 0);
      },
    );
    await t.step("and incomplete keys are shown as far as known", async () => {
      const nameless = burst.replace(/<KeyCompany_ID137>[^<]*</, "<KeyCompany_ID137><");
      const partly = await fail(product, "nameless.xml", nameless);
      const { doc, dct, kco } = partly.finding;
      assertEquals([doc, dct, kco], ["100000", "RI", ""]);
      const { body } = await product.get(`/api/runs/${partly.run.runId}`);
      assertEquals(body.invoices[0].id, null);
    });
    await t.step("by both keys, when a stylesheet answers for another document", async () => {
      await product.write(
        "own.xsl",
        `<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/">
      <xsl:processing-instruction name="passerelle-key">doc="999999" dct="RI" kco="00001"</xsl:processing-instruction><o/>
      </xsl:template></xsl:stylesheet>`,
      );
      const { body } = await product.get("/api/templates/R42565");
      const { name, type, properties } = body.template ?? body;
      const changed = { name, type, properties: { ...properties, transform: "own.xsl" } };
      assertEquals((await product.send("PUT", "/api/templates/R42565", changed)).status, 200);
      const { finding } = await fail(product, "other.xml", burst);
      assertEquals([finding.rule, finding.level], ["TRF-MISMATCH", "FATAL"]);
      assertMatch(finding.messageEn, /another document: doc 999999 instead of 1000\d\d/);
    });
  },
);
