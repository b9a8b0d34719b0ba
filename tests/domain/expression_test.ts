import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  computeSize,
  evaluate,
  fill,
  type Names,
  parseExpression,
  parseTemplate,
  type Value,
} from "#src/domain/expression/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { Sentence } from "#src/kernel/i18n/sentence.ts";

const NAMES: Names = {
  params: { day: "2026-11-20", n: 3, on: false },
  steps: { find: { row_count: 12, rows: [{ no: "007", amount: "12.50" }] }, "a-b": { count: 1 } },
  row: { amount: "0.1" },
};

function value(text: string): Value {
  const tree = parseExpression(text);
  if (tree instanceof Sentence) throw new Error(String(tree));
  return evaluate(tree, NAMES);
}

function text(template: string): Value {
  const parts = parseTemplate(template);
  if (parts instanceof Sentence) throw new Error(String(parts));
  return fill(parts, NAMES);
}

Deno.test("conditions compare, reckon and group as they are written", () => {
  const cases: [expression: string, is: Value][] = [
    ["{steps.find.row_count} > 0", true],
    ["steps.find.row_count >= 12 && !params.on", true],
    ["params.on || params.n == 4", false],
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["-params.n + 5", 2],
    ["0.1 + 0.2 == 0.3", true],
    ["{row.amount} + 0.2", 0.3],
    ["steps.find.rows[0].amount > 9", true],
    ["steps.find.rows[0].no == '7'", false],
    ["steps.find.rows[0].no == 7", true],
    ['steps["a-b"].count', 1],
    ["steps.find.rows[5].no == null", true],
    ["params.missing > 1", false],
    ["10 % 4", 2],
    ["10 / 4", 2.5],
    ['"a" < "b"', true],
    ["9007199254740993 + 2", "9007199254740995"],
  ];
  for (const [expression, is] of cases) assertEquals(value(expression), is, expression);
});

Deno.test("a text that is one placeholder has its value, others are texts; braces are doubled", () => {
  assertEquals(text("{params.n}"), 3);
  assertEquals(text("{steps.find.rows}"), [{ no: "007", amount: "12.50" }]);
  assertEquals(text("{params.n} of {steps.find.row_count}"), "3 of 12");
  assertEquals(text('{{"n": {params.n}}}'), '{"n": 3}');
  assertEquals(text("none: {params.nothing}"), "none: ");
});

Deno.test("nothing of JavaScript is reached by a path", () => {
  for (
    const path of [
      "constructor",
      "__proto__",
      "params.constructor.constructor",
    ]
  ) {
    assertEquals(value(path), null, path);
  }
  assertEquals(value("params.toString == null"), true);
});

Deno.test("an invalid expression is reported with the mistake and its position", () => {
  const cases: [expression: string, says: string][] = [
    ["", "ends too early"],
    ["1 +", "ends too early"],
    ["(1", "ends where ) is expected"],
    ["1 2", "is not expected at character 3"],
    ["1 < 2 < 3", "is not expected at character 7"],
    ["a.", "ends too early"],
    ["process.exit()", "is not expected at character 13"],
    ["a = 1", "is not expected at character 3"],
    ["'open", "is not expected at character 1"],
    ["`x`", "is not expected at character 1"],
  ];
  for (const [expression, says] of cases) {
    const problem = parseExpression(expression);
    assert(
      problem instanceof Sentence && String(problem).includes(says),
      `${expression}: ${problem}`,
    );
  }
  assert(parseTemplate("a {b") instanceof Sentence);
});

Deno.test("expressions that are too large, too deep or not computable are refused", () => {
  const hostile = [
    "(".repeat(10_000),
    "!".repeat(9_999) + "1",
    `${"{".repeat(5_000)}1${"}".repeat(5_000)}`,
    Array(2_000).fill("1").join("+"),
    "x".repeat(10_001),
    `a${".b".repeat(40)}`,
  ];
  for (const expression of hostile) {
    assert(parseExpression(expression) instanceof Sentence, expression.slice(0, 20));
  }
  const digits = "9".repeat(30);
  const failing = [
    `${Array(10).fill(digits).join("*")}`,
    "1 / 0",
    "params.day + 1",
    "steps.find == 1",
  ];
  for (const expression of failing) {
    assertThrows(() => value(expression), AppError, undefined, expression);
  }
});

Deno.test("a text that would be too long is refused before it is built", () => {
  let read = 0;
  const rows = new Proxy(Array.from({ length: 2_000_000 }), {
    get(target, key, self) {
      if (key === "toJSON") throw new Error("it is written");
      read++;
      return key === "length" ? target.length : Reflect.get(target, key, self);
    },
  }) as unknown as Value;
  const names = { steps: { find: { rows, text: "x".repeat(600_000) } } };
  const filled = (template: string) => fill(parseTemplate(template) as never, names);
  const tooLong = "A text of more than 1000000 characters";
  assertThrows(() => filled("rows: {steps.find.rows}"), AppError, tooLong);
  assertThrows(() => filled("{steps.find.text}{steps.find.text}"), AppError, tooLong);
  assertEquals(read < 3_000_000, true, "not to its end, several times over");
  assertEquals(String(filled("a{steps.find.text}")).length, 600_001);
  const value = { a: ["x", 1, null], b: { c: true } };
  assert(Math.abs(computeSize(value, 100) - JSON.stringify(value).length) < 15);
});
