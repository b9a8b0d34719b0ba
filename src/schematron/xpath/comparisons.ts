import type { XmlNode } from "#src/xml/mod.ts";
import type { ComparisonOp } from "./ast.ts";
import {
  compareGeneral,
  compareText,
  compareValues,
  satisfies,
  toBoolean,
  toText,
} from "./atomic.ts";
import {
  boolCode,
  type Code,
  compileList,
  compileSingle,
  isNumericKind,
  isTextKind,
  MANY,
  ONE,
  oneCode,
  OPTIONAL,
  type Sink,
  type StaticType,
} from "./code.ts";
import { wrongType } from "./faults.ts";
import type { EvaluationFrame } from "./frame.ts";
import { isNode, type XPathItem } from "./items.ts";
import { compareNumeric, parseDouble, toDouble } from "./numbers.ts";
import type { Numeric } from "./items.ts";
import { valueWithout, type WhenAbsent } from "./when_absent.ts";

type Compare = (a: XPathItem, b: XPathItem) => boolean;
const FLIPPED = { eq: "eq", ne: "ne", lt: "gt", le: "ge", gt: "lt", ge: "le" } as const;
/** Number of constants from which membership is tested with a set. */
const SET_FROM = 4;

/** `A = B` and its kind: whether some pair satisfies it. */
export function compileGeneral(op: ComparisonOp, left: Code, right: Code): Code {
  const code = compileBareGeneral(op, left, right);
  return { ...code, absent: code.absent ?? whenAbsent(op, left, right) };
}

/** Returns the result without nodes: no pair satisfies a comparison, and a count is 0. */
function whenAbsent(op: ComparisonOp, left: Code, right: Code): WhenAbsent | undefined {
  const limit = right.constant?.[0];
  if (left.kind === "integer") {
    return typeof limit === "number" ? valueWithout(left, satisfies(op, -limit)) : undefined;
  }
  return left.kind === "node" ? valueWithout(left, false) : undefined;
}

function compileBareGeneral(op: ComparisonOp, left: Code, right: Code): Code {
  const depends = left.depends | right.depends;
  const members = stringSet(op, left.kind, right);
  if (members !== undefined) return boolCode(depends, isMember(left, members));
  const [wanted] = right.constant ?? [];
  if (op === "eq" && left.texts !== undefined && typeof wanted === "string" && right.card === ONE) {
    const { texts } = left;
    const member = { of: texts, text: wanted };
    const absent = { value: false, chain: undefined, needs: [], member };
    return { ...boolCode(depends, (frame) => texts(frame).has(wanted)), absent, kept: true };
  }
  const others = stringSet(op, right.kind, left);
  if (others !== undefined) return boolCode(depends, isMember(right, others));
  const swap = left.card !== MANY && right.card === MANY;
  const a = swap ? right : left;
  const b = swap ? left : right;
  const use = swap ? FLIPPED[op] : op;
  const compare = comparator(use, a.kind, b.kind);
  if (a.card !== MANY) return boolCode(depends, singlePair(a, b, compare));
  if (b.card !== MANY) return boolCode(depends, manyToOne(a, b, compare));
  return boolCode(depends, manyToMany(a, b, { op: use, compare }));
}

function isMember(code: Code, members: ReadonlySet<string>): (frame: EvaluationFrame) => boolean {
  return code.any((_, item) => members.has(getString(item)));
}

function getString(item: XPathItem): string {
  return typeof item === "string" ? item : toText(item);
}

/** Returns the constants of `x = ('A', 'B', …)` as a set, where both sides are text. */
function stringSet(
  op: ComparisonOp,
  kind: StaticType,
  constants: Code,
): ReadonlySet<string> | undefined {
  if (op !== "eq" || constants.kind !== "string" || !isTextKind(kind)) return undefined;
  const list = constants.constant;
  return list !== undefined && list.length >= SET_FROM ? new Set(list.map(toText)) : undefined;
}

function singlePair(a: Code, b: Code, compare: Compare): (frame: EvaluationFrame) => boolean {
  const [first, second] = [a.one, b.one];
  const constant = b.constant?.[0];
  if (constant !== undefined) {
    return (frame) => {
      const x = first(frame);
      return x !== undefined && compare(x, constant);
    };
  }
  return (frame) => {
    const x = first(frame);
    if (x === undefined) return false;
    const y = second(frame);
    return y !== undefined && compare(x, y);
  };
}

