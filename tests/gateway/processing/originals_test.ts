import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findInvoice, findInvoiceXml } from "#src/gateway/invoices/mod.ts";
import { GOLDEN, startProduct, type TestProduct } from "#tests/support/product.ts";

const BURST = join(GOLDEN, "erp", "R42565-burst-12.xml");

/** Returns a report of these invoices of the golden burst, by their document numbers, in this order. */
async function readReport(docs: readonly number[]): Promise<string> {
  const burst = await readFile(BURST, "utf8");
  const open = burst.slice(0, burst.indexOf("<Invoice_Header_S11>"));
  const invoices = docs.map((doc) => {
    const start = burst.indexOf(
      `<Invoice_Header_S11><DocumentOrderInvoiceE_ID135>${doc}<`,
    );
    const end = "</Invoice_Header_S11>";
    return burst.slice(start, burst.indexOf(end, start) + end.length);
  });
  return `${open}${invoices.join("\n")}\n</R42565>\n`;
}

async function run(product: TestProduct, name: string, report: string) {
  const file = await product.write(name, report);
  const { body } = await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  return (await product.get(`/api/runs/${body.runId}`)).body;
}

async function readUbl({ deps }: TestProduct, id: string): Promise<string> {
  const [doc = "", dct = "", kco = ""] = id.split("-");
  const invoice = await findInvoice(deps.db, { doc, dct, kco });
  return invoice ? (await findInvoiceXml(deps.db, invoice.id))?.content ?? "" : "";
}

Deno.test("a credit note states the date of its original, from the same file or from the records, or waits for it", async (t) => {
  await using product = await startProduct();
  await product.send("PUT", "/api/templates/R42565", await templateWith(product, { submit: "N" }));

  await t.step("an unknown original is refused by its number, in both languages", async () => {
    const { counts, invoices: [only] } = await run(
      product,
      "alone.xml",
      await readReport([100001]),
    );
    assertEquals(counts, { rejected: 1 });
    assertMatch(only.message, /original invoice RI-100000 is unknown.*process RI-100000 first/);
    const { body } = await product.get("/api/integration-errors?search=100001");
    const text = JSON.stringify(body);
    assertStringIncludes(text, "TRF-STOPPED");
    assertStringIncludes(text, "OriginalDocument_ID161");
  });

  await t.step("the original may come later in the file than the worker has read", async () => {
    const all = Array.from({ length: 12 }, (_, index) => 100_011 - index);
    const { counts } = await run(product, "backwards.xml", await readReport(all));
    assertEquals(counts, { stored: 12 });
    for (const [id, date] of [["100001-RM-00001", "RI-100000"], ["100008-RM-00001", "RI-100007"]]) {
      const ubl = await readUbl(product, id ?? "");
      const expected = await readFile(join(GOLDEN, "ubl", `${id}.xml`), "utf8");
      const wanted = /<cac:BillingReference>.*?<\/cac:BillingReference>/s.exec(expected)?.[0] ?? "";
      assertStringIncludes(ubl, wanted, date);
    }
  });

  await t.step("the original may be among the records", async () => {
    const renamed = (await readReport([100008])).replace("ID135>100008<", "ID135>200008<");
    const { counts } = await run(product, "later.xml", renamed);
    assertEquals(counts, { stored: 1 });
    const other = renamed.replaceAll("KeyCompany_ID137>00001<", "KeyCompany_ID137>00002<");
    const { invoices: [only] } = await run(product, "other.xml", other);
    assertMatch(only.message, /RI-100007 is unknown/, "another company's invoice is no original");
  });
});

Deno.test("without a payment account an invoice is blocked, and the finding says where to set it", async () => {
  await using product = await startProduct();
  const report = (await readReport([100000])).replace(/<IBAN_ID23>[^<]*<\/IBAN_ID23>/g, "");
  const blocked = await run(product, "no-iban.xml", report);
  assertEquals(blocked.counts, { rejected: 1 });
  assertMatch(blocked.invoices[0].message, /enter the IBAN of your company/);
  const company = { name: "company", type: "company" };
  const ofCompany = { ...company, properties: { iban: "FR77 3000 4000 0312 3456 7890 125" } };
  assertEquals((await product.send("PUT", "/api/templates/company", ofCompany)).status, 200);
  await product.send("PUT", "/api/templates/R42565", await templateWith(product, { submit: "N" }));
  assertEquals((await run(product, "company-iban.xml", report)).counts, { stored: 1 });
  assertStringIncludes(
    await readUbl(product, "100000-RI-00001"),
    "<cbc:ID>FR7730004000031234567890125</cbc:ID>",
  );
});

Deno.test("the account of a document template comes before the company's", async () => {
  await using product = await startProduct();
  const report = (await readReport([100000])).replace(/<IBAN_ID23>[^<]*<\/IBAN_ID23>/g, "");
  const company = { name: "company", type: "company" };
  const ofCompany = { ...company, properties: { iban: "FR77 3000 4000 0312 3456 7890 125" } };
  assertEquals((await product.send("PUT", "/api/templates/company", ofCompany)).status, 200);
  const wrong = await product.send(
    "PUT",
    "/api/templates/R42565",
    await templateWith(product, { iban: "4711" }),
  );
  assertEquals(wrong.status, 422);
  assertStringIncludes(JSON.stringify(wrong.body), "an IBAN");
  const iban = "FR76 3000 6000 0112 3456 7890 189";
  const right = await product.send(
    "PUT",
    "/api/templates/R42565",
    await templateWith(product, { iban, submit: "N" }),
  );
  assertEquals(right.status, 200, JSON.stringify(right.body));
  assertEquals((await run(product, "iban.xml", report)).counts, { stored: 1 });
  assertStringIncludes(
    await readUbl(product, "100000-RI-00001"),
    "<cbc:ID>FR7630006000011234567890189</cbc:ID>",
  );
});

async function templateWith(product: TestProduct, properties: Record<string, string>) {
  const { body } = await product.get("/api/templates/R42565");
  return { ...body, properties: { ...body.properties, ...properties } };
}
