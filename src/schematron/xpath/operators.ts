import { ELEMENT, type XmlNode } from "#src/xml/mod.ts";
import type { ArithmeticOp, Expr, SequenceType } from "./ast.ts";
import { calculate, castTo, isAtomicTypeName, toText } from "./atomic.ts";
import {
  boolCode,
  type Code,
  collector,
  compileSingle,
  isNumericKind,
  manyCode,
  ONE,
  oneCode,
  OPTIONAL,
  type Sink,
  type StaticType,
  type Walker,
} from "./code.ts";
import { compile } from "./compile.ts";
import { failAt, type StaticContext } from "./env.ts";
import { toFault, wrongType, XPathFault } from "./faults.ts";
import type { EvaluationFrame } from "./frame.ts";
import {
  atomicType,
  Double,
  isNode,
  isNumeric,
  type Numeric,
  Untyped,
  type XPathItem,
} from "./items.ts";
import { arithmetic, negateNumeric, parseDecimal, parseDouble } from "./numbers.ts";
import { inDocumentOrder } from "./order.ts";
import { nodeTest } from "./steps.ts";

export function compileArithmetic(op: ArithmeticOp, left: Code, right: Code): Code {
  const a = compileSingle(left, op);
  const b = compileSingle(right, op);
  const numbers = isNumericKind(left.kind) && isNumericKind(right.kind);
  const apply = numbers
    ? (x: XPathItem, y: XPathItem) => arithmetic(op, x as Numeric, y as Numeric)
    : (x: XPathItem, y: XPathItem) => calculate(op, x, y);
  const one = (frame: EvaluationFrame) => {
    const x = a(frame);
    if (x === undefined) return undefined;
    const y = b(frame);
    return y === undefined ? undefined : apply(x, y);
  };
  const card = left.card === ONE && right.card === ONE ? ONE : OPTIONAL;
  return oneCode(resultKind(op, left.kind, right.kind), left.depends | right.depends, one, card);
}

function resultKind(op: ArithmeticOp, a: StaticType, b: StaticType): StaticType {
  const untyped = (kind: StaticType) => kind === "node" || kind === "untyped";
  if ((untyped(a) || isNumericKind(a)) && (untyped(b) || isNumericKind(b))) {
    if (op === "idiv") return "integer";
    if (untyped(a) || untyped(b) || a === "double" || b === "double") return "double";
    if (a === "numeric" || b === "numeric") return "numeric";
    return a === "integer" && b === "integer" && op !== "div" ? "integer" : "decimal";
  }
  return "item";
}

export function compileNegate(operand: Code): Code {
  const single = compileSingle(operand, "-");
  const one = (frame: EvaluationFrame) => {
    const item = single(frame);
    if (item === undefined) return undefined;
    if (isNumeric(item)) return negateNumeric(item);
    if (atomicType(item) === "untyped") return new Double(-parseDouble(toText(item)));
    throw wrongType("a number is expected after -", "un nombre est attendu après -");
  };
  const kind = isNumericKind(operand.kind) ? operand.kind : "numeric";
  return oneCode(kind, operand.depends, one, operand.card === ONE ? ONE : OPTIONAL);
}

const MAX_RANGE = 1_000_000;

export function compileRange(left: Code, right: Code): Code {
  const a = compileSingle(left, "to");
  const b = compileSingle(right, "to");
  const each = (sink: Sink): Walker => (frame) => {
    const from = a(frame);
    const to = b(frame);
    if (from === undefined || to === undefined) return false;
    const [first, last] = [getBound(from), getBound(to)];
    if (last - first > MAX_RANGE) {
      throw new XPathFault("FOAR0002", "the range is too long", "l'intervalle est trop long");
    }
    for (let value = first; value <= last; value++) if (sink(frame, value)) return true;
    return false;
  };
  return manyCode("integer", left.depends | right.depends, each);
}

function getBound(item: XPathItem): number {
  const value = atomicType(item) === "untyped" ? castTo(item, "integer") : item;
  if (typeof value === "number") return value;
  throw wrongType("a range needs integers", "un intervalle demande des entiers");
}

export function compileNodeSet(t: "union" | "intersect" | "except", left: Code, right: Code): Code {
  const depends = left.depends | right.depends;
  const [a, b] = [left, right].map((code) => collector(code.any));
  if (t === "union") {
    const any = (sink: Sink): Walker => {
      const first = left.any(sink);
      const second = right.any(sink);
      return (frame) => first(frame) || second(frame);
    };
    const all = collector(any);
    const each = (sink: Sink): Walker => (frame) =>
      inDocumentOrder(nodesOnly(all(frame))).some((node) => sink(frame, node));
    return manyCode("node", depends, each, { any, distinct: false, ordered: false });
  }
  const each = (sink: Sink): Walker => (frame) => {
    const others = new Set<XPathItem>(nodesOnly(b?.(frame) ?? []));
    const kept = nodesOnly(a?.(frame) ?? []).filter((node) =>
      others.has(node) === (t === "intersect")
    );
    return inDocumentOrder(kept).some((node) => sink(frame, node));
  };
  return manyCode("node", depends, each);
}

