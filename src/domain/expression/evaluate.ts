import {
  add,
  compare,
  type Decimal,
  divide,
  formatDecimal,
  getSign,
  multiply,
  negate,
  parseDecimal,
  remainder,
  round,
  subtract,
} from "#src/kernel/decimal.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { ExpressionPath, Operator, TextTemplate, Tree } from "./tree.ts";

/** Value of an expression, as in JSON; exact numbers that a double cannot represent are texts of digits. */
export type Value =
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | { readonly [key: string]: Value };

/** Values of the names at the beginning of paths. */
export type Names = Readonly<Record<string, Value>>;

const MAX_DIGITS = 100;
const MAX_TEXT = 1_000_000;

/** Throws AppError `invalid` where a value cannot be reckoned with. */
export function evaluate(tree: Tree, names: Names): Value {
  switch (tree.kind) {
    case "value":
      return tree.value;
    case "path":
      return valueAt(names, tree.path);
    case "not":
      return !isTrue(evaluate(tree.of, names));
    case "minus":
      return asValue(negate(numberIn(evaluate(tree.of, names))));
    default:
      return pair(tree, names);
  }
}

/**
 * Fills a template. A single expression keeps the type of its value; otherwise every value becomes text. Throws
 * like `evaluate`.
 */
export function fill(template: TextTemplate, names: Names): Value {
  const [only] = template;
  if (template.length === 1 && typeof only === "object") return evaluate(only, names);
  let left = MAX_TEXT;
  const parts = template.map((it) => {
    const value = typeof it === "string" ? it : evaluate(it, names);
    left -= computeSize(value, left);
    if (left < 0) throw new AppError("invalid", say`A text of more than ${MAX_TEXT} characters`);
    return formatText(value);
  });
  return parts.join("");
}

/**
 * Characters a value has as text, those that JSON escapes counted once; of a larger one than `most` something above it, found
 * without writing it.
 */
export function computeSize(value: unknown, most: number): number {
  if (typeof value !== "object" || value === null) return String(value ?? "").length;
  let size = 2;
  const isList = Array.isArray(value);
  const keys = isList ? value.keys() : Object.keys(value);
  for (const key of keys) {
    const of = (value as Record<string | number, unknown>)[key];
    size += (isList ? 1 : String(key).length + 4) + (typeof of === "string" ? 2 : 0);
    size += computeSize(of, most - size);
    if (size > most) return size;
  }
  return size;
}

/** Returns false for null, false, 0, an empty text and an empty list; true otherwise. */
export function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "string" ? value !== "" && value !== "false" && value !== "0" : !!value;
}

/** Formats a value inside a text: null is empty, lists and objects are JSON. */
export function formatText(value: Value): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns the value at a path, own properties only; null for a missing one. */
function valueAt(names: Names, path: ExpressionPath): Value {
  let at: unknown = names;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return null;
    at = (at as Record<string | number, unknown>)[step];
  }
  return (at ?? null) as Value;
}

function pair(
  { operator, left, right }: Tree & { kind: "pair" },
  names: Names,
): Value {
  const first = evaluate(left, names);
  if (operator === "&&") return isTrue(first) && isTrue(evaluate(right, names));
  if (operator === "||") return isTrue(first) || isTrue(evaluate(right, names));
  const second = evaluate(right, names);
  const compared = COMPARE[operator];
  if (compared) return compared(first, second);
  return calculate(operator, numberIn(first), numberIn(second));
}

const COMPARE: Partial<Record<Operator, (a: Value, b: Value) => boolean>> = {
  "==": (a, b) => isSame(a, b),
  "!=": (a, b) => !isSame(a, b),
  "<": (a, b) => (order(a, b) ?? 0) < 0,
  "<=": (a, b) => (order(a, b) ?? 1) <= 0,
  ">": (a, b) => (order(a, b) ?? 0) > 0,
  ">=": (a, b) => (order(a, b) ?? -1) >= 0,
};

/** Compares two values; two texts are compared as texts: `007` differs from `7`. */
function isSame(a: Value, b: Value): boolean {
  if (typeof a === "string" && typeof b === "string") return a === b;
  return a === b || a !== null && b !== null && order(a, b) === 0;
}

/** Compares numbers by value and texts by characters; undefined if a value is missing. */
function order(a: Value, b: Value): number | undefined {
  if (a === null || b === null) return undefined;
  for (const it of [a, b]) {
    if (typeof it === "object") throw new AppError("invalid", say`A list cannot be compared`);
  }
  const [x, y] = [findNumber(a), findNumber(b)];
  if (x && y) return compare(x, y);
  const [s, t] = [String(a), String(b)];
  return s < t ? -1 : s > t ? 1 : 0;
}

function calculate(operator: Operator, a: Decimal, b: Decimal): Value {
  if ((operator === "/" || operator === "%") && getSign(b) === 0) {
    throw new AppError("invalid", say`Nothing can be divided by 0`);
  }
  const result = operator === "+"
    ? add(a, b)
    : operator === "-"
    ? subtract(a, b)
    : operator === "*"
    ? multiply(a, b)
    : operator === "/"
    ? round(divide(a, b, 20), 10)
    : remainder(a, b);
  return asValue(result);
}

function asValue(result: Decimal): Value {
  const text = formatDecimal(result);
  if (text.length > MAX_DIGITS) {
    throw new AppError(
      "invalid",
      say`A number of ${text.length} digits; ${MAX_DIGITS} are allowed`,
    );
  }
  const number = Number(text);
  return String(number) === text ? number : text;
}

function numberIn(value: Value): Decimal {
  const number = findNumber(value);
  if (!number) throw new AppError("invalid", say`${formatText(value).slice(0, 60)} is no number`);
  return number;
}

function findNumber(value: Value): Decimal | undefined {
  const isNumber = typeof value === "number" || typeof value === "string";
  const text = isNumber ? String(value) : "";
  return text && text.length <= MAX_DIGITS ? parseDecimal(text) : undefined;
}
