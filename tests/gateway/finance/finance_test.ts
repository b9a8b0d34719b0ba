import { assertEquals } from "@std/assert";
import { computeDso, shiftDay } from "#src/domain/finance/mod.ts";
import { addInvoice as add, type InvoiceColumns } from "#tests/support/figures.ts";
import { startProduct } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";
import { issue, poll, readTold, stage } from "../submission/support.ts";

const OCTOBER = "from=2026-10-01&to=2026-10-31";

Deno.test("VAT of a month: credit notes, statuses, self-billing, currencies and treatments as computed by hand", async (t) => {
  await using product = await startProduct();
  const { db } = product.deps;
  const received = { direction: "received" as const };
  await add(db, "1", [["S", "20", 1000, 200], ["S", "5.5", 100, 5.5]]);
  await add(db, "2", [["S", "20", 300, 60]], { invoiceType: "381" });
  await add(db, "3", [["S", "20", 5000, 1000]], { status: "213" });
  await add(db, "4", [["S", "20", 400, 80]], { status: "210" });
  await add(db, "5", [["S", "20", 40, 8]], { status: "9907", invoiceType: "381" });
  await add(db, "6", [["S", "20", 500, 100]], { ...received, invoiceType: "389", status: "205" });
  const abroad = { treatment: "B2BINT" as const };
  const dollars = { currency: "USD", taxCurrency: "EUR", taxTotal: "18.40" };
  await add(db, "7", [["S", "20", 100, 20]], { ...abroad, ...dollars });
  await add(db, "8", [["S", "20", 50, 10]], { ...abroad, currency: "GBP" });
  await add(db, "9", [["S", "21", 200, 42]], { treatment: "B2CINT" });
  await add(db, "10", [["S", "20", 5000, 1000]], { treatment: "ARCHIVEONLY", invoiceType: "381" });
  await add(db, "11", [["S", "20", 10, 2]], { treatment: "B2C", vatOnReceipt: true });
  await add(db, "12", [["S", "20", -50, -10]], { invoiceType: "381" });
  await add(db, "13", [["S", "20", 700, 140]], { issueDate: "2026-09-30" });
  await add(db, "14", [["S", "10", 80, 8]], { invoiceType: "389" });
  await add(db, "15", [["S", "20", 600, 120], ["AE", "0", 300, 0]], { ...received, status: "203" });
  await add(db, "16", [["S", "20", 100, 20]], { ...received, invoiceType: "381" });
  await add(db, "17", [["S", "19", 100, 19]], { ...received, treatment: "UNDEFINED" });
  await add(db, "18", [["S", "20", 9, 1.8]], { issueDate: "2026-11-01" });
  const { body } = await product.get(`/api/finance/vat?${OCTOBER}`);

  await t.step("totals, and those of the month before", () => {
    assertEquals([body.sales.base, body.sales.vat], ["1260.00", "255.90"]);
    assertEquals([body.purchases.base, body.purchases.vat], ["880.00", "108.00"]);
    assertEquals(body.balance, "147.90");
    assertEquals(body.before, {
      from: "2026-09-01",
      to: "2026-09-30",
      collected: "140.00",
      deductible: "0.00",
      balance: "140.00",
    });
  });
  await t.step("lines by treatment, category and rate; those apart come last", () => {
    const lines = (side: "purchases" | "sales") =>
      body[side].lines.map((
        it: Record<string, unknown>,
      ) => [it["treatment"], it["isInTotal"], it["category"], it["rate"], it["base"], it["vat"]]);
    assertEquals(lines("sales"), [
      ["B2B", true, "S", "20", "1150.00", "230.00"],
      ["B2B", true, "S", "5.5", "100.00", "5.50"],
      ["B2C", true, "S", "20", "10.00", "2.00"],
      ["ARCHIVEONLY", false, "S", "20", "-5000.00", "-1000.00"],
      ["B2CINT", false, "S", "21", "200.00", "42.00"],
    ]);
    assertEquals(lines("purchases"), [
      ["B2B", true, "S", "20", "500.00", "100.00"],
      ["B2B", true, "S", "10", "80.00", "8.00"],
      ["B2B", true, "AE", "0", "300.00", "0.00"],
      ["UNDEFINED", false, "S", "19", "100.00", "19.00"],
    ]);
    assertEquals(body.sales.lines[2].vatOnReceipt, "2.00");
    assertEquals(body.sales.vatOnReceipt, "2.00");
  });
  await t.step("other currencies are apart; VAT that they state in EUR counts", () => {
    const common = { treatment: "B2BINT", isInTotal: true, invoices: 1 };
    const pounds = { currency: "GBP", base: "50.00", vat: "10.00" };
    const dollars = { currency: "USD", base: "100.00", vat: "20.00" };
    assertEquals(body.sales.foreign, [
      { ...common, ...pounds, statedInvoices: 0, statedVat: "0.00" },
      { ...common, ...dollars, statedInvoices: 1, statedVat: "18.40" },
    ]);
  });
  await t.step("the invoices that do not count are stated", () => {
    const stated = body.uncounted.map((it: Record<string, unknown>) => [
      it["role"],
      it["status"],
      it["invoices"],
      it["base"],
      it["vat"],
    ]);
    assertEquals(stated, [
      ["seller", "9907", 1, "-40.00", "-8.00"],
      ["seller", "213", 1, "5000.00", "1000.00"],
      ["seller", "210", 1, "400.00", "80.00"],
    ]);
  });
  await t.step("each month of a longer period", async () => {
    const { body: quarter } = await product.get("/api/finance/vat?from=2026-09-01&to=2026-11-30");
    const months = quarter.months.map((it: { month: string; balance: string }) => [
      it.month,
      it.balance,
    ]);
    assertEquals(months, [["2026-09", "140.00"], ["2026-10", "147.90"], ["2026-11", "1.80"]]);
    assertEquals([quarter.before.from, quarter.before.to], ["2026-06-01", "2026-08-31"]);
  });
  await t.step("the list shows the invoices of a figure", async () => {
    const numbers = async (query: string) => {
      const { body: list } = await product.get(
        `/api/invoices?dateFrom=2026-10-01&dateTo=2026-10-31&${query}&sortBy=fedoc&sortDir=asc`,
      );
      return list.invoices.map((it: { ublNumber: string }) => it.ublNumber);
    };
    const euros = "counted=true&role=seller&currency=EUR";
    assertEquals(await numbers(`${euros}&vat=S-20&treatment=B2B`), ["1", "12", "2", "6"]);
    assertEquals(await numbers(`${euros}&vat=S-5.5`), ["1"]);
    assertEquals(await numbers("role=buyer&vat=AE-0"), ["15"]);
    assertEquals(await numbers("counted=false"), ["3", "4", "5"]);
    assertEquals(await numbers("currency=USD"), ["7"]);
    assertEquals((await product.get("/api/invoices?vat=20")).status, 400);
  });
  await t.step("a period that ends before it begins, and one without invoices", async () => {
    assertEquals((await product.get("/api/finance/vat?from=2026-10-02&to=2026-10-01")).status, 400);
    const { body: empty } = await product.get("/api/finance/vat?from=2025-02-01&to=2025-02-28");
    assertEquals([empty.sales.vat, empty.months, empty.uncounted], ["0.00", [], []]);
    assertEquals(empty.before.from, "2025-01-01");
  });
});

