import { assertEquals, assertMatch } from "@std/assert";
import { erpBurst } from "#tests/support/erp.ts";
import { startProduct } from "#tests/support/product.ts";

Deno.test("failed invoices of a run are grouped by cause, with the ERP field", async (t) => {
  await using product = await startProduct();
  const report = (await erpBurst(8))
    .replaceAll(
      /(<AmountGross_ID501>)[^<]+/g,
      (_all, tag, at) => `${tag}${at % 2 ? "199,99" : "1,00"}`,
    );
  const run = async (text: string, mode: string) => {
    const file = await product.write("report.xml", text);
    const { body } = await product.post("/api/run", { template: "R42565", file, mode });
    return body.runId as string;
  };
  const causesOf = async (runId: string, language: string) =>
    (await product.get(`/api/runs/${runId}/causes`, { "x-service-lang": language })).body.causes;

  await t.step("one wrong sum is one cause, whatever follows from it", async () => {
    const causes = await causesOf(await run(report, "BURST"), "en");
    assertEquals(causes.length, 1);
    const [{ source, rule, field, count, amounts, invoices }] = causes;
    assertEquals([source, rule, field, count], [
      "en16931-ubl",
      "BR-CO-15",
      "Invoice_Total_S40/AmountGross_ID501",
      8,
    ]);
    const { body: { invoices: all } } = await product.get("/api/invoices?status=9907");
    const cents = all.reduce(
      (sum: number, it: { invoiceType: string; totalTTC: number }) =>
        sum + Math.round(it.totalTTC * 100) * (it.invoiceType === "381" ? -1 : 1),
      0,
    );
    assertEquals(amounts, [{ currency: "EUR", amount: String(cents / 100) }]);
    const { body: { invoices: [listed] } } = await product.get("/api/invoices?status=9907");
    assertMatch(listed.statusReason, /^The total with VAT \(BT-112\) must be/);
    assertEquals(invoices[1], {
      index: 1,
      line: 4,
      stored: true,
      id: "500001-RM-00001",
      number: "RM-500001",
    });
  });
  await t.step("a preview names the invoices of the file by their numbers", async () => {
    const wrong = (await erpBurst(1, 550_000)).replace(/(<AmountGross_ID501>)[^<]+/g, "$19,99");
    const file = await product.write("preview.xml", wrong);
    const body = { template: "R42565", file, mode: "BURST" };
    const { body: { runId } } = await product.post("/api/run?preview=true", body);
    const [{ amounts, invoices }, ...others] = await causesOf(runId, "en");
    assertEquals(others, []);
    assertEquals(amounts, [{ currency: "EUR", amount: "9.99" }]);
    assertEquals(invoices, [{
      index: 0,
      line: 3,
      stored: false,
      id: "550000-RI-00001",
      number: "RI-550000",
    }]);
  });
  await t.step("a preview has the causes of its import", async () => {
    const mixed = (await erpBurst(6, 560_000))
      .replace(/<DateInvoiceJ_ID140>[^<]+/, "<DateInvoiceJ_ID140>")
      .replaceAll(/(<AmountGross_ID501>)[^<]+/g, "$1" + "19,99")
      .replace(/<IBAN_ID23>[^<]*<\/IBAN_ID23>/, "");
    const body = {
      template: "R42565",
      file: await product.write("mixed.xml", mixed),
      mode: "BURST",
    };
    const begin = async (path: string) => (await product.post(path, body)).body.runId;
    const preview = await begin("/api/run?preview=true");
    const foreseen = [await causesOf(preview, "en"), await causesOf(preview, "fr")];
    const real = await begin("/api/run");
    const found = [await causesOf(real, "en"), await causesOf(real, "fr")];
    const strip = (causes: { invoices: { stored: boolean }[] }[]) =>
      causes.map(({ invoices, ...it }) => ({ ...it, amounts: [], invoices: invoices.length }));
    assertEquals(foreseen.map(strip), found.map(strip));
    const fields = foreseen[0].map((it: { field: string }) => it.field);
    assertEquals(fields.includes("Invoice_Total_S40/AmountGross_ID501"), true);
    assertEquals(fields.includes("DateInvoiceJ_ID140"), true);
  });
  await t.step(
    "each missing element is a cause, in the reader's language",
    async () => {
      const broken = (await erpBurst(25, 600_000))
        .replaceAll(/<DateInvoiceJ_ID140>[^<]+/g, "<DateInvoiceJ_ID140>")
        .replace(/<KeyCompany_ID137>[^<]+/, "<KeyCompany_ID137>");
      const causes = await causesOf(await run(broken, "BURST"), "fr");
      assertEquals(causes.map((it: { field: string; count: number }) => [it.field, it.count]), [
        ["DateInvoiceJ_ID140", 24],
        [null, 1], // an invoice without a key has its message alone
      ]);
      assertMatch(causes[1].message, /KeyCompany_ID137/);
      assertEquals(causes[0].invoices.length, 20);
      assertMatch(causes[0].message, /^L'élément DateInvoiceJ_ID140 manque/);
    },
  );
  await t.step("a run without failures has none, and an unknown run is 404", async () => {
    assertEquals(await causesOf(await run(await erpBurst(1), "UBL_VALIDATE"), "en"), []);
    assertEquals((await product.get(`/api/runs/${crypto.randomUUID()}/causes`)).status, 404);
  });
});
