import { fromNumber } from "#src/kernel/decimal.ts";
import type { ArithmeticOp, ComparisonOp } from "./ast.ts";
import { cannotCast, wrongType, XPathFault } from "./faults.ts";
import {
  type AtomicType,
  atomicType,
  Double,
  Duration,
  Float,
  isNode,
  isNumeric,
  type Numeric,
  Temporal,
  type TemporalType,
  Untyped,
  type XPathItem,
} from "./items.ts";
import {
  arithmetic,
  compareNumeric,
  formatNumeric,
  narrowInteger,
  parseDecimal,
  parseDouble,
  toDecimal,
  toDouble,
  toInteger,
  trimSpace,
} from "./numbers.ts";
import {
  addDuration,
  formatDuration,
  formatTemporal,
  instant,
  parseDuration,
  parseTemporal,
} from "./temporal.ts";

const TEMPORAL: ReadonlySet<string> = new Set(["date", "dateTime", "time", "gYear", "gYearMonth"]);
const NONE = Number.NEGATIVE_INFINITY;
const ANY = Number.POSITIVE_INFINITY;
/** Derived integer types and their range. */
const INTEGERS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["integer", [NONE, ANY]],
  ["nonNegativeInteger", [0, ANY]],
  ["positiveInteger", [1, ANY]],
  ["nonPositiveInteger", [NONE, 0]],
  ["negativeInteger", [NONE, -1]],
  ["long", [-(2 ** 63), 2 ** 63 - 1]],
  ["int", [-(2 ** 31), 2 ** 31 - 1]],
  ["short", [-(2 ** 15), 2 ** 15 - 1]],
  ["byte", [-128, 127]],
  ["unsignedLong", [0, 2 ** 64 - 1]],
  ["unsignedInt", [0, 2 ** 32 - 1]],
  ["unsignedShort", [0, 2 ** 16 - 1]],
  ["unsignedByte", [0, 255]],
]);
const OTHERS: ReadonlySet<string> = new Set([
  "string",
  "normalizedString",
  "token",
  "anyURI",
  "untypedAtomic",
  "anyAtomicType",
  "boolean",
  "decimal",
  "double",
  "float",
  "numeric",
  "duration",
  "dayTimeDuration",
  "yearMonthDuration",
]);

/** Checks whether this engine supports the atomic type `xs:name`. */
export function isAtomicTypeName(name: string): boolean {
  return INTEGERS.has(name) || TEMPORAL.has(name) || OTHERS.has(name);
}

function isTemporalName(name: string): name is TemporalType {
  return TEMPORAL.has(name);
}

/** Returns the text of an item, as `fn:string` gives it. */
export function toText(item: XPathItem): string {
  if (typeof item === "string") return item;
  if (typeof item === "boolean") return item ? "true" : "false";
  if (isNumeric(item)) return formatNumeric(item);
  if (item instanceof Untyped) return item.untyped;
  if (item instanceof Temporal) return formatTemporal(item);
  if (item instanceof Duration) return formatDuration(item);
  return item.text;
}

/** Casts an item to `xs:name`; throws an `XPathFault` where XPath 2.0 has a dynamic error. */
export function castTo(item: XPathItem, name: string): XPathItem {
  const type = atomicType(item);
  const range = INTEGERS.get(name);
  if (range !== undefined) return castToInteger(item, { name, type, range });
  if (isTemporalName(name)) return castToTemporal(item, name);
  switch (name) {
    case "string":
    case "anyURI":
      return toText(item);
    case "normalizedString":
      return toText(item).replace(/[\t\n\r]/g, " ");
    case "token":
      return toText(item).replace(/[ \t\n\r]+/g, " ").trim();
    case "untypedAtomic":
      return new Untyped(toText(item));
    case "anyAtomicType":
      return isNode(item) ? new Untyped(item.text) : item;
    case "boolean":
      return castToBoolean(item);
    case "decimal":
      return isTextual(type) ? parseDecimal(toText(item)) : toDecimal(getNumeric(item, "decimal"));
    case "double":
      return castToDouble(item);
    case "float":
      return item instanceof Float ? item : new Float(castToDouble(item).double);
    case "numeric":
      return isNumeric(item) ? item : castToDouble(item);
    default:
      return castToDuration(item, name);
  }
}

