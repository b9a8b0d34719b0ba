import { Decimal } from "#src/kernel/decimal.ts";
import * as decimals from "#src/kernel/decimal.ts";
import { cannotCast, XPathFault } from "./faults.ts";
import { Double, type Numeric } from "./items.ts";
import type { ArithmeticOp } from "./ast.ts";

const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const LIMITS: Readonly<Record<string, number>> = {
  INF: Infinity,
  "+INF": Infinity,
  "-INF": -Infinity,
  NaN: NaN,
};

/** Without XML white space at both ends. */
export function trimmed(text: string): string {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  return first > 32 && last > 32 ? text : text.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, "");
}

export function doubleOf(text: string): number {
  const value = doubleOrUndefined(text);
  if (value === undefined) throw cannotCast(text, "xs:double");
  return value;
}

/** undefined where the text is no xs:double. */
export function doubleOrUndefined(text: string): number | undefined {
  const trim = trimmed(text);
  if (DOUBLE.test(trim)) return Number(trim);
  return Object.hasOwn(LIMITS, trim) ? LIMITS[trim] : undefined;
}

export function decimalOf(text: string): Decimal {
  const value = decimals.parseDecimal(text) ?? decimals.parseDecimal(trimmed(text));
  if (value === undefined) throw cannotCast(text, "xs:decimal");
  return value;
}

export function toDouble(value: Numeric): number {
  if (typeof value === "number") return value;
  if (value instanceof Double) return value.double;
  return value instanceof Decimal ? decimals.toNumber(value) : Number(value);
}

export function toDecimal(value: Numeric): Decimal {
  if (value instanceof Decimal) return value;
  if (!(value instanceof Double)) return decimals.fromUnits(value, 0);
  const text = exactText(value.double);
  return decimals.parseDecimal(text) ?? fault("FOCA0001", value);
}

function exactText(value: number): string {
  if (!Number.isFinite(value)) return "";
  if (Number.isInteger(value)) return BigInt(value).toString();
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const digits = mantissa.replace(/[-.]/g, "");
  const zeros = "0".repeat(Math.max(0, -Number(exponent) - 1));
  return `${value < 0 ? "-" : ""}0.${zeros}${digits}`;
}

/** xs:integer: toward zero. */
export function toInteger(value: Numeric): number | bigint {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Double && !Number.isFinite(value.double)) return fault("FOCA0002", value);
  return integerOf(decimals.round(toDecimal(value), 0, "truncate"));
}

/** The xs:integer of a decimal without fraction. */
export function integerOf(value: Decimal): number | bigint {
  if (value.scale === 0) return value.big ?? value.small;
  return integerOf(decimals.integerQuotient(value, decimals.decimal("1")));
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
    const x = toDouble(a);
    const y = toDouble(b);
    return x === y ? 0 : x - y;
  }
  return decimals.compare(toDecimal(a), toDecimal(b));
}

export function arithmetic(op: ArithmeticOp, a: Numeric, b: Numeric): Numeric {
  if (a instanceof Double || b instanceof Double) return ofDoubles(op, toDouble(a), toDouble(b));
  if (typeof a === "number" && typeof b === "number") {
    const fast = ofSmall(op, a, b);
    if (fast !== undefined) return fast;
  }
  const exact = ofDecimals(op, toDecimal(a), toDecimal(b));
  const integral = !(a instanceof Decimal) && !(b instanceof Decimal) && op !== "div";
  return integral || op === "idiv" ? integerOf(exact) : exact;
}

function ofSmall(op: ArithmeticOp, a: number, b: number): number | undefined {
  const result = op === "+" ? a + b : op === "-" ? a - b : op === "*" ? a * b : NaN;
  return Number.isSafeInteger(result) ? result + 0 : undefined;
}

function ofDecimals(op: ArithmeticOp, a: Decimal, b: Decimal): Decimal {
  if (op === "+") return decimals.add(a, b);
  if (op === "-") return decimals.subtract(a, b);
  if (op === "*") return decimals.multiply(a, b);
  if (decimals.signOf(b) === 0) return divisionByZero();
  if (op === "div") return decimals.divide(a, b);
  return op === "idiv" ? decimals.integerQuotient(a, b) : decimals.remainder(a, b);
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
      return toInteger(new Double(Math.trunc(a / b)));
  }
}

export function negateNumeric(a: Numeric): Numeric {
  if (a instanceof Double) return new Double(-a.double);
  if (typeof a === "number") return 0 - a;
  return typeof a === "bigint" ? -a : decimals.negate(a);
}

export function absNumeric(a: Numeric): Numeric {
  if (a instanceof Double) return new Double(Math.abs(a.double));
  if (typeof a === "number") return Math.abs(a);
  return typeof a === "bigint" ? (a < 0n ? -a : a) : decimals.abs(a);
}

export function roundNumeric(a: Numeric, places: number, rounding: decimals.Rounding): Numeric {
  if (typeof a === "number" && places >= 0) return a;
  if (a instanceof Double) return new Double(roundDouble(a.double, places, rounding));
  if (a instanceof Decimal) return decimals.round(a, places, rounding);
  return integerOf(decimals.round(toDecimal(a), places, rounding));
}

function roundDouble(a: number, places: number, rounding: decimals.Rounding): number {
  if (!Number.isFinite(a) || a === 0) return a;
  if (places === 0 && rounding === "half-up") return Math.round(a);
  if (places === 0 && rounding === "floor") return Math.floor(a);
  if (places === 0 && rounding === "ceiling") return Math.ceil(a);
  return decimals.toNumber(decimals.round(toDecimal(new Double(a)), places, rounding));
}

export function formatNumeric(a: Numeric): string {
  if (a instanceof Double) return formatDouble(a.double);
  return String(a);
}

/** The canonical form of xs:double: plain between 10^-6 and 10^6, else `1.5E7`. */
function formatDouble(a: number): string {
  if (Number.isNaN(a)) return "NaN";
  if (!Number.isFinite(a)) return a < 0 ? "-INF" : "INF";
  if (a === 0) return Object.is(a, -0) ? "-0" : "0";
  const size = Math.abs(a);
  if (size >= 1e-6 && size < 1e6) return exactText(a);
  const [mantissa = "", exponent = "0"] = a.toExponential().split("e");
  return `${mantissa.includes(".") ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}
