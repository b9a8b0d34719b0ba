import { assert, assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readInvoice, summarizeInvoice, toLineRows, toVatRows } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { GOLDEN, startProduct, type TestProduct } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";

const BURST = join(GOLDEN, "erp", "R42565-burst-12.xml");
const SINGLE = join(GOLDEN, "erp", "R42565-single.xml");

Deno.test("a burst of twelve ends with twelve invoices deposited, their figures equal to the samples", async (t) => {
  await using product = await startProduct();
  const file = await product.place(BURST);
  const run = await product.post("/api/run", {
    template: "R42565",
    file,
    mode: "BURST",
    jobNumber: "4711",
  });
  assertEquals([run.status, run.body.success, run.body.error], [200, true, undefined]);

  await t.step("the run reports the outcome of each invoice", async () => {
    const { body } = await product.get(`/api/runs/${run.body.runId}`);
    assertEquals([body.state, body.total, body.counts], ["finished", 12, { submitted: 12 }]);
    assertEquals(body.invoices[0].id, "100000-RI-00001");
    const sent = body.logs.filter((it: { submodule: string }) => it.submodule === "submitted");
    assertEquals(sent.length, 12);
    for (const { message } of sent) {
      assertMatch(message, /^10\d{4}-R[IM]-00001: The PA has it as flow [\w-]+$/);
    }
  });

  await t.step("importing from the PA moves them from pending to deposited", async () => {
    await until(async () => {
      const answer = await product.post("/api/import", {});
      assertEquals(answer.body.success, true);
      return (await product.get("/api/invoices?status=10")).body.total === 12;
    }, "twelve deposited invoices");
    const { body } = await product.get("/api/invoices/100003-RI-00001/lifecycle");
    const codes = body.events.map((it: { statusCode: string }) => it.statusCode);
    assertEquals(codes.slice(0, 4), ["9900", "9901", "9906", "10"]);
    assertEquals(
      body.events.map((it: { sequence: number }) => it.sequence),
      codes.map((_: string, at: number) => at + 1),
    );
  });

  for (const id of ["100001-RM-00001", "100004-RI-00001", "100007-RI-00001"]) {
    await t.step(`${id} is stored as the sample says`, () => compare(product, id));
  }

  await t.step(
    "the same file again is skipped invoice by invoice, in replace mode as well",
    async () => {
      const again = await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
      assertEquals(again.body.success, true);
      const { counts } = (await product.get(`/api/runs/${again.body.runId}`)).body;
      assertEquals(counts, { unchanged: 12 });
      const replaced = await product.post("/api/run", {
        template: "R42565",
        file,
        mode: "BURST",
        replaceMode: true,
      });
      assertEquals(replaced.body.error, undefined);
      assertEquals((await product.get("/api/invoices")).body.total, 12);
    },
  );
});

async function compare(product: TestProduct, id: string): Promise<void> {
  const expected = readInvoice(parseXml(await readFile(join(GOLDEN, "ubl", `${id}.xml`))));
  const summary = summarizeInvoice(expected);
  const { body } = await product.get(`/api/invoices?ublNumber=${summary.ublNumber}`);
  const { totalHT, totalTTC, amountDue, customerName, issueDate, invoiceType } = body.invoices[0];
  assertEquals(
    { totalHT, totalTTC, amountDue, customerName, issueDate, invoiceType },
    {
      totalHT: Number(summary.totalHT),
      totalTTC: Number(summary.totalTTC),
      amountDue: Number(summary.amountDue),
      customerName: summary.customerName,
      issueDate: summary.issueDate,
      invoiceType: summary.invoiceType,
    },
  );
  const lines = (await product.get(`/api/invoices/${id}/lines`)).body.lines as {
    lineAmount: number;
    quantity: number;
  }[];
  assertEquals(
    lines.map((it) => [it.quantity, it.lineAmount]),
    toLineRows(expected).map((it) => [Number(it.quantity), Number(it.lineAmount)]),
  );
  const vat = (await product.get(`/api/invoices/${id}/vat`)).body.vat as { taxAmount: number }[];
  assertEquals(
    vat.map((it) => it.taxAmount),
    toVatRows(expected).map((it) => Number(it.taxAmount)),
  );
}

