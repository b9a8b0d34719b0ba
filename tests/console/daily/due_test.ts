import { assertEquals } from "@std/assert";
import {
  computeDue,
  computeLeft,
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
  assertEquals(sums.map((it) => due && isTooMuch(it, due)), [false, false, true, true]);
  const [over] = computeDue(vat(-100, -20), [report("-130")], PAID);
  assertEquals(over && Number(computeLeft(over)), 0);
});

Deno.test("prepayments leave each rate its share, and a credit note is refunded", () => {
  const due = [
    { rate: "20", gross: 12_000, reported: 0 },
    { rate: "10", gross: 11_000, reported: 0 },
  ];
  assertEquals(leftOfAll(due, 23_000), ["120.00", "110.00"]);
  assertEquals(leftOfAll(due, 3_001), ["15.66", "14.35"]);
  const credit = { status: "212", currency: "USD", isCredit: true };
  assertEquals(computeDue(vat(100, 20), [], credit).map(computeLeft), ["-120.00"]);
});
