import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { bindArguments } from "#src/definitions/arguments.ts";
import { problemOfPattern } from "#src/definitions/pattern.ts";
import { readTyped } from "#src/definitions/typed.ts";
import { Param } from "#src/definitions/words.ts";
import { AppError } from "#src/kernel/errors.ts";

const NOW = new Date("2026-03-31T22:30:00Z"); // the first of April in Paris
const CALLER = {
  user: { username: "marie", language: "fr" },
  claims: { company: "00001", companies: ["1", "2"] },
};

function bind(params: Record<string, unknown>, given: Record<string, unknown> = {}) {
  const parsed = Object.fromEntries(
    Object.entries(params).map(([name, it]) => [name, Param.parse(it)]),
  );
  return Object.fromEntries(bindArguments(parsed, given, { caller: CALLER, now: NOW }));
}

function refusal(params: Record<string, unknown>, given: Record<string, unknown> = {}): string {
  const error = assertThrows(() => bind(params, given), AppError);
  return `${error.code}: ${error.message}`;
}

Deno.test("parameters are of their type, whether they came as JSON or in an address", () => {
  const cases: readonly [type: string, given: unknown, value: unknown][] = [
    ["string", 12, "12"],
    ["integer", "12", 12],
    ["integer", "9007199254740993", "9007199254740993"],
    ["integer", "-9223372036854775808", "-9223372036854775808"],
    ["number", "1.5e3", 1500],
    ["decimal", "12.50", "12.5"],
    ["decimal", 0.1, "0.1"],
    ["boolean", "true", true],
    ["boolean", false, false],
    ["date", "2028-02-29", "2028-02-29"],
    ["time", "09:30", "09:30"],
    ["datetime", "2026-11-20T09:30:00.5+01:00", "2026-11-20T09:30:00.5+01:00"],
    ["json", { a: [1, 1e300] }, { a: [1, 1e300] }],
    ["binary", "aGk=", "aGk="],
    ["array<integer>", ["1", 2], [1, 2]],
    ["array<string>", "open", ["open"]],
  ];
  for (const [type, given, value] of cases) {
    assertEquals(bind({ it: { type } }, { it: given }), { it: value }, type);
  }
});

Deno.test("a value of another type is refused by its name", () => {
  const cases: readonly [type: string, given: unknown][] = [
    ["string", {}],
    ["string", "a\0b"],
    ["integer", "1.0"],
    ["integer", "9223372036854775808"],
    ["integer", true],
    ["integer", 2 ** 53],
    ["string", 2 ** 53],
    ["json", { a: [{ b: 2 ** 53 }] }],
    ["decimal", 12345678901234567000],
    ["number", "NaN"],
    ["number", ""],
    ["decimal", "1,5"],
    ["decimal", "9".repeat(200)],
    ["boolean", "yes"],
    ["date", "2026-02-30"],
    ["date", "20260230"],
    ["time", "24:00"],
    ["datetime", "2026-02-30T00:00"],
    ["uuid", "1"],
    ["binary", "###"],
    ["array<date>", ["2026-01-01", "x"]],
  ];
  for (const [type, given] of cases) {
    const text = refusal({ day: { type } }, { day: given });
    assertEquals(text.startsWith("invalid: day "), true, `${type} ${text}`);
  }
});

Deno.test("limits, choices and patterns apply to each value, and every mistake is reported", () => {
  const params = {
    amount: { type: "decimal", min: 0, max: "99.99" },
    status: { type: "array<string>", enum: ["open", "closed"] },
    code: { type: "string", pattern: "^SO-[0-9]{2}$", max_length: 5 },
    from: { type: "date", min: "2026-01-01" },
    needed: { type: "string", required: true },
  };
  assertEquals(
    refusal(params, { amount: "100", status: ["open", "lost"], code: "SO-1", from: "2025-12-31" }),
    "invalid: amount is more than 99.99; status is not one of open, closed; code does not match ^SO-[0-9]{2}$; " +
      "from is less than 2026-01-01; needed is missing",
  );
  const many = Array.from({ length: 21 }, (_, at) => `c${at + 1}`);
  assertEquals(
    refusal({ code: { type: "string", enum: many } }, { code: "c0" }),
    `invalid: code is not one of ${many.slice(0, 20).join(", ")}, …`,
  );
  assertEquals(
    refusal({ orders: { type: "string" } }, { order: 1, other: 2 }),
    "invalid: There is no parameter order; did you mean orders?; There is no parameter other",
  );
  assertEquals(
    refusal({ a: { type: "string" } }, { constructor: 1 }),
    "invalid: There is no parameter constructor",
  );
});

Deno.test("a default may be a moment, as people in France reckon days", () => {
  const params = {
    day: { type: "date", default: "today" },
    month: { type: "date", default: "start_of_month" },
    year: { type: "integer", default: "current_year" },
    at: { type: "datetime", default: "now" },
    word: { type: "string", default: "today" },
    left: { type: "string" },
  };
  assertEquals(bind(params), {
    day: "2026-04-01",
    month: "2026-04-01",
    year: 2026,
    at: "2026-03-31T22:30:00.000Z",
    word: "today",
    left: null,
  });
});

Deno.test("values bound from the caller cannot be given, and a caller without them is refused", () => {
  const params = {
    company: { type: "string", from: "claims.company" },
    who: { type: "string", from: "user.username" },
  };
  assertEquals(bind(params), { company: "00001", who: "marie" });
  assertEquals(
    refusal(params, { company: "00002" }),
    "invalid: company is not the caller's to give",
  );
  assertEquals(
    refusal({ site: { type: "string", from: "claims.site" } }),
    "forbidden: Your account has no claims.site, which site is taken from",
  );
  assertEquals(
    refusal({ it: { type: "string", from: "claims.constructor" } }),
    "forbidden: Your account has no claims.constructor, which it is taken from",
  );
});

Deno.test("a definition whose own values have the wrong type is refused when it is saved", () => {
  const problems = (param: unknown) =>
    Param.safeParse(param).error?.issues.map((it) => `${it.path.join(".")}: ${it.message}`);
  assertEquals(problems({ type: "date", default: "yesterday" }), [
    "default: yesterday is no day such as 2026-11-20",
  ]);
  assertEquals(problems({ type: "array<integer>", min: "x" }), ["min: x is no whole number"]);
  assertEquals(problems({ type: "string", from: "user.password" }), [
    "from: a user has username, display_name, email, language, not password",
  ]);
  assertEquals(problems({ type: "string", pattern: "(a)\\1" })?.length, 1);
  assertEquals(problemOfPattern("^(a+)+$"), undefined, "linear here, however it looks");
});

Deno.test("every input gives a value of the type or a problem, never an error", () => {
  const types = [
    "string",
    "integer",
    "number",
    "decimal",
    "boolean",
    "date",
    "datetime",
    "uuid",
    "binary",
    "array<decimal>",
  ];
  fc.assert(fc.property(fc.constantFrom(...types), fc.anything(), (type, given) => {
    const read = readTyped(type, given);
    return "value" in read || read.problem !== undefined;
  }));
});
