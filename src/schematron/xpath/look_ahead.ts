import { XmlElement, type XmlShape } from "#src/xml/mod.ts";
import type { AxisStep } from "./ast.ts";
import type { Code, Sink, Walker } from "./code.ts";
import type { Chain } from "./when_absent.ts";
import { nameIndex, type StaticContext } from "./env.ts";
import type { EvaluationFrame } from "./frame.ts";

export function chainAfter(
  base: Code,
  { axis, test, predicates }: AxisStep,
  env: StaticContext,
): Chain | undefined {
  const { chain } = base;
  if (chain === undefined || test.test !== "name") return undefined;
  const { from } = chain;
  if (axis === "attribute") return { names: chain.names, exact: false, from };
  if (axis !== "child") return undefined;
  const name = nameIndex(env.shared, test.ns, test.local);
  return { names: [...chain.names, name], exact: chain.exact && predicates.length === 0, from };
}

/** Ends a walk before it starts where the document has no such names, or no such names below the context node. */
export function lookingAhead(
  raw: (sink: Sink) => Walker,
  needs: readonly number[],
  chain: Chain | undefined,
): (sink: Sink) => Walker {
  if (chain === undefined) return needs.length === 0 ? raw : guardWalk(raw, needs);
  const { from, names } = chain;
  if (from !== undefined) {
    return names.length === 0 ? raw : onlyIf(raw, (frame) => leadsOn(frame, from(frame), names));
  }
  return names.length < 2 ? raw : onlyIf(raw, (frame) => shapeBelow(frame, chain) !== null);
}

function onlyIf(
  raw: (sink: Sink) => Walker,
  possible: (frame: EvaluationFrame) => boolean,
): (sink: Sink) => Walker {
  return (sink) => {
    const walk = raw(sink);
    return (frame) => possible(frame) && walk(frame);
  };
}

/** Checks whether the names lead to an element from one of the shapes. */
function leadsOn(
  frame: EvaluationFrame,
  shapes: readonly XmlShape[],
  names: readonly number[],
): boolean {
  return shapes.some((start) => {
    let shape: XmlShape | undefined = start;
    for (let at = 0; at < names.length && shape !== undefined; at++) {
      shape = shape.kids.get(frame.names[names[at] ?? 0] ?? -1);
    }
    return shape !== undefined;
  });
}

/** Returns the shape at the end of the chain: null if it does not exist, undefined if shapes cannot decide. */
function shapeBelow(frame: EvaluationFrame, { names }: Chain): XmlShape | null | undefined {
  const { item } = frame;
  if (!(item instanceof XmlElement)) return undefined;
  let shape: XmlShape | undefined = item.shape;
  for (let at = 0; at < names.length; at++) {
    shape = shape.kids.get(frame.names[names[at] ?? 0] ?? -1);
    if (shape === undefined) return null;
  }
  return shape;
}

/** Below the only element of its shape, a shape that exists has an element. */
export function chainExists(chain: Chain, walk: Walker): (frame: EvaluationFrame) => boolean {
  return (frame) => {
    const below = shapeBelow(frame, chain);
    if (below === null) return false;
    const { item } = frame;
    return (below !== undefined && item instanceof XmlElement && item.shape.count === 1) ||
      walk(frame);
  };
}

/** Ends the walk before it starts where the document lacks a name on the way. */
function guardWalk(raw: (sink: Sink) => Walker, needs: readonly number[]): (sink: Sink) => Walker {
  return (sink) => {
    const walk = raw(sink);
    return (frame) => hasNames(frame, needs) && walk(frame);
  };
}

/** Checks whether the document has all these names. */
export function hasNames({ names }: EvaluationFrame, needs: readonly number[]): boolean {
  for (let at = 0; at < needs.length; at++) if ((names[needs[at] ?? 0] ?? -1) < 0) return false;
  return true;
}