function nodesOnly(items: XPathItem[]): XmlNode[] {
  return items.map((item) => {
    if (isNode(item)) return item;
    throw wrongType("nodes are expected", "des nœuds sont attendus");
  });
}

type TypeExpr = Extract<Expr, { t: "instance" | "treat" | "castable" | "cast" }>;

export function compileTypeOperator(expr: TypeExpr, env: StaticContext): Code {
  const operand = compile(expr.operand, env);
  const { type } = expr;
  if (
    type.node === undefined && type.name !== "item" && type.name !== "empty" &&
    !isAtomicTypeName(type.name)
  ) {
    failAt(expr, `the type xs:${type.name} is unknown`, `le type xs:${type.name} est inconnu`);
  }
  if (expr.t === "cast") return castCode(operand, type);
  if (expr.t === "castable") return castableCode(operand, type);
  const items = collector(operand.each);
  const matches = typeTest(type, env);
  if (expr.t === "instance") {
    return boolCode(operand.depends, (frame) => matches(frame, items(frame)));
  }
  const each = (sink: Sink): Walker => (frame) => {
    const list = items(frame);
    if (!matches(frame, list)) {
      throw new XPathFault(
        "XPDY0050",
        "a value has not the type of treat as",
        "une valeur n'est pas du type de treat as",
      );
    }
    return list.some((item) => sink(frame, item));
  };
  return manyCode(operand.kind, operand.depends, each);
}

const CAST_KINDS: Readonly<Record<string, StaticType>> = {
  string: "string",
  boolean: "boolean",
  decimal: "decimal",
  integer: "integer",
  double: "double",
  float: "numeric",
};

/** `cast as xs:…`, and the constructor function of the same name. */
export function castCode(operand: Code, type: Pick<SequenceType, "name" | "occurs">): Code {
  const single = compileSingle(operand, `xs:${type.name}`);
  const kind = CAST_KINDS[type.name] ??
    (type.name.toLowerCase().endsWith("integer") ? "integer" : "item");
  const one = (frame: EvaluationFrame) => {
    const item = single(frame);
    if (item !== undefined) return cast(item, type.name);
    if (type.occurs === "optional") return undefined;
    throw wrongType(
      `nothing cannot be cast to xs:${type.name}`,
      `rien ne peut être converti en xs:${type.name}`,
    );
  };
  return oneCode(
    kind,
    operand.depends,
    one,
    operand.card === ONE || type.occurs === "one" ? ONE : OPTIONAL,
  );
}

function cast(item: XPathItem, name: string): XPathItem {
  if (name === "decimal" && typeof item === "object" && isNode(item)) {
    return parseDecimal(item.text);
  }
  return castTo(item, name);
}

function castableCode(operand: Code, type: SequenceType): Code {
  const items = collector(operand.each);
  return boolCode(operand.depends, (frame) => {
    const [item, ...more] = items(frame);
    if (item === undefined) return type.occurs === "optional";
    if (more.length > 0) return false;
    try {
      castTo(item, type.name);
      return true;
    } catch (thrown) {
      toFault(thrown);
      return false;
    }
  });
}

/** Compiles a type test for sequences: `instance of`, and the check of `as` on functions. */
export function typeTest(
  type: SequenceType,
  env: StaticContext,
): (frame: EvaluationFrame, items: readonly XPathItem[]) => boolean {
  const item = itemTest(type, env);
  return (frame, items) => {
    if (items.length === 0) return type.occurs !== "one" && type.occurs !== "some";
    if (items.length > 1 && type.occurs !== "many" && type.occurs !== "some") return false;
    return items.every((candidate) => item(frame, candidate));
  };
}

function itemTest(
  type: SequenceType,
  env: StaticContext,
): (frame: EvaluationFrame, item: XPathItem) => boolean {
  if (type.name === "item") return () => true;
  if (type.node !== undefined) {
    const passes = nodeTest(env.shared, type.node, ELEMENT);
    return (frame, item) => isNode(item) && passes(frame, item);
  }
  const { name } = type;
  return (_, item) => {
    if (isNode(item)) return false;
    const actual = item instanceof Untyped ? "untypedAtomic" : atomicType(item);
    return actual === name || name === "anyAtomicType" ||
      (actual === "integer" && name === "decimal") || (isNumeric(item) && name === "numeric");
  };
}
