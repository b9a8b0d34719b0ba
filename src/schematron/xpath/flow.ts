import type { Expr } from "./ast.ts";
import {
  boolCode,
  type Code,
  collector,
  commonKind,
  LOCAL,
  MANY,
  manyCode,
  ONE,
  oneCode,
  OPTIONAL,
  SCOPED,
  type Sink,
  type StaticType,
  type Walker,
} from "./code.ts";
import { compile } from "./compile.ts";
import { type StaticContext, withVariable } from "./env.ts";
import { toFault } from "./faults.ts";
import { type EvaluationFrame, Failed } from "./frame.ts";
import type { XPathItem } from "./items.ts";
import { valueWithout } from "./when_absent.ts";

type BinderExpr = Extract<Expr, { t: "for" | "let" | "some" | "every" }>;

export function compileBinder(expr: BinderExpr, env: StaticContext): Code {
  const over = compile(expr.over, env);
  const slot = env.slots.count++;
  const inner = withVariable(env, expr.name, {
    code: expr.t === "let" ? valueCode(over, slot) : itemCode(over.kind, slot),
  });
  const then = compile(expr.then, inner);
  const depends = over.depends | (then.depends & ~LOCAL) | outerLocals(expr.then, then, env);
  if (expr.t === "let") return compileLet(slot, { over, then, depends });
  if (expr.t === "for") return compileFor(slot, { over, then, depends });
  return compileQuantified(expr.t, slot, { over, then, depends });
}

/**
 * Returns the LOCAL bit of the body without the variable just bound: set when the body uses a variable from
 * outside.
 */
function outerLocals(body: Expr, then: Code, env: StaticContext): number {
  if ((then.depends & LOCAL) === 0) return 0;
  const { list, from, to } = body.span;
  for (let at = from; at < to; at++) {
    if (list[at]?.text !== "$" || list[at]?.kind !== "op") continue;
    const name = list[at + 1]?.text ?? "";
    const ending = `}${name.slice(name.indexOf(":") + 1)}`;
    for (const [known, variable] of env.variables) {
      if (known.endsWith(ending) && (variable.code.depends & LOCAL) !== 0) return LOCAL;
    }
  }
  return 0;
}

function itemCode(kind: StaticType, slot: number): Code {
  return oneCode(kind, LOCAL, (frame) => frame.vars[slot] as XPathItem);
}

/** Compiles a reference to a variable with a complete value: an item, no item or a list. */
function valueCode(value: Code, slot: number): Code {
  if (value.constant !== undefined) return { ...value, depends: SCOPED };
  if (value.card !== MANY) {
    return oneCode(
      value.kind,
      LOCAL,
      (frame) => valueIn(frame, slot) as XPathItem | undefined,
      value.card,
    );
  }
  const each = (sink: Sink): Walker => (frame) => {
    const list = valueIn(frame, slot) as readonly XPathItem[];
    for (let at = 0; at < list.length; at++) {
      const item = list[at];
      if (item !== undefined && sink(frame, item)) return true;
    }
    return false;
  };
  const shape = value.kind === "node" ? { flat: value.flat } : {};
  return manyCode(value.kind, LOCAL, each, shape);
}

function valueIn(frame: EvaluationFrame, slot: number): unknown {
  const value = frame.vars[slot];
  if (value instanceof Failed) throw value.fault;
  return value;
}

interface Bound {
  readonly over: Code;
  readonly then: Code;
  readonly depends: number;
}

/** Compiles `let`: the value is computed at once, but a fault in it counts only where the variable is used. */
function compileLet(slot: number, { over, then, depends }: Bound): Code {
  const value: (frame: EvaluationFrame) => unknown = over.card === MANY
    ? collector(over.each)
    : over.one;
  const bind = (frame: EvaluationFrame) => {
    const { item, position, last } = frame;
    try {
      frame.vars[slot] = value(frame);
    } catch (thrown) {
      frame.vars[slot] = new Failed(toFault(thrown));
      frame.item = item;
      frame.position = position;
      frame.last = last;
    }
  };
  return afterBinding(then, depends, bind);
}

function afterBinding(then: Code, depends: number, bind: (frame: EvaluationFrame) => void): Code {
  const bool = (frame: EvaluationFrame) => {
    bind(frame);
    return then.bool(frame);
  };
  if (then.card !== MANY) {
    const one = (frame: EvaluationFrame) => {
      bind(frame);
      return then.one(frame);
    };
    return { ...oneCode(then.kind, depends, one, then.card), bool };
  }
  const after = (deliver: Code["each"]) => (sink: Sink): Walker => {
    const walk = deliver(sink);
    return (frame) => {
      bind(frame);
      return walk(frame);
    };
  };
  const { distinct, ordered, flat } = then;
  return manyCode(then.kind, depends, after(then.each), {
    any: after(then.any),
    distinct,
    ordered,
    flat,
    bool,
  });
}

function compileFor(slot: number, { over, then, depends }: Bound): Code {
  const each = (sink: Sink): Walker => {
    const walk = then.each(sink);
    return over.each((frame, item) => {
      frame.vars[slot] = item;
      return walk(frame);
    });
  };
  return manyCode(then.kind, depends, each, { distinct: then.kind !== "node", ordered: true });
}

function compileQuantified(
  t: "some" | "every",
  slot: number,
  { over, then, depends }: Bound,
): Code {
  const { bool } = then;
  const some = t === "some";
  const walk = over.each((frame, item) => {
    frame.vars[slot] = item;
    return bool(frame) === some;
  });
  const absent = valueWithout(over, !some);
  return { ...boolCode(depends, some ? walk : (frame) => !walk(frame)), absent };
}

export function compileIf(expr: Extract<Expr, { t: "if" }>, env: StaticContext): Code {
  const when = compile(expr.when, env);
  const then = compile(expr.then, env);
  const otherwise = compile(expr.otherwise, env);
  const depends = when.depends | then.depends | otherwise.depends;
  const kind = isEmpty(then)
    ? otherwise.kind
    : isEmpty(otherwise)
    ? then.kind
    : commonKind(then.kind, otherwise.kind);
  const holds = when.bool;
  const bool = (frame: EvaluationFrame) => holds(frame) ? then.bool(frame) : otherwise.bool(frame);
  if (then.card !== MANY && otherwise.card !== MANY) {
    const one = (frame: EvaluationFrame) => holds(frame) ? then.one(frame) : otherwise.one(frame);
    const card = then.card === ONE && otherwise.card === ONE ? ONE : OPTIONAL;
    return { ...oneCode(kind, depends, one, card), bool };
  }
  const choose = (form: "each" | "any") => (sink: Sink): Walker => {
    const [a, b] = [then[form](sink), otherwise[form](sink)];
    return (frame) => holds(frame) ? a(frame) : b(frame);
  };
  return manyCode(kind, depends, choose("each"), {
    any: choose("any"),
    distinct: then.distinct && otherwise.distinct,
    ordered: then.ordered && otherwise.ordered,
    flat: then.flat && otherwise.flat,
    bool,
  });
}

function isEmpty(code: Code): boolean {
  return code.constant?.length === 0;
}