Deno.test("every mode, and its result with an unsuitable file", async (t) => {
  await using product = await startProduct();
  const single = await product.place(SINGLE);
  const burst = await product.place(BURST);
  const ubl = await product.place(join(GOLDEN, "ubl", "100002-RI-00001.xml"));
  const run = (body: Record<string, unknown>) =>
    product.post("/api/run", { template: "R42565", ...body });
  const total = async () => (await product.get("/api/invoices")).body.total;

  await t.step("UBL_VALIDATE checks an ERP file and stores nothing", async () => {
    const answer = await run({ file: burst, mode: "UBL_VALIDATE" });
    assertEquals([answer.status, answer.body.success, await total()], [200, true, 0]);
  });
  await t.step("UBL_VALIDATE checks a UBL file as it is", async () => {
    const answer = await run({ file: ubl, mode: "UBL_VALIDATE" });
    assertEquals([answer.body.success, await total()], [true, 0]);
  });
  await t.step("/api/validate answers findings as log entries", async () => {
    const answer = await product.post("/api/validate", { file: ubl, sourceType: "ubl" });
    assertEquals([answer.status, answer.body.success], [200, true]);
    assertMatch(
      answer.body.logs.at(-1).message,
      /^100002-RI-\d{5}: valid/,
      "named once",
    );
    const without = await product.post("/api/validate", { file: single, sourceType: "xml" });
    assertEquals(without.status, 400);
    assertMatch(without.body.error, /needs a template/);
  });
  await t.step("SINGLE takes one invoice", async () => {
    const answer = await run({ file: single, mode: "SINGLE" });
    assertEquals([answer.body.success, await total()], [true, 1]);
  });
  await t.step(
    "SINGLE says where the second invoice of a burst begins, and sends only the first",
    async () => {
      const answer = await run({ file: burst, mode: "SINGLE", replaceMode: true });
      assertEquals(answer.body.success, false);
      assertMatch(answer.body.error, /SINGLE takes one invoice.*BURST/);
    },
  );
  await t.step("UBL accepts a file that is already UBL", async () => {
    const answer = await run({ file: ubl, mode: "UBL" });
    assertEquals([answer.body.success, await total()], [true, 2]);
    assertEquals((await product.get("/api/invoices/100002-RI-00001/lines")).status, 200);
  });
  await t.step("BOTH stores the readable PDF next to the UBL", async () => {
    await product.send("PUT", "/api/templates/R42565", {
      name: "R42565",
      type: "document",
      properties: { transform: "%APP_HOME%/R42565.xsl", outputDir: "out" },
    });
    const answer = await run({ file: single, mode: "BOTH", replaceMode: true });
    assertEquals(answer.body.error, undefined);
    const pdf = await readFile(join(product.dataDir, "out", "100000-RI-00001.pdf"));
    assertEquals(pdf.subarray(0, 5).toString(), "%PDF-");
    assertMatch(
      await readFile(join(product.dataDir, "out", "100000-RI-00001.xml"), "utf8"),
      /<cbc:ID>RI-100000</,
    );
  });
  await t.step("Prefer: respond-async answers at once, and the run can be followed", async () => {
    const answer = await product.post(
      "/api/run",
      { template: "R42565", file: burst, mode: "BURST", replaceMode: true },
      { prefer: "respond-async" },
    );
    assertEquals(answer.status, 202);
    assertEquals(answer.headers.get("location"), `/api/runs/${answer.body.runId}`);
    await until(
      async () => (await product.get(`/api/runs/${answer.body.runId}`)).body.state === "finished",
      "the run",
    );
  });
});

Deno.test("one bad invoice of a burst stops and taints no other", async () => {
  await using product = await startProduct();
  const good = await readFile(BURST, "utf8");
  const bad = good
    .replace(
      "<AmountGross_ID501>22,20</AmountGross_ID501>",
      "<AmountGross_ID501>99,99</AmountGross_ID501>",
    )
    .replace("<DateInvoiceJ_ID140>126282<", "<DateInvoiceJ_ID140>yesterday<");
  assert(bad !== good);
  const file = await product.write("bad.xml", bad);
  const run = await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  assertEquals(run.body.success, false);
  const { body } = await product.get(`/api/runs/${run.body.runId}`);
  assertEquals(body.counts, { submitted: 10, rejected: 2 });

  const byId = (id: string) => body.invoices.find((it: { id: string }) => it.id === id);
  const rejected = byId("100002-RI-00001");
  assertEquals([rejected.state, rejected.status], ["rejected", "9907"]);
  const findings = (await product.get("/api/invoices/100002-RI-00001/errors")).body.errors;
  const wrong = findings.find((it: { rule: string }) => it.rule === "BR-CO-15");
  assertEquals(wrong.level, "FATAL");
  assertEquals(wrong.sourceField, "Invoice_Total_S40/AmountGross_ID501");
  assertEquals(textAt(bad, wrong, 25), "<AmountGross_ID501>99,99<", "its place in the ERP's file");
  const logged = body.logs.find((it: { submodule: string }) => it.submodule === "BR-CO-15");
  assertMatch(
    logged.message,
    /^100002-RI-00001: .*\(field \w+\/\w+_ID\d+, line \d+, column \d+\)$/,
  );
  assertMatch(body.error, /^Of 12 invoices 2 rejected: /);
  assertMatch(body.error, /: (\d+-R[IM]-00001, )?100002-RI-00001/);

  const failed = body.invoices.find((it: { state: string; id: string }) =>
    it.state === "rejected" && it.id !== rejected.id
  );
  assertEquals(failed.status, "9907", "its outcome is its status");
  assertMatch(failed.message, /DateInvoiceJ_ID140|yesterday/);
  const all = (await product.get("/api/integration-errors?level=FATAL")).body.errors as {
    rule: string;
  }[];
  assert(
    all.some((it) => it.rule.startsWith("TRF-")),
    "the failed transform is among the integration errors",
  );
});

