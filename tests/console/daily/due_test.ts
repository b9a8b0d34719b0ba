import { assertEquals } from "@std/assert";
import {
  addSettled,
  computeDue,
  computeLeft,
  countDaysLate,
  isTakenBack,
  isTooMuch,
  leftOfAll,
} from "#src/console/components/invoices/due.ts";

const PAID = { status: "211", currency: "USD" };
const vat = (
  taxableAmount: number,
  taxAmount: number,
) => [{ taxRate: 20, taxableAmount, taxAmount }];
const report = (
  amount: string,
  { currency = "USD", state = "taken" as const, status = "211" } = {},
) => ({
  status,
  state,
  amounts: [{ rate: "20.00", amount, currency }],
});

Deno.test("the amount due ignores payments in other currencies, with other statuses, or rejected", () => {
  const messages = [
    report("10"),
    report("30", { currency: "EUR" }),
    report("40", { status: "212" }),
    { ...report("50"), state: "refused" as const },
  ];
  const due = computeDue(vat(100, 20), messages, PAID);
  assertEquals(due, [{ rate: "20", gross: 12_000, reported: 1_000 }]);
  assertEquals(due.map(computeLeft), ["110.00"]);
});

Deno.test("the amount due of a negative invoice is the amount not yet refunded", () => {
  const [due] = computeDue(vat(-100, -20), [report("-20")], PAID);
  assertEquals(due && computeLeft(due), "-100.00");
  const sums = [0, -12_000, -12_001, 1];
  assertEquals(sums.map((it) => due && isTooMuch(it, due)), [false, false, true, false]);
  assertEquals(sums.map((it) => due && isTakenBack(it, due)), [false, false, false, true]);
  const [over] = computeDue(vat(-100, -20), [report("-130")], PAID);
  assertEquals(over && Number(computeLeft(over)), 0);
});

Deno.test("prepayments leave each rate its share, and a credit note is refunded", () => {
  const due = [
    { rate: "20", gross: 12_000, reported: 0 },
    { rate: "10", gross: 11_000, reported: 0 },
  ];
  assertEquals(leftOfAll(due, { total: 23_000 }), ["120.00", "110.00"]);
  assertEquals(leftOfAll(due, { total: 3_001 }), ["15.66", "14.35"]);
  const credit = { status: "212", currency: "USD", isCredit: true };
  const refunded = computeDue(vat(100, 20), [report("-20", { status: "212" })], credit);
  assertEquals(refunded, [{ rate: "20", gross: 12_000, reported: 2_000 }], "refunds are positive");
  assertEquals(refunded.map(computeLeft), ["100.00"]);
});

Deno.test("payments reported elsewhere lower the amount suggested", () => {
  const due = [{ rate: "20", gross: 12_000, reported: 0 }];
  assertEquals(leftOfAll(due, { total: 12_000, open: 7_000 }), ["70.00"]);
  assertEquals(addSettled(due, 5_000), [{ rate: "20", gross: 12_000, reported: 5_000 }]);
  assertEquals(addSettled([...due, ...due], 5_000), [...due, ...due], "of which rate is unknown");
  assertEquals(leftOfAll(due, { open: 0 }), ["0.00"]);
  assertEquals(leftOfAll(due, { total: 5_000, open: 7_000 }), ["50.00"]);
  const over = [{ rate: "20", gross: 12_000, reported: 13_000 }, {
    rate: "10",
    gross: 12_000,
    reported: 0,
  }];
  assertEquals(leftOfAll(over, { total: 5_000 }), ["0.00", "0.00"], "too much was reported");
});

Deno.test("an unpaid invoice is overdue from the day after its due date until it is paid", () => {
  const today = "2026-11-29";
  const bought = {
    amountDue: 100,
    dueDate: "2026-10-20",
    invoiceType: "380",
    openAmount: 100,
    role: "buyer",
    settledAmount: null,
    status: "205",
    totalTTC: 120,
  } as const;
  const sold = { ...bought, role: "seller" } as const;
  const late = (it: Parameters<typeof countDaysLate>[0]) => countDaysLate(it, today);
  assertEquals([late(bought), late({ ...bought, status: "202" }), late(sold)], [40, 40, 40]);
  assertEquals(late({ ...bought, dueDate: today }), 0);
  assertEquals(late({ ...bought, dueDate: "2026-11-28" }), 1);
  assertEquals(late({ ...bought, dueDate: "" }), 0);
  assertEquals([late({ ...bought, status: "211" }), late({ ...sold, status: "211" })], [0, 40]);
  for (const status of ["210", "212", "213", "9904"]) assertEquals(late({ ...sold, status }), 0);
  const inPart = { ...sold, status: "212", settledAmount: 60, openAmount: 40 };
  assertEquals([late(inPart), late({ ...inPart, openAmount: 0 })], [40, 0], "paid in part");
  assertEquals(late({ ...bought, invoiceType: "381" }), 0, "a credit note");
  assertEquals(late({ ...bought, amountDue: 0 }), 0, "paid when issued");
  assertEquals(late({ ...bought, amountDue: null }), 40);
});
