import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  abs,
  add,
  compare,
  decimal,
  divide,
  fromUnits,
  integerQuotient,
  isInteger,
  multiply,
  negate,
  parseDecimal,
  remainder,
  round,
  subtract,
  sum,
  toFixed,
  toNumber,
} from "#src/kernel/decimal.ts";

const text = (value: unknown) => String(value);

Deno.test("the lexical form of xs:decimal is read, and nothing else", () => {
  const read = ["-12.50", "+.5", "7.", "0", "-0", "00012", "123456789012345678901234567890.10"];
  assertEquals(read.map((it) => text(parseDecimal(it))), [
    "-12.5",
    "0.5",
    "7",
    "0",
    "0",
    "12",
    "123456789012345678901234567890.1",
  ]);
  for (const wrong of ["", " 1", "1,5", "1e3", ".", "-", "1.2.3", "٣", "0x10", "NaN", "--1"]) {
    assertEquals(parseDecimal(wrong), undefined, wrong);
  }
});

Deno.test("sums of amounts are exact where floats are not", () => {
  assertEquals(text(add(decimal("0.1"), decimal("0.2"))), "0.3");
  assertEquals(text(sum(["1.005", "2.01", "-0.015"].map(decimal))), "3");
  assertEquals(text(subtract(decimal("9007199254740991"), decimal("-1"))), "9007199254740992");
  assertEquals(text(add(decimal("9007199254740991.5"), decimal("-9007199254740991"))), "0.5");
});

Deno.test("products and quotients keep their digits", () => {
  assertEquals(text(multiply(decimal("19.99"), decimal("0.055"))), "1.09945");
  assertEquals(text(divide(decimal("1"), decimal("8"))), "0.125");
  assertEquals(text(divide(decimal("1"), decimal("3"))), "0.333333333333333333");
  assertEquals(text(divide(decimal("-2"), decimal("3"))), "-0.666666666666666667");
  assertThrows(() => divide(decimal("1"), decimal("0.00")), RangeError);
});

Deno.test("whole quotients go toward zero and the remainder has the sign of the dividend", () => {
  assertEquals(text(integerQuotient(decimal("-7.5"), decimal("2"))), "-3");
  assertEquals(text(remainder(decimal("-7.5"), decimal("2"))), "-1.5");
});

Deno.test("ties are rounded as requested", () => {
  const ties = ["2.5", "3.5", "-2.5", "2.45", "-2.55"];
  const rounded = (how: Parameters<typeof round>[2]) =>
    ties.map((tie) => text(round(decimal(tie), 0, how)));
  assertEquals(rounded("half-away"), ["3", "4", "-3", "2", "-3"]);
  assertEquals(rounded("half-even"), ["2", "4", "-2", "2", "-3"]);
  assertEquals(rounded("half-up"), ["3", "4", "-2", "2", "-3"]);
  assertEquals(rounded("floor"), ["2", "3", "-3", "2", "-3"]);
  assertEquals(rounded("ceiling"), ["3", "4", "-2", "3", "-2"]);
  assertEquals(rounded("truncate"), ["2", "3", "-2", "2", "-2"]);
  assertEquals(text(round(decimal("1249.9"), -2)), "1200");
  assertEquals(text(round(decimal("1250.5"), -2)), "1300");
});

Deno.test("amounts are written with a fixed number of digits", () => {
  assertEquals(toFixed(decimal("12.5"), 2), "12.50");
  assertEquals(toFixed(decimal("-0.005"), 2), "-0.01");
  assertEquals(toFixed(decimal("3"), 0), "3");
});

const units = fc.oneof(
  fc.maxSafeInteger().map(BigInt),
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
);
const decimals = fc.record({ units, scale: fc.integer({ min: 0, max: 12 }) })
  .map((it) => fromUnits(it.units, it.scale));

Deno.test("small and big representations calculate alike", () => {
  fc.assert(fc.property(decimals, decimals, (a, b) => {
    assertEquals(text(subtract(add(a, b), b)), text(a));
    assertEquals(Math.sign(compare(a, b)), -Math.sign(compare(b, a)) + 0);
    assertEquals(compare(add(a, negate(a)), decimal("0")), 0);
    assertEquals(text(multiply(a, b)), text(multiply(b, a)));
    assertEquals(text(parseDecimal(text(a))), text(a));
    assertEquals(isInteger(round(a, 0, "half-up")), true);
    assertEquals(compare(abs(a), decimal("0")) >= 0, true);
  }));
});

Deno.test("rounding on the fast path equals rounding with big integers", () => {
  fc.assert(fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 8 }), (small, scale) => {
    const wide = multiply(fromUnits(small, scale), fromUnits(10n ** 20n, 20));
    assertEquals(
      text(round(fromUnits(small, scale), 2, "half-up")),
      text(round(wide, 2, "half-up")),
    );
  }));
});

Deno.test("a decimal becomes the nearest double", () => {
  assertEquals(toNumber(decimal("0.1")), 0.1);
  assertEquals(toNumber(decimal("123456789.987654321")), 123456789.987654321);
  assertEquals(toNumber(decimal("0.12345678901234567890")), 0.12345678901234567890);
});