Deno.test("findings of an ERP file lie where the file has their fields: of totals, of one of several lines, of all of them", async () => {
  await using product = await startProduct();
  const whole = await readFile(BURST, "utf8");
  const from = whole.indexOf("<Invoice_Header_S11><DocumentOrderInvoiceE_ID135>100000<");
  const to = whole.indexOf("</Invoice_Header_S11>", from);
  const invoice = whole.slice(from, to);
  const units = [...invoice.matchAll(/<UnitOfMeasure_ID306>\w+</g)];
  assert(units.length > 1, "an invoice of several lines");
  const { index, 0: unit } = units[1] as RegExpMatchArray;
  const faulty = (invoice.slice(0, index) + "<UnitOfMeasure_ID306>ODD<" +
    invoice.slice((index ?? 0) + unit.length))
    .replace(/<AmtTax_ID503>[^<]*</, "<AmtTax_ID503>0,01<")
    .replace(/<VatNumber_ID22>[^<]*<\/VatNumber_ID22>/, "");
  const text = whole.slice(0, from) + "\r\n\n  " + faulty + whole.slice(to);
  const file = await product.write("places.xml", text);
  const run = await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  assertEquals(run.body.success, false);
  const { errors } = (await product.get("/api/invoices/100000-RI-00001/errors?pageSize=100")).body;
  const at = (rule: string) => {
    const one = errors.find((it: { rule: string }) => it.rule === rule);
    assert(
      one,
      `${rule} among ${
        errors.map((it: { rule: string; message: string }) => it.rule + it.message)
      }`,
    );
    return [one.sourceField, textAt(text, one, 26)];
  };
  const tax = ["Invoice_Total_S40/AmtTax_ID503", "<AmtTax_ID503>0,01</AmtTax"];
  assertEquals(at("BR-CO-14"), tax);
  assertEquals(at("BR-CL-23"), [
    "Invoice_Detail_S20[2]/UnitOfMeasure_ID306",
    "<UnitOfMeasure_ID306>ODD</",
  ]);
  assertEquals(at("BR-S-02"), [
    "Invoice_Detail_S20/TaxCategory_ID310",
    "<TaxCategory_ID310>S</TaxC",
  ]);
});

/** Returns the file's text at the line and column of a finding. */
function textAt(text: string, { line, column }: { line: number; column: number }, length: number) {
  return (text.split("\n")[line - 1] ?? "").slice(column - 1, column - 1 + length);
}

Deno.test("a truncated burst keeps every complete invoice, and reports the position of the break", async () => {
  await using product = await startProduct();
  const whole = await readFile(BURST, "utf8");
  const cut = whole.slice(0, whole.indexOf("100005</DocumentOrderInvoiceE_ID135>") + 200);
  const file = await product.write("cut.xml", cut);
  const run = await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
  assertEquals(run.body.success, false);
  assertMatch(run.body.error, /line \d+, column \d+/);
  const { body } = await product.get(`/api/runs/${run.body.runId}`);
  assertEquals([body.total, body.counts.submitted], [5, 5]);
  const found = (await product.get("/api/integration-errors?search=XML-")).body.errors;
  assertEquals([found.length, found[0].line > 0], [1, true]);
});

