import { assertEquals, assertMatch } from "@std/assert";
import { invoices } from "#drizzle/schema/mod.ts";
import { sumInvoices } from "#src/gateway/invoices/total_views.ts";
import { startProduct } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";
import { issue, readTold, type Stage, stage } from "./support.ts";

interface Action {
  readonly action: string;
  readonly ids: readonly string[];
  readonly totals: readonly { readonly currency: string; readonly amount: string }[];
  readonly leftOut: readonly { readonly reason: string; readonly ids: readonly string[] }[];
}
interface Result {
  readonly id: string;
  readonly success: boolean;
  readonly uuid: string | null;
  readonly error: string | null;
}

const EN = { "x-service-lang": "en" };

async function preview({ product }: Stage, ids: readonly string[]): Promise<Map<string, Action>> {
  const { status, body } = await product.post("/api/invoices/bulk-preview", { ids });
  assertEquals(status, 200, JSON.stringify(body));
  return new Map(body.actions.map((it: Action) => [it.action, it]));
}

Deno.test("bulk actions: a preview, a result for each invoice, and no second effect", async (t) => {
  await using world = await stage();
  const { product } = world;
  const [one = "", two = ""] = await issue(world, 2, 450_000);
  for (const id of [one, two]) await readTold(world, id, ["10"]);
  const missing = "999999-RI-00001";
  const collect = (ids: readonly string[], headers = {}) =>
    product.post(
      "/api/invoices/bulk-status",
      { ids, name: "PAYMENT_RECEIVED" },
      { ...EN, ...headers },
    );
  const readMessages = async (id: string) =>
    (await product.get(`/api/invoices/${id}/status-messages`)).body.messages;

  await t.step("the preview names the invoices, their sum, and why others stay out", async () => {
    const actions = await preview(world, [one, two, two, missing]);
    const { body: { invoice } } = await product.get(`/api/invoices/${one}`);
    const { body: { invoice: other } } = await product.get(`/api/invoices/${two}`);
    assertEquals(other.invoiceType, "381");
    const collected = actions.get("collect");
    assertEquals(collected?.ids, [one]);
    assertEquals(
      collected?.totals.map((it) => [it.currency, Number(it.amount)]),
      [["EUR", invoice.amountDue]],
    );
    assertEquals(collected?.leftOut, [
      { reason: "credit-note", ids: [two] },
      { reason: "missing", ids: [missing] },
    ]);
    assertEquals(actions.get("approve")?.leftOut[0], { reason: "direction", ids: [one, two] });
    assertEquals(actions.get("resend")?.leftOut[0], { reason: "held", ids: [one, two] });
    const { body } = await product.post("/api/invoices/bulk-preview", { ids: [one, two, missing] });
    assertEquals(
      body.invoices.toSorted((a: { id: string }, b: { id: string }) => a.id < b.id ? -1 : 1),
      [{ id: one, ublNumber: "RI-450000" }, { id: two, ublNumber: "RM-450001" }],
    );
  });
  await t.step("a rejected, inadmissible or refused sale is not sent again unchanged", async () => {
    const [three = ""] = await issue(world, 1, 451_000);
    const resendOf = async (code: string, reason = "x") => {
      const told = { target: "db", code, reason };
      const { status } = await product.post(`/api/invoices/${three}/status`, told);
      assertEquals(status, 200);
      return (await preview(world, [three])).get("resend");
    };
    for (const code of ["213", "501", "210"]) {
      const { ids, leftOut } = await resendOf(code) ?? {};
      assertEquals([ids, leftOut], [[], [{ reason: "status", ids: [three] }]], code);
    }
    assertEquals((await resendOf("9904"))?.ids, [three]);
    assertEquals((await resendOf("9904", "DOUBLON"))?.leftOut, [{ reason: "held", ids: [three] }]);
  });
  await t.step("the day of payment is not before the invoice", async () => {
    const { body } = await product.post("/api/invoices/bulk-status", {
      ids: [one],
      name: "PAYMENT_RECEIVED",
      statusAt: "2000-01-01T12:00:00",
    }, EN);
    assertMatch(body.results[0].error, /before the invoice/);
  });
  await t.step("a double click collects once, and a missing invoice stops no other", async () => {
    const twice = await Promise.all(
      [1, 2].map(() => collect([one, missing], { "idempotency-key": "twice" })),
    );
    const [first, second] = twice.toSorted((a, b) => a.status - b.status);
    assertEquals(first?.status, 200, JSON.stringify(first?.body));
    assertEquals([200, 409].includes(second?.status ?? 0), true);
    const results: Result[] = first?.body.results;
    assertEquals(results.map((it) => [it.id, it.success]), [[one, true], [missing, false]]);
    assertMatch(results[1]?.error ?? "", /999999-RI-00001 does not exist/);
    assertEquals((await readMessages(one)).length, 1);
  });
  await t.step("the whole amount is reported, and nothing after it", async () => {
    await until(async () => (await readMessages(one))[0]?.state === "taken", "the PA to take it");
    const { body: { results } } = await collect([one]);
    assertMatch(results[0].error, /Nothing is left to collect/);
    assertEquals((await readMessages(one)).length, 1);
    const collected = (await preview(world, [one, two])).get("collect");
    assertEquals(collected?.ids, []);
    assertEquals(collected?.leftOut[0], { reason: "settled", ids: [one] });
  });
  await t.step("the details name both parties with address and SIREN", async () => {
    const { body } = await product.get(`/api/invoices/${one}/details`);
    assertMatch(body.seller.siren, /^\d{9}$/);
    assertMatch(body.buyer.siren, /^\d{9}$/);
    assertMatch(body.buyer.address.join(), /,\d{5} \S/);
    assertMatch(body.references.order + body.seller.name, /\S/);
  });
  await t.step("a held invoice is not sent again, and a sale is not approved", async () => {
    const resent = await product.post("/api/invoices/bulk-resend", { ids: [two] }, EN);
    assertMatch(resent.body.results[0].error, /The PA holds invoice/);
    const approved = await product.post(
      "/api/invoices/bulk-status",
      { ids: [two], name: "APPROVED" },
      EN,
    );
    assertEquals(approved.body.results[0].success, false);
  });
  await t.step("more than 100 invoices, none, or a wrong key are refused", async () => {
    const many = Array.from({ length: 101 }, (_, at) => `${at}-RI-00001`);
    assertEquals((await collect(many)).status, 400);
    assertEquals((await collect([])).status, 400);
    assertEquals((await collect(["x"])).status, 400);
  });
});

