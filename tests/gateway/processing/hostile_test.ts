import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { MAX_DOCUMENT_BYTES } from "#src/domain/document/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { type InvoiceRecord, recordInvoice } from "#src/gateway/invoices/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { parseXml } from "#src/xml/mod.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { longTest } from "#tests/support/long.ts";
import { GOLDEN, startProduct, type TestProduct } from "#tests/support/product.ts";

const START = "<Invoice_Header_S11>";

longTest("documents made to hurt cost themselves, not others", async (t) => {
  await using product = await startProduct();

  await t.step("an invoice that the database refuses does not affect its batch", async () => {
    const huge = (name: string) => (invoice: string) =>
      invoice.replace(new RegExp(`(<${name}_ID\\d+>)[^<]*`, "g"), `$1${"9".repeat(30)}`);
    const content = change(await erpBurst(10), 4, huge("AmountGross"));
    const run = await process(product, "overflow.xml", content);
    const states = run.invoices.map((it: { state: string }) => it.state);
    assertEquals(states.toSpliced(4, 1), Array(9).fill("submitted"));
    assertEquals([states[4], run.invoices[4].id], ["failed", "500004-RI-00001"]);
    assertMatch(run.invoices[4].message, /The database refused it: numeric field overflow/);
    const { body } = await product.get("/api/integration-errors?search=500004");
    assert(body.errors.some((it: { rule: string }) => it.rule === "PRC-REFUSED"));
  });

  await t.step("nor does one with thousands of findings", async () => {
    const content = change(await erpBurst(10, 600_000), 4, (invoice) => {
      const [line = ""] = /<Invoice_Detail_S20>[\s\S]*?<\/Invoice_Detail_S20>/.exec(invoice) ?? [];
      const bad = line.replace(/(<UnitOfMeasure_ID306>)[^<]*/, "$1?")
        .replace(/(<AmtPricePerUnit2_ID307>)/, "$1-");
      return invoice.replace(line, bad.repeat(800));
    });
    const run = await process(product, "lines.xml", content);
    const states = run.invoices.map((it: { state: string }) => it.state);
    assertEquals(states.toSpliced(4, 1), Array(9).fill("submitted"));
    assertEquals(states[4], "rejected");
    const { body } = await product.get("/api/invoices/600004-RI-00001/errors");
    assertEquals([body.errors.length, body.errors.at(-1).rule], [501, "FINDINGS-MORE"]);
    const part = await product.get("/api/invoices/600004-RI-00001/errors?page=2&pageSize=400");
    assertEquals([part.body.errors.length, part.body.total], [101, 501]);
    assertEquals(part.body.errors.at(-1), body.errors.at(-1));
  });

  await t.step(
    "the file of one invoice that is too large is refused before it is held",
    async () => {
      const invoice = await readFile(join(GOLDEN, "ubl", "100000-RI-00001.xml"), "utf8");
      const text = invoice.replace("?>", `?>${" ".repeat(MAX_DOCUMENT_BYTES)}`);
      const file = await product.write("large.xml", text);
      const page = await product.post("/api/validate", { file, sourceType: "ubl" }, {
        accept: "text/html",
      });
      assertEquals(page.status, 413);
      assertMatch(page.body.error, /bytes; 16777216 are allowed here/);
      const run = await product.post("/api/validate", { file, sourceType: "ubl" });
      const { invoices: [item] } = (await product.get(`/api/runs/${run.body.runId}`)).body;
      assertEquals(item.state, "failed");
      assertMatch(item.message, /bytes; 16777216 are allowed/);
    },
  );

  await t.step("an invoice of more rows than are recorded is refused, and says so", async () => {
    const invoice = readInvoice(
      parseXml(await readFile(join(GOLDEN, "ubl", "100000-RI-00001.xml"), "utf8")),
    );
    const [line] = invoice.lines;
    assert(line);
    const recording: InvoiceRecord = {
      key: { doc: "700000", dct: "RI", kco: "00001" },
      direction: "issued",

      invoice: { ...invoice, lines: Array(50_001).fill(line) },
      document: { text: "", sha256: "" },
      findings: [],
      verdict: {},
    };
    await assertRejects(
      () => product.deps.db.transaction((tx) => recordInvoice(product.deps, tx, recording)),
      AppError,
      "It has 50001 lines; 50000 can be recorded",
    );
  });
});

/** Returns the burst with its nth invoice changed. */
function change(burst: string, nth: number, change: (invoice: string) => string): string {
  const pieces = burst.split(START);
  pieces[nth + 1] = change(pieces[nth + 1] ?? "");
  return pieces.join(START);
}

async function process(product: TestProduct, name: string, content: string) {
  const file = await product.write(name, content);
  const { body } = await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  return (await product.get(`/api/runs/${body.runId}`)).body;
}