Deno.test("aged balances, days outstanding, debtors, acceptance, deposits and answers as computed by hand", async (t) => {
  await using product = await startProduct();
  const { db } = product.deps;
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Paris" }).format(new Date());
  const issueDate = shiftDay(today, -10);
  const received = { direction: "received" as const, customerName: "Ours" };
  const put = async (doc: string, total: number, due: number | null, more: InvoiceColumns = {}) => {
    const dueDate = due === null ? null : shiftDay(today, due);
    const depositedAt = new Date(`${issueDate}T12:00:00Z`);
    const common = { issueDate, dueDate, depositedAt, customerName: "Alpha", ...more };
    await add(db, doc, [["S", "0", total, 0]], common);
  };
  await put("a", 1200, 10);
  await put("b", 100, 0, { status: "205", customerName: "Beta" });
  await put("c", 1000, -1, { status: "212", settledAmount: "400" });
  await put("d", 800, -1, { status: "212" });
  await put("e", 200, -40, { invoiceType: "381" });
  await put("f", 700, -95, { status: "213" });
  await put("g", 300, -91, {
    direction: "received",
    invoiceType: "389",
    customerName: "Gamma",
    status: "205",
  });
  await put("h", 500, -61, { ...received, status: "205" });
  await put("i", 250, -30, { ...received, status: "211", settledAmount: "100" });
  await put("j", 250, -30, { ...received, status: "211" });
  await put("k", 90, -5, { currency: "USD", depositedAt: new Date(`${today}T12:00:00Z`) });
  await put("l", 1000, -5, { status: "212", settledAmount: "1500" });
  await put("m", 0, null, { generation: 2 });
  await put("n", 60, -5, { status: "9906", depositedAt: null });
  await put("o", 70, -5, { ...received, status: "203" });
  const { body } = await product.get(`/api/finance/overview?from=${issueDate}&to=${today}`);
  const ages = ([balance]: { ages: { age: string; amount: string; invoices: number }[] }[]) =>
    Object.fromEntries(balance?.ages.map((it) => [it.age, it.amount]) ?? []);

  await t.step("receivables: partly collected and credited amounts are subtracted", () => {
    assertEquals(ages(body.receivables), {
      notDue: "1300.00",
      "1-30": "600.00",
      "31-60": "-200.00",
      "61-90": "0.00",
      over90: "300.00",
    });
    const [eur, usd] = body.receivables;
    assertEquals([eur.total, eur.overdue, eur.invoices], ["2000.00", "700.00", 5]);
    assertEquals([usd.currency, usd.total], ["USD", "90.00"]);
  });
  await t.step("payables: partly paid amounts are subtracted", () => {
    assertEquals(ages(body.payables), {
      notDue: "0.00",
      "1-30": "220.00",
      "31-60": "0.00",
      "61-90": "500.00",
      over90: "0.00",
    });
  });
  await t.step("days sales outstanding: 2000 ÷ 4200 × 90", () => {
    assertEquals([body.dso.receivables, body.dso.sales, body.dso.days], [
      "2000.00",
      "4200.00",
      42.9,
    ]);
    assertEquals([computeDso("-0.01", "4200.00"), computeDso("0.00", "4200.00")], [null, 0]);
  });
  await t.step("debtors, the largest first", () => {
    const debtors = body.debtors.map((it: Record<string, unknown>) => [
      it["name"],
      it["amount"],
      it["oldestDue"],
    ]);
    assertEquals(debtors, [
      ["Alpha", "1600.00", shiftDay(today, -1)],
      ["Gamma", "300.00", shiftDay(today, -91)],
      ["Beta", "100.00", today],
    ]);
  });
  await t.step("acceptance, deposits and answers", () => {
    assertEquals(body.acceptance, { submitted: 9, accepted: 7, rate: 77.8, before: null });
    assertEquals(body.deposits, { deposited: 9, late: 1, waiting: 1, oldest: issueDate });
    assertEquals(body.unanswered, [
      { currency: "EUR", invoices: 1, overdue: 1, amount: "70.00", oldest: today },
    ]);
  });
  await t.step("the list shows exactly the sales that were accepted first, or not", async () => {
    const list = async (isAccepted: boolean) =>
      (await product.get(`/api/invoices?firstAccepted=${isAccepted}&pageSize=50`)).body;
    const { submitted, accepted } = body.acceptance;
    assertEquals((await list(true)).total, accepted);
    const others = await list(false);
    assertEquals(others.total, submitted - accepted);
    assertEquals(others.invoices.map((it: { ublNumber: string }) => it.ublNumber).sort(), [
      "f",
      "m",
    ]);
  });
  await t.step("the list shows the invoices of an age", async () => {
    const { dueFrom, dueTo } = body.receivables[0].ages[1];
    const open = "role=seller&open=true&currency=EUR";
    const { body: list } = await product.get(
      `/api/invoices?${open}&dueFrom=${dueFrom}&dueTo=${dueTo}`,
    );
    assertEquals(list.invoices.map((it: { ublNumber: string }) => it.ublNumber), ["c"]);
    const closed = await product.get("/api/invoices?open=false&pageSize=50");
    assertEquals(closed.body.total, 6, "d, f, j, l, m and n");
  });
});

