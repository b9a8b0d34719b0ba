import { assertEquals, assertLess } from "@std/assert";
import { eq } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { addInvoice, type InvoiceColumns } from "#tests/support/figures.ts";
import { startProduct } from "#tests/support/product.ts";

const DELETE = { method: "DELETE" };

type Product = Awaited<ReturnType<typeof startProduct>>;

const handle = (product: Product, id: string, points = ["status"]) =>
  product.post(`/api/invoices/${id}/attention`, { points, comment: "Credit note AV-7 issued" });

/** Returns the numbers of the listed invoices, in order. */
async function list({ product }: { product: Product }, query: string): Promise<string[]> {
  const { body } = await product.get(`/api/invoices?${query}`);
  assertEquals(body.total, body.invoices.length);
  return body.invoices.map((it: { ublNumber: string }) => it.ublNumber).sort();
}

async function readHandling(product: Product, id: string) {
  const { statusHandling } = (await product.get(`/api/invoices/${id}`)).body.invoice;
  return statusHandling && (statusHandling.isHandled ? "handled" : "open");
}

/** Returns the kinds of work of sales on Home with their counts, and the number in the navigation. */
async function readHome(product: Product): Promise<Record<string, number>> {
  const { body } = await product.get("/api/home");
  const kinds = body.waiting.map((it: { kind: string; count: number }) => [it.kind, it.count]);
  return { ...Object.fromEntries(kinds), sales: body.sales.count };
}

