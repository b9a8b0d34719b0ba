import { parseXml } from "#src/xml/mod.ts";
import type { Expr } from "./ast.ts";
import {
  boolCode,
  type Code,
  collector,
  commonKind,
  compileList,
  constantCode,
  isAtHand,
  ITEM,
  kindOfItem,
  MANY,
  manyCode,
  ONE,
  oneCode,
  OPTIONAL,
  SCOPED,
  type Sink,
  type Walker,
} from "./code.ts";
import { compileGeneral, compileOrder, compileValue } from "./comparisons.ts";
import { failAt, isOfDocument, memoKey, memoSlot, type StaticContext } from "./env.ts";
import { compileBinder, compileIf } from "./flow.ts";
import { isFoldable } from "./folding.ts";
import { type EvaluationFrame, newFrame } from "./frame.ts";
import { compileCall } from "./functions.ts";
import {
  compileArithmetic,
  compileNegate,
  compileNodeSet,
  compileRange,
  compileTypeOperator,
} from "./operators.ts";
import { mapCode } from "./mapping.ts";
import { compilePath } from "./paths.ts";
import { rememberedNodes } from "./remembering.ts";
import { compilePredicate, isPositional, positionalFilter, streamFilter } from "./predicates.ts";
import { withContext } from "./env.ts";
import { FOCUS } from "./code.ts";
import { memoize } from "./memo.ts";

/** Compiles an expression into closures. Throws faults of the expression itself (unknown names). */
export function compile(expr: Expr, env: StaticContext): Code {
  const code = compileBare(expr, env);
  if (
    expr.t === "literal" || expr.t === "constants" || expr.t === "variable" ||
    expr.t === "context" || expr.t === "path"
  ) {
    return code;
  }
  if ((code.depends & ~SCOPED) === 0 && code.constant === undefined) {
    if (isFoldable(expr)) return foldConstant(code);
    // A range is cheaper to count through than to keep.
    return expr.t === "range" ? code : rememberedValue(code, expr, env);
  }
  if (isOfDocument(code)) return code.kept ? code : rememberedValue(code, expr, env);
  return env.reuse === true && code.depends === ITEM && code.card !== MANY
    ? reusedValue(code, expr, env)
    : code;
}

function compileBare(expr: Expr, env: StaticContext): Code {
  switch (expr.t) {
    case "literal":
      return constantCode(kindOfItem(expr.value), [expr.value]);
    case "constants":
      return constantCode("string", expr.values);
    case "variable": {
      const variable = env.variables.get(expr.name);
      return variable?.code ?? failUnknownVariable(expr, env);
    }
    case "context":
      return contextItem(expr, env);
    case "sequence":
      return compileSequence(expr.items.map((item) => compile(item, env)));
    case "for":
    case "let":
    case "some":
    case "every":
      return compileBinder(expr, env);
    case "if":
      return compileIf(expr, env);
    case "or":
    case "and":
      return compileLogic(expr.t, expr.items.map((item) => compile(item, env)));
    case "general":
      return compileGeneral(expr.op, compile(expr.left, env), compile(expr.right, env));
    case "value":
      return compileValue(expr.op, compile(expr.left, env), compile(expr.right, env));
    case "order":
      return compileOrder(expr.op, compile(expr.left, env), compile(expr.right, env));
    case "range":
      return compileRange(compile(expr.left, env), compile(expr.right, env));
    case "arithmetic":
      return compileArithmetic(expr.op, compile(expr.left, env), compile(expr.right, env));
    case "negate":
      return compileNegate(compile(expr.operand, env));
    case "union":
    case "intersect":
    case "except":
      return compileNodeSet(expr.t, compile(expr.left, env), compile(expr.right, env));
    case "instance":
    case "treat":
    case "castable":
    case "cast":
      return compileTypeOperator(expr, env);
    case "path":
      return compilePath(expr, env);
    case "map":
      return compileMap(expr, env);
    case "filter":
      return compileFilter(expr, env);
    case "call":
      return compileCall(expr, env);
  }
}

function failUnknownVariable(expr: Extract<Expr, { t: "variable" }>, env: StaticContext): never {
  const plain = (name: string) => name.slice(name.lastIndexOf("}") + 1);
  const known = [...env.variables.keys()].map((name) => `$${plain(name)}`).join(", ");
  const en = known === "" ? "no variable is in scope" : `in scope: ${known}`;
  const fr = known === "" ? "aucune variable n'est visible" : `visibles : ${known}`;
  const name = plain(expr.name);
  return failAt(
    expr,
    `the variable $${name} is unknown (${en})`,
    `la variable $${name} est inconnue (${fr})`,
  );
}

function contextItem(expr: Expr, env: StaticContext): Code {
  if (env.context === undefined) {
    failAt(expr, "there is no context item here", "il n'y a pas d'élément de contexte ici");
  }
  return oneCode(env.context, ITEM, (frame) => frame.item);
}

/** Longest list of constants kept: `($a, $a)` over such a list again doubles it, and variables make that exponential. */
const MAX_CONSTANTS = 100_000;

export function compileSequence(items: readonly Code[]): Code {
  const [first] = items;
  if (first === undefined) return constantCode("item", []);
  const kind = items.reduce((common, code) => commonKind(common, code.kind), first.kind);
  const constants = items.reduce((sum, code) => sum + (code.constant?.length ?? Infinity), 0);
  if (constants <= MAX_CONSTANTS) {
    return constantCode(kind, items.flatMap((code) => code.constant ?? []));
  }
  const depends = items.reduce((bits, code) => bits | code.depends, 0);
  const each = (sink: Sink): Walker => {
    const walkers = items.map((code) => code.each(sink));
    return (frame) => walkers.some((walk) => walk(frame));
  };
  return manyCode(kind, depends, each, { distinct: kind !== "node", ordered: true });
}