Deno.test("a partial payment reduces the open amount at once, and its reversal restores it", async () => {
  await using world = await stage();
  const { product } = world;
  const [id = ""] = await issue(world, 1, 440_000);
  const readOpen = async () => {
    const { body } = await product.get("/api/finance/overview?from=2026-01-01&to=2026-12-31");
    return Number(body.receivables[0].total);
  };
  const status = async () => (await product.get(`/api/invoices/${id}`)).body.invoice;
  await readTold(world, id, ["10"]);
  const due = (await status()).amountDue;
  assertEquals(await readOpen(), due);
  const { body } = await product.get("/api/finance/overview?from=2026-01-01&to=2026-12-31");
  assertEquals([body.deposits.deposited, body.acceptance.accepted], [1, 1]);
  const tell = async (amount: string) => {
    const before = await readOpen();
    const told = await product.post(`/api/invoices/${id}/status`, {
      target: "pa",
      name: "PAYMENT_RECEIVED",
      data: { amounts: [{ rate: "20", amount }], comment: "Test" },
    });
    assertEquals(told.status, 200);
    await until(async () => await readOpen() !== before, "the PA to accept the payment");
  };
  await tell("10.00");
  await poll(world);
  assertEquals(
    await readOpen(),
    due - 10,
    "the PA's own copy of the message counts no second time",
  );
  assertEquals((await status()).status, "212");
  await tell("-10.00");
  assertEquals(await readOpen(), due);
});