Deno.test("a sale whose status a person marked as handled waits again with its next status", async (t) => {
  await using product = await startProduct();
  const add = (doc: string, status: string, more: InvoiceColumns = {}) =>
    addInvoice(product.deps.db, doc, [["S", "20", 100, 20]], { status, ...more });
  await add("901", "210");
  await add("902", "210", { attention: ["content-differs"] });
  await add("903", "213");
  await add("904", "9904");
  await add("905", "9907");
  await add("906", "207");
  await add("907", "208");
  await add("908", "10");
  await add("909", "210", { direction: "received" });
  const all = ["901", "902", "903", "904", "905", "906", "907"];
  const waiting = () => list({ product }, "direction=issued&attention=waiting");

  await t.step("at first all of them wait, and only four statuses can be marked", async () => {
    assertEquals(await waiting(), all);
    const handling = await Promise.all(
      [...all, "908", "909"].map((it) => readHandling(product, `${it}-RI-00001`)),
    );
    assertEquals(handling, ["open", "open", "open", "open", "open", null, null, null, null]);
    for (const it of ["906", "907", "908", "909"]) {
      assertEquals((await handle(product, `${it}-RI-00001`)).status, 409, it);
    }
    assertEquals(await readHome(product), {
      "send-failed": 1,
      "rejected-by-rules": 1,
      "rejected-by-platform": 1,
      refused: 2,
      disputed: 1,
      suspended: 1,
      "content-differs": 1,
      sales: 7,
    });
  });
  await t.step("a marked one leaves Home and the lists of work, once", async () => {
    for (const it of ["901", "903", "904", "905"]) {
      assertEquals((await handle(product, `${it}-RI-00001`)).status, 200, it);
      assertEquals((await handle(product, `${it}-RI-00001`)).status, 409, it);
      assertEquals(await readHandling(product, `${it}-RI-00001`), "handled");
    }
    assertEquals(await readHome(product), {
      refused: 1,
      disputed: 1,
      suspended: 1,
      "content-differs": 1,
      sales: 3,
    });
    assertEquals(await waiting(), ["902", "906", "907"]);
    for (const order of ["issueDate", "dueDate", "totalTTC"]) {
      assertEquals(await list({ product }, `attention=waiting&sortBy=${order}`), [
        "902",
        "906",
        "907",
      ]);
    }
    assertEquals(await list({ product }, "direction=issued&status=210"), ["901", "902"]);
    const { invoices } = (await product.get("/api/invoices?direction=issued&status=210")).body;
    const [marked, open] = ["901", "902"].map((number) =>
      invoices.find((it: { ublNumber: string }) => it.ublNumber === number).statusHandling
    );
    assertEquals(open, { isHandled: false, at: null, by: null, comment: null });
    assertEquals([marked.by, marked.comment], ["anonymous", "Credit note AV-7 issued"]);
    assertLess(Math.abs(Date.parse(marked.at) - Date.now()), 60_000);
    const { body: { invoice } } = await product.get("/api/invoices/901-RI-00001");
    assertEquals(invoice.statusHandling, marked, "the page says what the list says");
  });
  await t.step("a mark without an author, of an earlier version, has no time", async () => {
    const own = (doc: string) =>
      product.deps.db.update(invoices).set({
        handledAt: null,
        handledBy: null,
        handledComment: null,
      })
        .where(eq(invoices.doc, doc));
    await own("903");
    const { body: { invoice } } = await product.get("/api/invoices/903-RI-00001");
    assertEquals(invoice.statusHandling, { isHandled: true, at: null, by: null, comment: null });
  });
  await t.step("another point stays open, and its sale is counted by it", async () => {
    assertEquals((await handle(product, "902-RI-00001")).status, 200);
    assertEquals(await readHome(product), {
      disputed: 1,
      suspended: 1,
      "content-differs": 1,
      sales: 3,
    });
    assertEquals(await waiting(), ["902", "906", "907"]);
    assertEquals(await list({ product }, "attention=status"), ["906", "907"]);
    assertEquals(await list({ product }, "attention=status&sortBy=dueDate"), ["906", "907"]);
    assertEquals(await list({ product }, "attention=status,content-differs"), [
      "902",
      "906",
      "907",
    ]);
    assertEquals(await list({ product }, "status=210&attention=status&direction=issued"), []);
    assertEquals(
      (await handle(product, "902-RI-00001", ["status", "content-differs"])).status,
      200,
    );
    assertEquals(await waiting(), ["906", "907"]);
  });
  await t.step("the audit trail has the status and the comment", async () => {
    const { body } = await product.get("/admin/audit?event=invoice.attention_handled");
    const entry = body.entries.find((it: { target: string }) => it.target === "901-RI-00001");
    assertEquals([entry.before, entry.after], [
      { attention: [], status: "210" },
      { points: ["status"], comment: "Credit note AV-7 issued", status: "210" },
    ]);
    const { body: { events } } = await product.get("/api/invoices/901-RI-00001/lifecycle");
    assertEquals(events, [], "the history does not change");
  });
  await t.step("a mark on the wrong sale is removed once, and the sale waits again", async () => {
    const reopen = (id: string) => product.request(`/api/invoices/${id}/attention`, DELETE);
    assertEquals((await reopen("901-RI-00001")).status, 200);
    assertEquals(await readHandling(product, "901-RI-00001"), "open");
    assertEquals(await waiting(), ["901", "906", "907"]);
    assertEquals(await readHome(product), { refused: 1, disputed: 1, suspended: 1, sales: 3 });
    assertEquals((await reopen("901-RI-00001")).status, 409, "no mark is left");
    assertEquals((await reopen("906-RI-00001")).status, 409, "a dispute has no mark");
    assertEquals((await reopen("999-RI-00001")).status, 404);
    const { body } = await product.get("/admin/audit?event=invoice.reopened");
    const { target, before, after } = body.entries.at(-1);
    assertEquals([target, before.status, before.handledBy, before.comment, after], [
      "901-RI-00001",
      "210",
      "anonymous",
      "Credit note AV-7 issued",
      { status: "210" },
    ]);
  });
  await t.step("the same status, set again later, waits again", async () => {
    const path = "/api/invoices/904-RI-00001/status";
    for (const [code, expected] of [["9901", null], ["9904", "open"]] as const) {
      const given = { target: "db", code, reason: "Sent from the platform's own screen" };
      assertEquals((await product.post(path, given)).status, 200);
      assertEquals(await readHandling(product, "904-RI-00001"), expected);
    }
    assertEquals(await list({ product }, "status=9904&attention=status"), ["904"]);
    assertEquals((await readHome(product))["send-failed"], 1);
  });
});

Deno.test("a corrected file that the checks reject again waits again", async () => {
  await using product = await startProduct();
  const report = await erpBurst(1);
  const run = async (gross: string) => {
    const text = report.replace(/(<AmountGross_ID501>)[^<]+/g, `$1${gross}`);
    const file = await product.write("report.xml", text);
    const body = { template: "R42565", file, mode: "BURST", replaceMode: true };
    assertEquals((await product.post("/api/run", body)).status, 200);
  };
  await run("1,00");
  const [listed] = (await product.get("/api/invoices?attention=status")).body.invoices;
  const id = `${listed.fedoc}-${listed.fedct}-${listed.kco}`;
  assertEquals((await handle(product, id)).status, 200);
  assertEquals(await list({ product }, "attention=status"), []);
  await run("2,00");
  assertEquals(await readHandling(product, id), "open");
  assertEquals(await list({ product }, "attention=status"), [listed.ublNumber]);
});