function isTextual(type: AtomicType): boolean {
  return type === "untyped" || type === "string";
}

function castToInteger(
  item: XPathItem,
  to: { name: string; type: AtomicType; range: readonly [number, number] },
): number | bigint {
  const value = isTextual(to.type)
    ? integerOfText(toText(item), to.name)
    : toInteger(getNumeric(item, to.name));
  if (value < to.range[0] || value > to.range[1]) throw cannotCast(String(value), `xs:${to.name}`);
  return value;
}

function integerOfText(text: string, name: string): number | bigint {
  const trim = trimSpace(text);
  if (!/^[+-]?\d+$/.test(trim)) throw cannotCast(text, `xs:${name}`);
  return narrowInteger(parseDecimal(trim));
}

function castToTemporal(item: XPathItem, name: TemporalType): Temporal {
  if (item instanceof Temporal) {
    if (item.type === name) return item;
    if (item.type === "dateTime" || (item.type === "date" && name !== "time")) {
      const text = formatTemporal(new Temporal(name, item.ms, item.offset));
      return parseTemporal(name, text);
    }
  } else if (isTextual(atomicType(item))) return parseTemporal(name, trimSpace(toText(item)));
  throw noCast(item, name);
}

function castToDuration(item: XPathItem, name: string): Duration {
  if (item instanceof Duration) return item;
  if (!isTextual(atomicType(item))) throw noCast(item, name);
  const value = parseDuration(trimSpace(toText(item)));
  const wrong = (name === "dayTimeDuration" && value.months !== 0) ||
    (name === "yearMonthDuration" && value.ms !== 0);
  if (wrong) throw cannotCast(toText(item), `xs:${name}`);
  return value;
}

export function toBoolean(text: string): boolean {
  switch (trimSpace(text)) {
    case "true":
    case "1":
      return true;
    case "false":
    case "0":
      return false;
    default:
      throw cannotCast(text, "xs:boolean");
  }
}

function castToBoolean(item: XPathItem): boolean {
  if (typeof item === "boolean") return item;
  if (isNumeric(item)) {
    const value = toDouble(item);
    return value !== 0 && !Number.isNaN(value);
  }
  if (isTextual(atomicType(item))) return toBoolean(toText(item));
  throw noCast(item, "boolean");
}

function castToDouble(item: XPathItem): Double {
  if (item instanceof Float) return new Double(item.double);
  if (item instanceof Double) return item;
  if (isTextual(atomicType(item))) return new Double(parseDouble(toText(item)));
  return new Double(toDouble(getNumeric(item, "double")));
}

function getNumeric(item: XPathItem, name: string): Numeric {
  if (typeof item === "boolean") return item ? 1 : 0;
  if (isNumeric(item)) return item;
  throw noCast(item, name);
}

function noCast(item: XPathItem, name: string): XPathFault {
  const type = atomicType(item);
  return wrongType(
    `xs:${type} cannot be cast to xs:${name}`,
    `xs:${type} ne peut être converti en xs:${name}`,
  );
}

/** Negative, zero, positive or NaN; text is compared by code point. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  if (!/[\uD800-\uFFFF]/.test(a + b)) return a < b ? -1 : 1;
  const p = Array.from(a, (char) => char.codePointAt(0) ?? 0);
  const q = Array.from(b, (char) => char.codePointAt(0) ?? 0);
  for (let at = 0; at < Math.min(p.length, q.length); at++) {
    const difference = (p[at] ?? 0) - (q[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return p.length - q.length;
}

/** Compares two items as a value comparison does: untyped values count as strings. */
export function compareValues(a: XPathItem, b: XPathItem, op: ComparisonOp): number {
  if (isNumeric(a) && isNumeric(b)) return compareNumeric(a, b);
  const p = atomicType(a);
  const q = atomicType(b);
  if (isTextual(p) && isTextual(q)) return compareText(toText(a), toText(b));
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof Temporal && b instanceof Temporal && a.type === b.type) {
    return instant(a) - instant(b);
  }
  if (a instanceof Duration && b instanceof Duration) return compareDurations(a, b, op);
  throw wrongType(
    `xs:${p} and xs:${q} cannot be compared`,
    `xs:${p} et xs:${q} ne se comparent pas`,
  );
}