function compileLogic(t: "or" | "and", items: readonly Code[]): Code {
  const depends = items.reduce((bits, code) => bits | code.depends, 0);
  const tests = items.map((code) => code.bool);
  const [first = () => false, second = () => false, ...rest] = tests;
  const two = t === "or"
    ? (frame: EvaluationFrame) => first(frame) || second(frame)
    : (frame: EvaluationFrame) => first(frame) && second(frame);
  const many = t === "or"
    ? (frame: EvaluationFrame) => tests.some((test) => test(frame))
    : (frame: EvaluationFrame) => tests.every((test) => test(frame));
  const decisive = items[0]?.absent;
  const absent = decisive?.value === (t === "or") ? decisive : undefined;
  const kept = items.every(isAtHand);
  return { ...boolCode(depends, rest.length === 0 ? two : many), absent, kept };
}

function compileMap(expr: Extract<Expr, { t: "map" }>, env: StaticContext): Code {
  const base = compile(expr.left, env);
  const inner = compile(expr.right, withContext(env, base.kind));
  if (inner.kind !== "node") return mapCode(base, inner);
  const items = collector(base.each);
  const values = compileList(inner);
  const each = (sink: Sink): Walker => (frame) => {
    const { item } = frame;
    const out = items(frame).flatMap((next) => {
      frame.item = next;
      return values(frame);
    });
    frame.item = item;
    return out.some((value) => sink(frame, value));
  };
  return manyCode("node", base.depends | (inner.depends & ~FOCUS), each, { distinct: false });
}

function compileFilter(expr: Extract<Expr, { t: "filter" }>, env: StaticContext): Code {
  const base = compile(expr.base, env);
  const predicate = compilePredicate(expr.predicate, env, base.kind);
  const depends = base.depends | (predicate.depends & ~FOCUS);
  if (!isPositional(predicate)) {
    const each = (sink: Sink) => base.each(streamFilter(predicate, sink));
    const any = (sink: Sink) => base.any(streamFilter(predicate, sink));
    if (base.card !== MANY) return oneCode(base.kind, depends, onlyIf(base, predicate), OPTIONAL);
    const { distinct, ordered, flat } = base;
    return manyCode(base.kind, depends, each, { any, distinct, ordered, flat });
  }
  const items = collector(base.each);
  const keep = positionalFilter(predicate);
  if (typeof predicate.constant?.[0] === "number") {
    return oneCode(base.kind, depends, (frame) => keep(frame, items(frame))[0], OPTIONAL);
  }
  const each = (sink: Sink): Walker => (frame) =>
    keep(frame, items(frame)).some((item) => sink(frame, item));
  return manyCode(base.kind, depends, each, { flat: base.flat });
}

function onlyIf(base: Code, predicate: Code): Code["one"] {
  const { bool } = predicate;
  return (frame) => {
    const item = base.one(frame);
    if (item === undefined) return undefined;
    const outer = frame.item;
    frame.item = item;
    const holds = bool(frame);
    frame.item = outer;
    return holds ? item : undefined;
  };
}

/**
 * Evaluates a cheap constant (`isFoldable`) immediately; a constant that fails stays unchanged and fails when it
 * is used.
 */
function foldConstant(code: Code): Code {
  try {
    const frame = newFrame(parseXml("<none/>"), { names: 0, globals: 0, locals: 64, memo: 0 });
    // A copy: were the collector's own list to live on, V8 would allocate all its later lists as long-lived ones.
    const items = collector(code.each)(frame).slice();
    const kinds = items.map(kindOfItem);
    const kind = kinds.length === 0 ? code.kind : kinds.reduce(commonKind);
    return { ...constantCode(kind, items), depends: code.depends };
  } catch {
    return code;
  }
}

/** Computes a value of the document, or a constant too dear to fold, once per document; equal expressions share it. */
function rememberedValue(code: Code, expr: Expr, env: StaticContext): Code {
  if (code.card === MANY) return rememberedNodes(code, expr.span, env);
  const key = memoKey(env, expr, code);
  const slot = (form: string) => memoSlot(env.shared, `${form} ${key}`);
  if (code.kind === "boolean" && code.card === ONE) {
    const { absent } = code;
    return {
      ...boolCode(code.depends, memoize(code.bool, slot("bool"))),
      absent,
      kept: true,
    };
  }
  const one = memoize(code.one, slot("one"));
  const card = code.card === ONE ? ONE : OPTIONAL;
  return { ...oneCode(code.kind, code.depends, one, card), kept: true };
}

/** Caches the value for the last context item, for the next rule with the same expression. */
function reusedValue(code: Code, expr: Expr, env: StaticContext): Code {
  const key = memoKey(env, expr, code);
  const owner = memoSlot(env.shared, `item ${key}`);
  const value = memoSlot(env.shared, `item value ${key}`);
  const compute: (frame: EvaluationFrame) => unknown = code.kind === "boolean" && code.card === ONE
    ? code.bool
    : code.one;
  const reuse = (frame: EvaluationFrame) => {
    const { memo, item } = frame;
    if (memo[owner] === item) return memo[value];
    const result = compute(frame);
    memo[owner] = item;
    memo[value] = result;
    return result;
  };
  return code.kind === "boolean" && code.card === ONE
    ? boolCode(code.depends, reuse as (frame: EvaluationFrame) => boolean)
    : oneCode(code.kind, code.depends, reuse as Code["one"], code.card === ONE ? ONE : OPTIONAL);
}
