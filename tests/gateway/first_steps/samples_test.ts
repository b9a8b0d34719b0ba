import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { invoiceDocuments, invoices, lifecycleEvents } from "#drizzle/schema/mod.ts";
import { loadSamples } from "#src/gateway/first_steps/load_samples.ts";
import { validateDocument } from "#src/gateway/validation/mod.ts";
import { startProduct, type TestProduct } from "#tests/support/product.ts";
import { ublInvoice } from "#tests/support/ubl_invoice.ts";
import { eq, lt } from "drizzle-orm";

const PATH = "/api/setup/samples";
const readSamples = async (product: TestProduct) =>
  (await product.get("/api/setup/checklist")).body.samples;

interface Listed {
  readonly fedoc: string;
  readonly fedct: string;
  readonly kco: string;
  readonly status: string;
  readonly direction: string;
  readonly treatment: string;
}

const list = async (product: TestProduct): Promise<readonly Listed[]> =>
  (await product.get("/api/invoices?pageSize=100")).body.invoices;
const idOf = ({ fedoc, fedct, kco }: Listed) => `${fedoc}-${fedct}-${kco}`;
const flowsAtPa = async ({ sandbox }: TestProduct): Promise<readonly unknown[]> =>
  (await (await fetch(`${sandbox.url}/sandbox/flows`)).json()).flows;

async function recordReal(product: TestProduct, number: string): Promise<void> {
  const file = await product.write(`${number}.xml`, ublInvoice({ number }));
  const answer = await product.post("/api/run", { template: "R42565", file, mode: "UBL" });
  assertEquals(answer.status, 200, JSON.stringify(answer.body));
}

