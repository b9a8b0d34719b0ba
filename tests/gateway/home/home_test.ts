import { assertEquals } from "@std/assert";
import { addInvoice as add } from "#tests/support/figures.ts";
import { startProduct } from "#tests/support/product.ts";

/** Returns the day a number of months after this one, in Paris. */
function dayIn(months: number, day: number): string {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Paris" }).format(new Date());
  const at = new Date(`${today.slice(0, 7)}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + months);
  return `${at.toISOString().slice(0, 8)}${String(day).padStart(2, "0")}`;
}

const SALE = [["S", "20", 100, 20]] as const;
const read = (waiting: readonly Record<string, unknown>[]) =>
  waiting.map((it) => [it["kind"], it["count"], it["amounts"], it["oldest"]]);
const euros = (amount: string) => [{ currency: "EUR", amount }];

Deno.test("Home lists the work that waits, each kind once with its amounts and oldest day", async (t) => {
  await using product = await startProduct();
  const { db } = product.deps;
  await t.step("nothing waits in an empty installation", async () => {
    const { body } = await product.get("/api/home");
    assertEquals([body.waiting, body.sales, body.unread], [
      [],
      { count: 0, countIsCapped: false },
      0,
    ]);
  });
  const issueDate = dayIn(0, 1);
  const received = { direction: "received" as const, issueDate, createdAt: new Date("2026-03-04") };
  const at = (day: string) => ({ issueDate, statusAt: new Date(`${day}T12:00:00Z`) });
  await add(db, "1", SALE, { ...at("2026-02-03"), status: "9904" });
  await add(db, "2", SALE, { ...at("2026-02-01"), status: "9904", currency: "USD" });
  await add(db, "3", SALE, { ...at("2026-02-02"), status: "9907" });
  await add(db, "4", SALE, { ...at("2026-02-04"), status: "213" });
  await add(db, "5", SALE, { ...at("2026-02-05"), status: "210" });
  await add(db, "6", SALE, { ...at("2026-02-06"), status: "207" });
  await add(db, "7", SALE, { ...at("2026-02-07"), status: "221", attention: ["not-routed"] });
  await add(db, "8", SALE, { ...at("2026-02-08"), attention: ["not-transmitted"] });
  await add(db, "9", SALE, { ...at("2026-02-09"), status: "9901", treatment: "UNDECIDED" });
  await add(db, "10", SALE, { ...at("2026-02-10"), dueDate: "2026-02-20", invoiceType: "381" });
  await add(db, "11", SALE, { ...at("2026-02-10"), dueDate: "2026-02-21", status: "212" });
  await add(db, "12", SALE, { ...at("2026-02-10"), dueDate: "2026-02-22" });
  await add(db, "13", SALE, received);
  await add(db, "14", SALE, { ...received, treatment: "B2BINT" });
  await add(db, "15", SALE, { ...received, paRule: "B2BInt" });
  await add(db, "16", SALE, { ...received, treatment: "B2BINT", paRule: "B2B" });
  await add(db, "17", SALE, { ...received, status: "205" });
  await add(db, "18", SALE, { ...received, status: "205", attention: ["status-refused"] });
  await add(db, "19", SALE, {
    ...at("2026-02-11"),
    status: "208",
    attention: ["portal-refused", "content-differs"],
  });
  const { body } = await product.get("/api/home");

  await t.step("each kind, the most urgent first", () => {
    assertEquals(read(body.waiting), [
      [
        "send-failed",
        2,
        [...euros("120.00"), { currency: "USD", amount: "120.00" }],
        "2026-02-01",
      ],
      ["rejected-by-rules", 1, euros("120.00"), "2026-02-02"],
      ["rejected-by-platform", 1, euros("120.00"), "2026-02-04"],
      ["portal-refused", 1, euros("120.00"), "2026-02-11"],
      ["not-routed", 1, euros("120.00"), "2026-02-07"],
      ["not-transmitted", 1, euros("120.00"), "2026-02-08"],
      ["treatment-undecided", 1, euros("120.00"), "2026-02-09"],
      ["refused", 1, euros("120.00"), "2026-02-05"],
      ["disputed", 1, euros("120.00"), "2026-02-06"],
      ["suspended", 1, euros("120.00"), "2026-02-11"],
      ["status-refused", 1, euros("120.00"), body.today],
      ["content-differs", 1, euros("120.00"), "2026-02-11"],
      ["unanswered", 2, euros("240.00"), "2026-03-04"],
      ["overdue", 1, euros("120.00"), "2026-02-22"],
    ]);
  });
  await t.step("sales that wait are counted once, as the list shows them", async () => {
    assertEquals(body.sales, { count: 10, countIsCapped: false });
    const numbers = async (query: string) => {
      const { body } = await product.get(`/api/invoices?attention=waiting&${query}`);
      assertEquals(body.total, body.invoices.length);
      return body.invoices.map((it: { ublNumber: string }) => Number(it.ublNumber))
        .sort((a: number, b: number) => a - b);
    };
    const sales = [1, 2, 3, 4, 5, 6, 7, 8, 9, 19];
    assertEquals(await numbers("direction=issued"), sales);
    assertEquals(await numbers("direction=issued&sortBy=dueDate"), sales);
    assertEquals(await numbers("direction=issued&status=9904,208"), [1, 2, 19]);
    assertEquals(await numbers("direction=issued&currency=USD"), [2]);
    assertEquals(await numbers("sortBy=totalTTC"), [...sales.slice(0, 9), 18, 19]);
    const first = (await product.get("/api/invoices?attention=waiting&pageSize=4")).body;
    const next = await product.get(
      `/api/invoices?attention=waiting&pageSize=50&after=${first.next}`,
    );
    assertEquals([first.total, next.body.invoices.length], [11, 7]);
  });
  await t.step(
    "the list of unanswered invoices leaves out purchases that accept no answer",
    async () => {
      const { body } = await product.get("/api/invoices?unanswered=true&sortBy=ublNumber");
      assertEquals(body.invoices.map((it: { ublNumber: string }) => it.ublNumber).sort(), [
        "13",
        "16",
      ]);
    },
  );
});

Deno.test("the figures of the month stand next to those of the month before", async () => {
  await using product = await startProduct();
  const { db } = product.deps;
  const now = { issueDate: dayIn(0, 1) };
  const before = { issueDate: dayIn(-1, 5) };
  const old = { issueDate: dayIn(-3, 5) };
  const [due, wasDue] = [dayIn(0, 28), dayIn(-1, 20)];
  await add(db, "1", SALE, { ...now, dueDate: due });
  await add(db, "2", SALE, { ...now, dueDate: due, status: "207" });
  await add(db, "3", SALE, { ...now, dueDate: due, status: "213" });
  await add(db, "4", SALE, { ...now, invoiceType: "381", totalTTC: "20.00", amountDue: "20.00" });
  await add(db, "5", SALE, { ...before, dueDate: wasDue, generation: 2 });
  await add(db, "6", SALE, { ...before, dueDate: wasDue, status: "212" });
  await add(db, "7", SALE, { ...old, dueDate: dayIn(-2, 3), currency: "CHF" });
  await add(db, "9", SALE, { ...old, status: "207", currency: "USD", dueDate: dayIn(1, 9) });
  await add(db, "8", SALE, { ...now, direction: "received", dueDate: due });
  const { body } = await product.get("/api/home/figures");
  const isDuePassed = body.today > due;
  const shown = (it: Record<string, unknown>) => ({ ...it, from: undefined, to: undefined });
  const late = [...isDuePassed ? euros("360.00") : euros("120.00"), {
    currency: "CHF",
    amount: "120.00",
  }];
  assertEquals(shown(body.month), {
    from: undefined,
    to: undefined,
    issued: { invoices: 3, amounts: euros("220.00") },
    firstTimeRate: 75,
    firstTime: { accepted: 3, submitted: 4 },
    disputed: {
      invoices: 2,
      amounts: [...euros("120.00"), { currency: "USD", amount: "120.00" }],
    },
    toCollect: { invoices: 2, amounts: euros("240.00") },
    late: { invoices: isDuePassed ? 4 : 2, amounts: late },
  });
  assertEquals(shown(body.before), {
    from: undefined,
    to: undefined,
    issued: { invoices: 2, amounts: euros("240.00") },
    firstTimeRate: 50,
    firstTime: { accepted: 1, submitted: 2 },
    disputed: { invoices: 1, amounts: [{ currency: "USD", amount: "120.00" }] },
    toCollect: { invoices: 1, amounts: euros("120.00") },
    late: {
      invoices: 2,
      amounts: [...euros("120.00"), { currency: "CHF", amount: "120.00" }],
    },
  });
});
