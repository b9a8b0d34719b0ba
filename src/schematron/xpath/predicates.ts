import type { Expr } from "./ast.ts";
import {
  type Code,
  collector,
  effectiveBoolean,
  isNumericKind,
  LAST,
  POSITION,
  type Sink,
  type StaticType,
} from "./code.ts";
import { compile } from "./compile.ts";
import { type StaticContext, withContext } from "./env.ts";
import type { EvaluationFrame } from "./frame.ts";
import { isNode, isNumeric, type XPathItem } from "./items.ts";
import { compareNumeric } from "./numbers.ts";

export function compilePredicate(predicate: Expr, env: StaticContext, context: StaticType): Code {
  return compile(predicate, withContext(env, context));
}

/** Checks whether the predicate depends on the position of an item, or may be a number and so denote a position. */
export function isPositional(code: Code): boolean {
  return (code.depends & (POSITION | LAST)) !== 0 || code.kind === "item" ||
    isNumericKind(code.kind);
}

/** Passes on the items the predicate holds for; only for predicates that are not positional. */
export function streamFilter(code: Code, sink: Sink): Sink {
  const { bool } = code;
  return (frame, item) => {
    const outer = frame.item;
    frame.item = item;
    const holds = bool(frame);
    frame.item = outer;
    return holds && sink(frame, item);
  };
}

/** Keeps the items of a list the predicate holds for, positions counted from 1. */
export function positionalFilter(
  code: Code,
): (frame: EvaluationFrame, list: readonly XPathItem[]) => XPathItem[] {
  const [constant] = code.constant ?? [];
  if (typeof constant === "number") {
    return (_, list) => {
      const item = list[constant - 1];
      return item === undefined ? [] : [item];
    };
  }
  const holds = holdsAt(code);
  return (frame, list) => {
    const { item, position, last } = frame;
    const kept: XPathItem[] = [];
    frame.last = list.length;
    for (let at = 0; at < list.length; at++) {
      const candidate = list[at];
      if (candidate === undefined) continue;
      frame.item = candidate;
      frame.position = at + 1;
      if (holds(frame)) kept.push(candidate);
    }
    frame.item = item;
    frame.position = position;
    frame.last = last;
    return kept;
  };
}

function holdsAt(code: Code): (frame: EvaluationFrame) => boolean {
  if (code.kind !== "item" && !isNumericKind(code.kind)) return code.bool;
  const values = collector(code.each);
  return (frame) => {
    const list = values(frame);
    const [first] = list;
    if (first !== undefined && list.length === 1 && isNumeric(first)) {
      return compareNumeric(first, frame.position) === 0;
    }
    return list.length > 1 && first !== undefined && !isNode(first)
      ? code.bool(frame)
      : effectiveBoolean(first);
  };
}