function manyToOne(a: Code, b: Code, compare: Compare): (frame: EvaluationFrame) => boolean {
  const constant = b.constant?.[0];
  if (constant !== undefined) return a.any((_, item) => compare(item, constant));
  let other: XPathItem | undefined;
  const walk = a.any((_, item) => other !== undefined && compare(item, other));
  return (frame) => {
    const outer = other;
    const mine = b.one(frame);
    if (mine === undefined) return false;
    other = mine;
    try {
      return walk(frame);
    } finally {
      other = outer;
    }
  };
}

function manyToMany(
  a: Code,
  b: Code,
  { op, compare }: { op: ComparisonOp; compare: Compare },
): (frame: EvaluationFrame) => boolean {
  const textual = op === "eq" && isTextKind(a.kind) && isTextKind(b.kind);
  const items = compileList({ ...b, each: b.any });
  let others: readonly XPathItem[] = [];
  let set: ReadonlySet<string> | undefined;
  const sink: Sink = (_, item) =>
    set === undefined ? others.some((other) => compare(item, other)) : set.has(getString(item));
  const walk = a.any(sink);
  return (frame) => {
    const list = items(frame);
    if (list.length === 0) return false;
    const outer = [others, set] as const;
    others = list;
    set = textual && list.length > SET_FROM ? new Set(list.map(getString)) : undefined;
    try {
      return walk(frame);
    } finally {
      [others, set] = outer;
    }
  };
}

/**
 * Returns the comparison of two items, chosen by their static types. Nodes are those of documents without schema.
 */
function comparator(op: ComparisonOp, a: StaticType, b: StaticType): Compare {
  if (isTextKind(a) && isTextKind(b)) {
    if (op === "eq") return (x, y) => getString(x) === getString(y);
    if (op === "ne") return (x, y) => getString(x) !== getString(y);
    return (x, y) => satisfies(op, compareText(getString(x), getString(y)));
  }
  if (isUntyped(a) && isNumericKind(b)) {
    return (x, y) => satisfies(op, compareDoubles(parseDouble(toText(x)), toDouble(y as Numeric)));
  }
  if (isNumericKind(a) && isUntyped(b)) {
    return (x, y) => satisfies(op, compareDoubles(toDouble(x as Numeric), parseDouble(toText(y))));
  }
  if (isNumericKind(a) && isNumericKind(b)) {
    return (x, y) => satisfies(op, compareNumeric(x as Numeric, y as Numeric));
  }
  if (isUntyped(a) && b === "boolean") {
    return (x, y) => satisfies(op, Number(toBoolean(toText(x))) - Number(y));
  }
  if (a === "boolean" && isUntyped(b)) {
    return (x, y) => satisfies(op, Number(x) - Number(toBoolean(toText(y))));
  }
  return (x, y) => satisfies(op, compareGeneral(x, y, op));
}

function isUntyped(kind: StaticType): boolean {
  return kind === "node" || kind === "untyped";
}

function compareDoubles(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** `A eq B` and its kind: one item a side; nothing where a side is empty. */
export function compileValue(op: ComparisonOp, left: Code, right: Code): Code {
  const a = compileSingle(left, op);
  const b = compileSingle(right, op);
  const depends = left.depends | right.depends;
  const integers = left.kind === "integer" && right.kind === "integer";
  const compare: Compare = integers
    ? (x, y) => satisfies(op, compareNumeric(x as Numeric, y as Numeric))
    : (x, y) => satisfies(op, compareValues(x, y, op));
  const one = (frame: EvaluationFrame) => {
    const x = a(frame);
    const y = b(frame);
    return x === undefined || y === undefined ? undefined : compare(x, y);
  };
  const card = left.card === ONE && right.card === ONE ? ONE : OPTIONAL;
  return {
    ...oneCode("boolean", depends, one, card),
    absent: integers ? whenAbsent(op, left, right) : undefined,
  };
}

/** `is`, `<<` and `>>` between two nodes. */
export function compileOrder(op: "is" | "<<" | ">>", left: Code, right: Code): Code {
  const a = compileSingle(left, op);
  const b = compileSingle(right, op);
  const one = (frame: EvaluationFrame) => {
    const x = nodeOrNothing(a(frame));
    const y = nodeOrNothing(b(frame));
    if (x === undefined || y === undefined) return undefined;
    return op === "is" ? x === y : op === "<<" ? x.order < y.order : x.order > y.order;
  };
  return oneCode("boolean", left.depends | right.depends, one, OPTIONAL);
}

function nodeOrNothing(item: XPathItem | undefined): XmlNode | undefined {
  if (item === undefined || isNode(item)) return item;
  throw wrongType("a node is expected", "un nœud est attendu");
}