Deno.test("hostile and unreadable files end in a clear answer, and the product goes on", async (t) => {
  await using product = await startProduct();
  const cases: [name: string, content: string | Uint8Array, says: RegExp][] = [
    [
      "doctype.xml",
      `<!DOCTYPE a [<!ENTITY x "y">]><R42565><Invoice_Header_S11>&x;</Invoice_Header_S11></R42565>`,
      /DOCTYPE/i,
    ],
    ["empty_report.xml", "<R42565><Properties/></R42565>", /invoice/i],
    ["order.xml", "<Order/>", /^This file has no invoice for the template R42565\. Check/],
    [
      "ubl.xml",
      "<a:Invoice xmlns:a='u'/>",
      /^This file is an invoice in UBL .* already: validate and send it” \(UBL\)/,
    ],
    ["text.xml", "this is no XML", /line 1/],
    ["utf16.xml", new Uint8Array([0xff, 0xfe, 0x3c, 0, 0x61, 0]), /ends inside markup \(line 1/],
    [
      "bad_utf8.xml",
      new Uint8Array([...new TextEncoder().encode("<a><b>"), 0xc3, 0x28]),
      /UTF-8|encod/i,
    ],
  ];
  for (const [name, content, says] of cases) {
    await t.step(name, async () => {
      const file = await product.write(name, content);
      const run = await product.post("/api/run", { template: "R42565", file, mode: "BURST" });
      assertEquals([run.status, run.body.success], [200, false]);
      assertMatch(run.body.error, says);
    });
  }
  await t.step("and as UBL", async () => {
    for (const [name] of cases) {
      const run = await product.post("/api/run", { template: "R42565", file: name, mode: "UBL" });
      assertEquals([run.status, run.body.success], [200, false], name);
    }
    assertEquals((await product.get("/api/readyz")).body.ok, true);
  });
});

Deno.test("a rule that could not be evaluated is distinguished from one that failed, in the invoice and in the list", async () => {
  await using product = await startProduct();
  const good = await readFile(join(GOLDEN, "ubl", "100000-RI-00001.xml"), "utf8");
  const rate = "<cbc:Percent>20</cbc:Percent>";
  const file = await product.write("100000-RI-00001.xml", good.replaceAll(rate, rate + rate));
  await product.post("/api/run", { template: "R42565", file, mode: "UBL" });
  type Finding = { rule: string; messageEn: string; evaluated: boolean };
  for (const path of ["invoices/100000-RI-00001/errors", "integration-errors?pageSize=100"]) {
    const findings: Finding[] = (await product.get(`/api/${path}`)).body.errors;
    const unevaluated = findings.filter((it) => !it.evaluated);
    const failed = findings.filter((it) => it.evaluated);
    assert(unevaluated.length > 0 && failed.length > 0, path);
    assert(unevaluated.every(({ messageEn }) => messageEn.includes("could not be evaluated")));
    assert(!failed.some(({ messageEn }) => messageEn.includes("could not be evaluated")));
  }
});

Deno.test("invalid requests are refused with the wrong value", async (t) => {
  await using product = await startProduct();
  const file = await product.place(SINGLE);
  await product.write("empty.xml", "");
  const cases: [body: unknown, status: number, says: RegExp][] = [
    [{ template: "NOPE", file, mode: "BURST" }, 404, /Template NOPE does not exist/],
    [{ template: "global", file, mode: "BURST" }, 422, /global is of type system/],
    [{ template: "R42565", file: "/etc/passwd" }, 403, /\/etc\/passwd/],
    [{ template: "R42565", file: "../outside.xml" }, 403, /outside\.xml/],
    [{ template: "R42565", file: ".passerelle/db/PG_VERSION" }, 403, /passerelle/],
    [{ template: "R42565", file: "missing.xml" }, 404, /missing\.xml/],
    [{ template: "R42565", file: "empty.xml" }, 422, /empty\.xml is empty/],
    [{ template: "R42565", file, mode: "SOMEHOW" }, 400, /mode/],
    [{ template: "R42565", file, surplus: 1 }, 400, /surplus/],
    [{ file }, 400, /template/],
  ];
  for (const [body, status, says] of cases) {
    await t.step(JSON.stringify(body), async () => {
      const answer = await product.post("/api/run", body);
      assertEquals([answer.status, answer.body.success], [status, false]);
      assertMatch(answer.body.error, says);
    });
  }
});

Deno.test("an invalid document replaces no sent document", async () => {
  await using product = await startProduct();
  const good = await readFile(SINGLE, "utf8");
  const file = await product.place(SINGLE);
  await product.post("/api/run", { template: "R42565", file, mode: "SINGLE" });
  const bad = await product.write(
    "bad.xml",
    good.replace("7 211,99</AmountGross", "7 000,00</AmountGross"),
  );
  const run = await product.post("/api/run", {
    template: "R42565",
    file: bad,
    mode: "SINGLE",
    replaceMode: true,
  });
  assertEquals(run.body.success, false);
  const { body } = await product.get("/api/invoices?ublNumber=RI-100000");
  assertEquals(body.invoices[0].status, "9906");
  const sendings = await product.deps.db.query.submissions.findMany();
  assertEquals(sendings.map((it) => it.state), ["accepted"]);
});
