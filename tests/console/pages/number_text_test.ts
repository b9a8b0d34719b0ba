import { assertEquals } from "@std/assert";
import {
  addStep,
  numberHeld,
  numberText,
  plainNumber,
  readNumber,
} from "#src/console/components/number_text.ts";

Deno.test("a number is read in the reader's language, and never ten times too large", () => {
  const read = (text: string, language: "en" | "fr", mostDecimals?: number) => {
    const found = readNumber(text, language, { mostDecimals });
    return "value" in found ? found.value : "wrong" in found ? found.wrong : found.ambiguous;
  };
  const cases: readonly (readonly [string, "en" | "fr", unknown, number?])[] = [
    ["12.5", "en", "12.5"],
    ["12,5", "en", "12.5"],
    ["12,5", "fr", "12.5"],
    ["12.5", "fr", "12.5"],
    ["1,234", "en", ["1234", "1.234"]],
    ["1.234", "fr", ["1234", "1,234"]],
    ["-1,234", "en", ["-1234", "-1.234"]],
    ["1,234", "fr", "1.234"],
    ["0,123", "en", "0.123"],
    ["1,234.50", "en", "1234.50"],
    ["1,234,567", "en", "1234567"],
    ["1.234,50", "fr", "1234.50"],
    ["1 234,50", "fr", "1234.50"],
    ["1\u202f234\u00a0567", "fr", "1234567"],
    ["\u221212.50", "en", "-12.50"],
    [".5", "en", "0.5"],
    ["12.", "en", "12"],
    ["99999999999999999999.99", "en", "99999999999999999999.99"],
    ["12,34,5", "en", "number"],
    ["1.2.3", "en", "number"],
    ["12.3,4", "en", "number"],
    ["1e3", "en", "number"],
    ["twelve", "en", "number"],
    ["12\t34", "fr", "number"], // two cells of a table
    ["12 34", "fr", "number"], // two lines, as a browser pastes them
    ["12  345", "fr", "number"],
    ["12,5 0", "fr", "number"],
    ["1234 567", "fr", "number"],
    ["- 1 234,5", "fr", "-1234.5"],
    [" 12 ", "fr", "12"],
    ["12,5", "en", "decimals", 0],
    ["12.5", "fr", "decimals", 0],
    ["1,234", "en", "1234", 0],
    ["12.345", "en", "decimals", 2],
    ["12,34", "en", "12.34", 2],
    ["1,234", "en", "1234", 2],
  ];
  for (const [text, language, expected, most] of cases) {
    assertEquals(read(text, language, most), expected, `${text} (${language})`);
  }
  assertEquals(numberText("1234.50", "fr"), "1234,50");
  assertEquals(numberText("1,234", "fr"), "1,234", "what could not be read stays as it was typed");
});

Deno.test("the API rejects ambiguous numbers too", () => {
  for (const [text, language] of [["1.234", "fr"], ["1,234", "en"], ["-1.234", "fr"]] as const) {
    assertEquals(Number(numberHeld(text, language)), NaN, `${text} ${language}`);
  }
  for (const text of ["1e3", "-1.5E+3", "0x10", "0b1", "Infinity", "12 34", "1e400"]) {
    assertEquals(Number.isFinite(Number(numberHeld(text, "en"))), false, text);
  }
  assertEquals(numberHeld(" 12.5 ", "fr"), "12.5");
});

Deno.test("the up and down keys keep all digits", () => {
  const cases: readonly (readonly [string, number, string])[] = [
    ["12.5", 1, "13.5"],
    ["0.1", 0.2, "0.3"],
    ["-0.5", 1, "0.5"],
    ["0.5", -1, "-0.5"],
    ["1", 0.0000001, "1.0000001"],
    ["9007199254740993", 1, "9007199254740994"],
    ["99999999999999999999999.99", -1, "99999999999999999999998.99"],
    [`0.${"1".repeat(120)}`, 1, `1.${"1".repeat(120)}`],
    ["twelve", 1, "twelve"],
  ];
  for (const [value, by, expected] of cases) assertEquals(addStep(value, by), expected, value);
});

Deno.test("a stored number is shown without exponent and can be saved again", () => {
  assertEquals([1e-7, -1.25e-9, 1e21, 1.5e22, 0.5, -3].map(plainNumber), [
    "0.0000001",
    "-0.00000000125",
    "1000000000000000000000",
    "15000000000000000000000",
    "0.5",
    "-3",
  ]);
});
