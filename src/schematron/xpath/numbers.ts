import { Decimal } from "#src/kernel/decimal.ts";
import * as decimals from "#src/kernel/decimal.ts";
import { cannotCast, XPathFault } from "./faults.ts";
import { Double, Float, type Numeric } from "./items.ts";
import type { ArithmeticOp } from "./ast.ts";

const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const LIMITS: Readonly<Record<string, number>> = {
  INF: Infinity,
  "+INF": Infinity,
  "-INF": -Infinity,
  NaN: NaN,
};

/** Trims XML white space at both ends. */
export function trimSpace(text: string): string {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  return first > 32 && last > 32 ? text : text.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, "");
}

export function parseDouble(text: string): number {
  const value = doubleOrUndefined(text);
  if (value === undefined) throw cannotCast(text, "xs:double");
  return value;
}

/** undefined where the text is no xs:double. */
export function doubleOrUndefined(text: string): number | undefined {
  const trim = trimSpace(text);
  if (DOUBLE.test(trim)) return Number(trim);
  return Object.hasOwn(LIMITS, trim) ? LIMITS[trim] : undefined;
}

export function parseDecimal(text: string): Decimal {
  const value = decimals.parseDecimal(text) ?? decimals.parseDecimal(trimSpace(text));
  if (value === undefined) throw cannotCast(text, "xs:decimal");
  return value;
}

export function toDouble(value: Numeric): number {
  if (typeof value === "number") return value;
  if (value instanceof Double) return value.double;
  return value instanceof Decimal ? decimals.toNumber(value) : Number(value);
}

/**
 * Returns the exact value, also of a double: 0.1e0 is 0.1000000000000000055511151231257827… (XPath 2.0
 * §17.1.3.3).
 */
export function toDecimal(value: Numeric): Decimal {
  if (value instanceof Decimal) return value;
  if (!(value instanceof Double)) return decimals.fromUnits(value, 0);
  if (!Number.isFinite(value.double)) return fault("FOCA0002", value);
  return decimals.fromNumber(value.double);
}

/** xs:integer: toward zero. */
export function toInteger(value: Numeric): number | bigint {
  if (typeof value === "number" || typeof value === "bigint") return value;
  return narrowInteger(decimals.round(toDecimal(value), 0, "truncate"));
}

/** Returns the xs:integer of a decimal without fraction. */
export function narrowInteger(value: Decimal): number | bigint {
  if (value.scale === 0) return value.big ?? value.small;
  return narrowInteger(decimals.integerQuotient(value, decimals.decimal("1")));
}

function fault(code: string, value: Numeric): never {
  const shown = formatNumeric(value);
  throw new XPathFault(
    code,
    `${shown} cannot be converted to xs:integer or xs:decimal`,
    `${shown} ne peut être converti en xs:integer ou xs:decimal`,
  );
}

export function compareNumeric(a: Numeric, b: Numeric): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (a instanceof Double || b instanceof Double) {
    const single = isSingle(a) && isSingle(b);
    const x = single ? Math.fround(toDouble(a)) : toDouble(a);
    const y = single ? Math.fround(toDouble(b)) : toDouble(b);
    return x === y ? 0 : x - y;
  }
  return decimals.compare(toDecimal(a), toDecimal(b));
}

export function arithmetic(op: ArithmeticOp, a: Numeric, b: Numeric): Numeric {
  if (a instanceof Double || b instanceof Double) {
    const result = ofDoubles(op, toDouble(a), toDouble(b));
    if (!(a instanceof Float) && !(b instanceof Float)) return result;
    return result instanceof Double && isSingle(a) && isSingle(b)
      ? new Float(result.double)
      : result;
  }
  if (typeof a === "number" && typeof b === "number") {
    const fast = ofSmall(op, a, b);
    if (fast !== undefined) return fast;
  }
  const exact = op === "div" ? quotient(a, b) : ofDecimals(op, toDecimal(a), toDecimal(b));
  const integral = !(a instanceof Decimal) && !(b instanceof Decimal) && op !== "div";
  return integral || op === "idiv" ? narrowInteger(exact) : exact;
}

function ofSmall(op: ArithmeticOp, a: number, b: number): number | undefined {
  const result = op === "+" ? a + b : op === "-" ? a - b : op === "*" ? a * b : NaN;
  return Number.isSafeInteger(result) ? result + 0 : undefined;
}

function ofDecimals(op: ArithmeticOp, a: Decimal, b: Decimal): Decimal {
  if (op === "+") return decimals.add(a, b);
  if (op === "-") return decimals.subtract(a, b);
  if (op === "*") return decimals.multiply(a, b);
  if (decimals.getSign(b) === 0) return divisionByZero();
  return op === "idiv" ? decimals.integerQuotient(a, b) : decimals.remainder(a, b);
}

/** Checks whether arithmetic with the value returns an xs:float if the other operand allows it. */
function isSingle(value: Numeric): boolean {
  return value instanceof Float || !(value instanceof Double);
}