function compareDurations(a: Duration, b: Duration, op: ComparisonOp): number {
  if (a.months === 0 && b.months === 0) return a.ms - b.ms;
  if (op === "eq" || op === "ne") return a.months === b.months && a.ms === b.ms ? 0 : 1;
  if (a.ms === 0 && b.ms === 0) return a.months - b.months;
  throw wrongType("mixed durations have no order", "des durées mixtes n'ont pas d'ordre");
}

/** Compares two items as a general comparison does: an untyped value takes the type of the other side. */
export function compareGeneral(a: XPathItem, b: XPathItem, op: ComparisonOp): number {
  const p = atomicType(a);
  const q = atomicType(b);
  if (p === "untyped" && q !== "untyped") return compareValues(likeOther(a, b, q), b, op);
  if (q === "untyped" && p !== "untyped") return compareValues(a, likeOther(b, a, p), op);
  return compareValues(a, b, op);
}

function likeOther(untyped: XPathItem, other: XPathItem, type: AtomicType): XPathItem {
  if (type === "string") return toText(untyped);
  return isNumeric(other) ? new Double(parseDouble(toText(untyped))) : castTo(untyped, type);
}

/** Checks whether an order (negative, zero, positive, NaN) satisfies the operator. */
export function satisfies(op: ComparisonOp, order: number): boolean {
  switch (op) {
    case "eq":
      return order === 0;
    case "ne":
      return order !== 0;
    case "lt":
      return order < 0;
    case "le":
      return order <= 0;
    case "gt":
      return order > 0;
    case "ge":
      return order >= 0;
  }
}

/** Arithmetic on any two atomic items; untyped values count as xs:double. */
export function calculate(op: ArithmeticOp, left: XPathItem, right: XPathItem): XPathItem {
  const a = asOperand(left);
  const b = asOperand(right);
  if (isNumeric(a) && isNumeric(b)) return arithmetic(op, a, b);
  if (a instanceof Temporal && b instanceof Duration && (op === "+" || op === "-")) {
    return addDuration(a, b, op === "+" ? 1 : -1);
  }
  if (a instanceof Duration && b instanceof Temporal && op === "+") return addDuration(b, a, 1);
  if (a instanceof Temporal && b instanceof Temporal && a.type === b.type && op === "-") {
    return new Duration(0, instant(a) - instant(b));
  }
  if (a instanceof Duration || b instanceof Duration) {
    const result = calculateDurations(op, a, b);
    if (result !== undefined) return result;
  }
  const [p, q] = [atomicType(a), atomicType(b)];
  throw wrongType(
    `"${op}" is not defined for xs:${p} and xs:${q}`,
    `« ${op} » n'est pas défini pour xs:${p} et xs:${q}`,
  );
}

function asOperand(item: XPathItem): XPathItem {
  return atomicType(item) === "untyped" ? new Double(parseDouble(toText(item))) : item;
}

function calculateDurations(op: ArithmeticOp, a: XPathItem, b: XPathItem): XPathItem | undefined {
  if (a instanceof Duration && b instanceof Duration) {
    if (op === "+") return new Duration(a.months + b.months, a.ms + b.ms);
    if (op === "-") return new Duration(a.months - b.months, a.ms - b.ms);
    if (op === "div" && a.months === 0 && b.ms !== 0) {
      return arithmetic("div", fromNumber(a.ms), fromNumber(b.ms));
    }
  }
  if (a instanceof Duration && isNumeric(b) && (op === "*" || op === "div")) {
    const factor = op === "*" ? toDouble(b) : 1 / toDouble(b);
    return new Duration(Math.round(a.months * factor), Math.round(a.ms * factor));
  }
  return isNumeric(a) && b instanceof Duration && op === "*"
    ? calculateDurations("*", b, a)
    : undefined;
}