Deno.test("sums of a list: by currency, credit notes negative, capped, and filtered", async () => {
  await using product = await startProduct();
  const { db } = product.deps;
  const row = (doc: string, totalTTC: string, more = {}) => ({
    doc,
    dct: "RI",
    kco: "00001",
    direction: "issued" as const,
    ublNumber: doc,
    issueDate: "2026-10-05",
    invoiceType: "380",
    currency: "EUR",
    totalTTC,
    status: "10",
    generation: 1,
    ...more,
  });
  await db.insert(invoices).values([
    row("1", "100.10"),
    row("2", "200.20"),
    row("3", "50.05", { invoiceType: "381" }),
    row("4", "-20.00", { invoiceType: "381" }),
    row("5", "10.00", { currency: "USD", status: "210" }),
  ]);
  const { body } = await product.get("/api/invoices/totals");
  assertEquals(body, {
    totals: [
      { currency: "EUR", count: 4, totalTTC: "230.25" },
      { currency: "USD", count: 1, totalTTC: "10" },
    ],
    isCapped: false,
  });
  const filtered = await product.get("/api/invoices/totals?status=210");
  assertEquals(filtered.body.totals, [{ currency: "USD", count: 1, totalTTC: "10" }]);
  assertEquals((await product.get("/api/invoices/totals?status=213")).body.totals, []);
  await db.insert(invoices).values([
    row("6", "100.00", { currency: "GBP", status: "212", settledAmount: "40.00" }),
    row("7", "5.00", { currency: "GBP", status: "10" }),
    row("8", "7.00", { currency: "GBP", status: "212" }),
  ]);
  const open = await product.get("/api/invoices/totals?open=true&currency=GBP");
  assertEquals(open.body.totals, [
    { currency: "GBP", count: 2, totalTTC: "105", openAmount: "65" },
  ]);
  const paid = await product.get("/api/invoices/totals?status=212&currency=GBP");
  assertEquals(paid.body.totals, [
    { currency: "GBP", count: 2, totalTTC: "107", openAmount: "60" },
  ]);
  const { invoices: listed } = (await product.get("/api/invoices?currency=GBP&status=212")).body;
  const part = listed.find((it: { ublNumber: string }) => it.ublNumber === "6");
  assertEquals([part.settledAmount, part.openAmount], [40, 60]);
  const capped = await sumInvoices(db, { currency: "EUR" }, 3);
  assertEquals(capped.isCapped, true);
  assertEquals((await sumInvoices(db, { currency: "EUR" }, 4)).isCapped, false);
});