/**
 * Divides. An infinite quotient has 18 decimals, plus one for each decimal the dividend has more than the
 * divisor, without trailing zeros. XPath leaves the number open; this is Saxon's choice.
 */
function quotient(a: number | bigint | Decimal, b: number | bigint | Decimal): Decimal {
  const divisor = toDecimal(b);
  if (decimals.getSign(divisor) === 0) return divisionByZero();
  const digits = 18 + Math.max(0, digitsBehindPoint(a) - digitsBehindPoint(b));
  return decimals.divide(toDecimal(a), divisor, digits);
}

/** Counts decimals without trailing zeros, so that 300.0 has -2; an xs:integer has 0. */
function digitsBehindPoint(value: number | bigint | Decimal): number {
  return value instanceof Decimal ? decimals.countDecimals(value) : 0;
}

function divisionByZero(): never {
  throw new XPathFault("FOAR0001", "division by zero", "division par zéro");
}

function ofDoubles(op: ArithmeticOp, a: number, b: number): Numeric {
  switch (op) {
    case "+":
      return new Double(a + b);
    case "-":
      return new Double(a - b);
    case "*":
      return new Double(a * b);
    case "div":
      return new Double(a / b);
    case "mod":
      return new Double(a % b);
    case "idiv":
      if (b === 0) divisionByZero();
      if (Number.isNaN(a) || Number.isNaN(b) || !Number.isFinite(a)) {
        throw new XPathFault(
          "FOAR0002",
          `${formatDouble(a)} idiv ${formatDouble(b)} has no result`,
          `${formatDouble(a)} idiv ${formatDouble(b)} n'a pas de résultat`,
        );
      }
      return toInteger(new Double(Math.trunc(a / b)));
  }
}

function likeDouble(a: Double, value: number): Double {
  return a instanceof Float ? new Float(value) : new Double(value);
}

export function negateNumeric(a: Numeric): Numeric {
  if (a instanceof Double) return likeDouble(a, -a.double);
  if (typeof a === "number") return 0 - a;
  return typeof a === "bigint" ? -a : decimals.negate(a);
}

export function absNumeric(a: Numeric): Numeric {
  if (a instanceof Double) return likeDouble(a, Math.abs(a.double));
  if (typeof a === "number") return Math.abs(a);
  return typeof a === "bigint" ? (a < 0n ? -a : a) : decimals.abs(a);
}

export function roundNumeric(a: Numeric, places: number, rounding: decimals.Rounding): Numeric {
  if (typeof a === "number" && places >= 0) return a;
  if (a instanceof Double) return likeDouble(a, roundDouble(a.double, places, rounding));
  if (a instanceof Decimal) return decimals.round(a, places, rounding);
  return narrowInteger(decimals.round(toDecimal(a), places, rounding));
}

/**
 * Rounds a double. With decimals, the standard leaves open how a double, which is hardly ever a tie, is rounded.
 * This is Saxon's way: a tie is detected in the digit after the last retained one of the double product. It is
 * rounded away from zero, or to even.
 */
function roundDouble(a: number, places: number, rounding: decimals.Rounding): number {
  if (!Number.isFinite(a) || a === 0) return a;
  if (places === 0 && rounding === "half-up") return Math.round(a);
  if (places === 0 && rounding === "floor") return Math.floor(a);
  if (places === 0 && rounding === "ceiling") return Math.ceil(a);
  const factor = 10 ** (places + 1);
  const scaled = Math.abs(a * factor);
  if (!Number.isFinite(scaled)) return a;
  const digit = scaled % 10;
  const up = digit !== 5 || rounding === "half-up" ? digit >= 5 : scaled % 20 === 15;
  const kept = (up ? scaled + (10 - digit) : scaled - digit) / factor;
  return a < 0 ? -kept : kept;
}

export function formatNumeric(a: Numeric): string {
  if (a instanceof Float) return formatDouble(a.double, shortestSingle(a.double));
  if (a instanceof Double) return formatDouble(a.double);
  return String(a);
}

/** Returns the fewest digits that distinguish a float from its neighbours, in the form of `toExponential`. */
function shortestSingle(value: number): string {
  for (let digits = 0; digits < 9; digits++) {
    const text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return value.toExponential();
}

/** Returns the canonical form of xs:double: plain between 10^-6 and 10^6, else `1.5E7`. */
function formatDouble(a: number, shortest = a.toExponential()): string {
  if (Number.isNaN(a)) return "NaN";
  if (!Number.isFinite(a)) return a < 0 ? "-INF" : "INF";
  if (a === 0) return Object.is(a, -0) ? "-0" : "0";
  const size = Math.abs(Number(shortest));
  if (size >= 1e-6 && size < 1e6) return String(Number(shortest));
  const [mantissa = "", exponent = "0"] = shortest.split("e");
  return `${mantissa.includes(".") ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}
