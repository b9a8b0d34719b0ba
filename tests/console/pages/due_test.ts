import { assertEquals } from "@std/assert";
import { dueOf, isTooMuch, leftOf } from "#src/console/components/invoices/due.ts";

const PAID = { status: "211", currency: "USD" };
const vat = (
  taxableAmount: number,
  taxAmount: number,
) => [{ taxRate: 20, taxableAmount, taxAmount }];
const told = (
  amount: string,
  { currency = "USD", state = "taken" as const, status = "211" } = {},
) => ({
  status,
  state,
  amounts: [{ rate: "20.00", amount, currency }],
});

Deno.test("what is left of an invoice is without what was told in another currency, by another status, or refused", () => {
  const messages = [
    told("10"),
    told("30", { currency: "EUR" }),
    told("40", { status: "212" }),
    { ...told("50"), state: "refused" as const },
  ];
  const due = dueOf(vat(100, 20), messages, PAID);
  assertEquals(due, [{ rate: "20", gross: 12_000, reported: 1_000 }]);
  assertEquals(due.map(leftOf), ["110.00"]);
});

Deno.test("of an invoice that takes back is left what was not given back", () => {
  const [due] = dueOf(vat(-100, -20), [told("-20")], PAID);
  assertEquals(due && leftOf(due), "-100.00");
  const sums = [0, -12_000, -12_001, 1];
  assertEquals(sums.map((it) => due && isTooMuch(it, due)), [false, false, true, true]);
  const [over] = dueOf(vat(-100, -20), [told("-130")], PAID);
  assertEquals(over && Number(leftOf(over)), 0);
});