Deno.test("sample data: loaded once, in all states, valid, and never sent", async (t) => {
  await using product = await startProduct();
  const { deps } = product;

  await t.step("a load that breaks off leaves nothing", async () => {
    let calls = 0;
    const live = Object.create(deps.live, {
      publishAll: {
        value: (...given: Parameters<typeof deps.live.publishAll>) => {
          calls++;
          if (calls === 4) throw new Error("broken off");
          return deps.live.publishAll(...given);
        },
      },
    });
    await assertRejects(() => loadSamples({ ...deps, live }), Error, "broken off");
    assertEquals(await readSamples(product), { invoices: 0, mayLoad: true });
  });

  await t.step("two simultaneous calls load it once", async () => {
    const answers = await Promise.all([product.post(PATH, {}), product.post(PATH, {})]);
    assertEquals(answers.map((it) => [it.status, it.body.invoices]), [[200, 40], [200, 40]]);
    assertEquals(await readSamples(product), { invoices: 40, mayLoad: false });
    assertEquals((await list(product)).length, 40);
  });

  await t.step("its invoices are in all states", async () => {
    const all = await list(product);
    const sales = all.filter((it) => it.direction === "issued");
    assertEquals(
      [...new Set(sales.map((it) => it.status))].sort(),
      ["10", "203", "204", "205", "207", "209", "210", "212", "213", "9901", "9907"],
    );
    const bought = all.filter((it) => it.direction === "received");
    assertEquals([...new Set(bought.map((it) => it.status))].sort(), [
      "202",
      "203",
      "204",
      "205",
      "207",
      "210",
      "211",
    ]);
    const treatments = new Set(sales.map((it) => it.treatment));
    assertEquals([...treatments].sort(), ["B2B", "B2BINT", "B2C", "UNDECIDED"]);
  });

  await t.step("a credit note refunds less than its original invoice", async () => {
    const texts = new Map(
      (await deps.db.select({ number: invoices.doc, text: invoiceDocuments.content })
        .from(invoiceDocuments).innerJoin(invoices, eq(invoices.id, invoiceDocuments.invoiceId)))
        .map(({ number, text }) => [number, text]),
    );
    const credit = [...texts.values()].find((it) => it.includes("<CreditNote")) ?? "";
    const [, original = ""] = /<cac:BillingReference>.*?<cbc:ID>([^<]+)/.exec(credit) ?? [];
    const read = (text = "") => Number(/<cbc:PayableAmount[^>]*>([^<]+)/.exec(text)?.[1]);
    assert(read(credit) < read(texts.get(original)), original);
  });

  await t.step("its numbers follow the dates, which span two months", async () => {
    const sales = await deps.db.select({ date: invoices.issueDate }).from(invoices)
      .where(eq(invoices.direction, "issued")).orderBy(invoices.doc);
    const days = sales.map((it) => it.date ?? "");
    assertEquals(days, days.toSorted());
    assertEquals((Date.parse(days.at(-1) ?? "") - Date.parse(days[0] ?? "")) / 86_400_000, 58);
  });

  await t.step("the PA accepted all deposits but the rejected one at once", async () => {
    const [from, to] = [-60, 0].map((days) =>
      new Date(deps.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
    );
    const { body } = await product.get(`/api/finance/overview?from=${from}&to=${to}`);
    const { accepted, submitted } = body.acceptance;
    assertEquals([accepted, submitted], [29, 30]);
  });

  await t.step("no status is older than the import of its invoice", async () => {
    const older = await deps.db.select({ doc: invoices.doc }).from(lifecycleEvents)
      .innerJoin(invoices, eq(invoices.id, lifecycleEvents.invoiceId))
      .where(lt(lifecycleEvents.occurredAt, invoices.createdAt));
    assertEquals(older, []);
  });

  await t.step("the rules accept all of them but the one with a wrong sum", async () => {
    const documents = await deps.db.select({
      doc: invoices.doc,
      status: invoices.status,
      text: invoiceDocuments.content,
    }).from(invoiceDocuments).innerJoin(invoices, eq(invoices.id, invoiceDocuments.invoiceId));
    assertEquals(documents.length, 40);
    for (const { doc, status, text } of documents) {
      const { findings } = await validateDocument(deps, text);
      const fatal = findings.filter((it) => it.level === "FATAL").map((it) => it.rule);
      if (status === "9907") assert(fatal.includes("BR-CO-16"), doc);
      else assertEquals(fatal, [], doc);
    }
  });

  await t.step("a resend is refused, and an answer stays in the product", async () => {
    const all = await list(product);
    const find = (isWanted: (it: Listed) => boolean) => {
      const found = all.find(isWanted);
      if (!found) throw new Error("No such sample");
      return idOf(found);
    };
    const sale = find((it) => it.status === "10" && it.direction === "issued");
    const purchase = find((it) => it.status === "202");
    const undecided = find((it) => it.treatment === "UNDECIDED");
    const resent = await product.post(`/api/invoices/${sale}/resend`, {
      force: true,
      reason: "Again",
    });
    assertEquals(resent.status, 422);
    assertMatch(resent.body.error, /sample data: it is never sent/);
    assertEquals((await product.get(`/api/invoices/${sale}/actions`)).body.resend, false);
    const answered = await product.post(`/api/invoices/${purchase}/status`, {
      target: "pa",
      name: "APPROVED",
    });
    assertEquals(answered.status, 200, JSON.stringify(answered.body));
    const shown = (await product.get(`/api/invoices/${purchase}`)).body.invoice;
    assertEquals(shown.status, "205");
    const chosen = await product.post(`/api/invoices/${undecided}/treatment`, {
      treatment: "B2B",
    });
    assertEquals(chosen.status, 200, JSON.stringify(chosen.body));
    assertEquals((await product.get("/api/submissions?state=all")).body.submissions ?? [], []);
    assertEquals(await flowsAtPa(product), []);
  });

  await t.step("payments count those that the sample states", async () => {
    const [part] = (await product.get("/api/invoices?status=212&pageSize=100")).body.invoices
      .filter((it: { openAmount: number }) => it.openAmount > 0);
    const take = (amount: string) =>
      product.post(`/api/invoices/${idOf(part)}/status`, {
        target: "pa",
        name: "PAYMENT_RECEIVED",
        data: { amounts: [{ rate: "20", amount }] },
      });
    assertEquals((await take(String(part.totalTTC))).status, 422);
    assertEquals((await take(String(-part.settledAmount - 1))).status, 422);
    assertEquals((await take("-1")).status, 200);
    const bulk = { ids: [idOf(part)], name: "PAYMENT_RECEIVED" };
    assertEquals((await product.post("/api/invoices/bulk-status", bulk)).status, 200);
    const { settledAmount } = (await product.get(`/api/invoices/${idOf(part)}`)).body.invoice;
    assertEquals(settledAmount, part.totalTTC);
  });

  await t.step("no document of the ERP takes the company code of sample data", async () => {
    await assertRejects(
      () =>
        deps.db.transaction(async (tx) => {
          const { recordInvoice } = await import("#src/gateway/invoices/mod.ts");
          const key = { doc: "1", dct: "RI", kco: "EXEMPLE" };
          await recordInvoice(deps, tx, { key, direction: "issued", findings: [] });
        }),
      Error,
      "reserved for sample data",
    );
  });

  await t.step(
    "removing leaves the invoices recorded meanwhile, and loading is refused",
    async () => {
      await recordReal(product, "REAL-1");
      assertEquals((await product.get("/api/home")).body.withSamples, true);
      assertEquals((await product.send("DELETE", PATH)).body, { invoices: 40 });
      assertEquals((await list(product)).length, 1);
      assertEquals((await product.get("/api/home")).body.withSamples, false);
      assertEquals((await product.send("DELETE", PATH)).body, { invoices: 0 });
      const refused = await product.post(PATH, {});
      assertEquals(refused.status, 409);
      assertMatch(refused.body.error, /has invoices already/);
      assertEquals(await readSamples(product), { invoices: 0, mayLoad: false });
    },
  );

  await t.step("the audit names both", async () => {
    const { body } = await product.get("/admin/audit?event=samples.removed");
    assertEquals(body.entries[0].after, { invoices: 0 });
    assertEquals((await product.get("/admin/audit?event=samples.loaded")).body.entries.length, 2);
  });
});
