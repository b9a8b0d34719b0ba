import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseExact } from "#src/kernel/exact_json.ts";

Deno.test("numbers beyond 2^53 are the text of their digits, and nothing else is another value", () => {
  const cases: readonly [text: string, value: unknown][] = [
    ["9007199254740993", "9007199254740993"],
    ["[-9007199254740993, 9007199254740991]", ["-9007199254740993", 9007199254740991]],
    ['{"9007199254740993": 12345678901234567.89}', {
      "9007199254740993": "12345678901234567.89",
    }],
    ['["9007199254740993", "a\\\\", 9007199254740993, "\\"9007199254740993"]', [
      "9007199254740993",
      "a\\",
      "9007199254740993",
      '"9007199254740993',
    ]],
    ["[1e300, 1234567890123456789e2, 0.12345678901234567890, 1.5]", [
      1e300,
      123456789012345678900,
      0.12345678901234568,
      1.5,
    ]],
  ];
  for (const [text, value] of cases) assertEquals(parseExact(text), value, text);
  assertEquals(Object.keys(parseExact('{"__proto__": 9007199254740993}') as object), ["__proto__"]);
});

Deno.test("invalid JSON stays invalid", () => {
  const none = [
    "09007199254740993",
    "--9007199254740993",
    "9007199254740993.",
    "+9007199254740993",
  ];
  for (const text of [...none, '"9007199254740993', "9007199254740993x", "9007199254740993 1"]) {
    assertThrows(() => parseExact(text), SyntaxError, undefined, text);
  }
});

Deno.test("output of JSON is read like by JSON", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.boolean(), (value, isLong) => {
    const text = JSON.stringify(isLong ? [value, "1234567890123456"] : value);
    const expected = JSON.parse(
      text,
      (_, it) =>
        Number.isInteger(it) && !Number.isSafeInteger(it) && Math.abs(it) < 1e21 ? String(it) : it,
    );
    assertEquals(parseExact(text), expected);
  }));
});
