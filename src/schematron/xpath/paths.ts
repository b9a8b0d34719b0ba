import { XmlElement, type XmlNode, type XmlShape } from "#src/xml/mod.ts";
import type { AxisStep, Expr, ExprStep, NodeTest, Span, Step } from "./ast.ts";
import { keyOf } from "./ast.ts";
import {
  type Chain,
  type Code,
  collector,
  DOC,
  firstFrom,
  FOCUS,
  ITEM,
  LAST,
  MANY,
  manyCode,
  oneCode,
  OPTIONAL,
  POSITION,
  remembered,
  SCOPED,
  type Sink,
  type Walker,
} from "./code.ts";
import { compile } from "./compile.ts";
import { type Env, failAt, isOfDocument, memoSlot, nameIndex, withContext } from "./env.ts";
import { wrongType } from "./faults.ts";
import type { Frame } from "./frame.ts";
import { isNode, type Item } from "./items.ts";
import { compilePredicate, isPositional, positionalFilter, streamFilter } from "./predicates.ts";
import { isReverse, stepWalker } from "./steps.ts";

type PathExpr = Extract<Expr, { t: "path" }>;

/** A path: each step feeds the next one, node by node, without lists between. */
export function compilePath(expr: PathExpr, env: Env): Code {
  const [first] = expr.steps;
  const plain = !expr.rooted && first?.step === "expr";
  let code = plain ? compile(first.expr, env) : expr.rooted ? rootCode() : contextNode(expr, env);
  const steps = mergedSteps(plain ? expr.steps.slice(1) : expr.steps, env);
  for (const { step, predicates } of steps) {
    code = step.step === "axis"
      ? axisCode(code, { step, predicates }, env)
      : exprCode(code, step, env);
    const worthwhile = !isEverything(step) &&
      (steps.length > 1 || predicates.length > 0 || step.step === "expr");
    if (worthwhile && isOfDocument(code)) code = rememberedNodes(code, prefixSpan(expr, step), env);
  }
  return code;
}

function rootCode(): Code {
  return oneCode("node", DOC, (frame) => frame.doc);
}

/** The context item as a node. */
function contextNode(expr: Expr, env: Env): Code {
  if (env.context === undefined) {
    failAt(expr, "there is no context node here", "il n'y a pas de nœud de contexte ici");
  }
  if (env.context === "node") {
    return { ...oneCode("node", ITEM, (frame) => frame.item), chain: { names: [], exact: true } };
  }
  return oneCode("node", ITEM, (frame) => {
    const { item } = frame;
    if (item === undefined || isNode(item)) return item;
    throw wrongType(
      "a path starts at a value that is no node",
      "un chemin part d'une valeur qui n'est pas un nœud",
    );
  }, OPTIONAL);
}

function prefixSpan(expr: PathExpr, step: Step): Span {
  return { ...expr.span, to: step.span.to };
}

/** The step `//` stands for, which selects too much to be kept. */
function isEverything(step: Step): boolean {
  return step.step === "axis" && step.axis === "descendant-or-self" && step.predicates.length === 0;
}

function isHere(step: Step): boolean {
  return step.step === "axis" && step.axis === "self" && step.test.test === "node" &&
    step.predicates.length === 0;
}

/** `(a | b)` behind `//`, its child steps made descendant steps. */
function asDescendants(expr: Expr, env: Env): Expr | undefined {
  if (expr.t === "union") {
    const left = asDescendants(expr.left, env);
    const right = asDescendants(expr.right, env);
    return left === undefined || right === undefined ? undefined : { ...expr, left, right };
  }
  if (expr.t !== "path" || expr.rooted) return undefined;
  const [first, ...rest] = expr.steps;
  if (first?.step !== "axis" || first.axis !== "child") return undefined;
  if (first.predicates.some((it) => isPositional(compilePredicate(it, env, "node")))) {
    return undefined;
  }
  return { ...expr, steps: [{ ...first, axis: "descendant" }, ...rest] };
}

interface PlannedStep {
  readonly step: Step;
  readonly predicates: readonly Code[];
}

/** Compiles the predicates; `//x` becomes one descendant step where none of them counts positions among siblings. */
function mergedSteps(steps: readonly Step[], env: Env): PlannedStep[] {
  const merged: PlannedStep[] = [];
  for (const step of steps) {
    const predicates = step.step === "axis"
      ? step.predicates.map((predicate) => compilePredicate(predicate, env, "node"))
      : [];
    const before = merged.at(-1)?.step;
    const anywhere = before?.step === "axis" && before.axis === "descendant-or-self" &&
      before.test.test === "node" && before.predicates.length === 0;
    const grouped = anywhere && step.step === "expr" ? asDescendants(step.expr, env) : undefined;
    if (
      anywhere && step.step === "axis" && step.axis === "child" && !predicates.some(isPositional)
    ) {
      merged[merged.length - 1] = { step: { ...step, axis: "descendant" }, predicates };
    } else if (anywhere && step.step === "axis" && step.axis === "attribute") {
      merged[merged.length - 1] = {
        step: { ...before, test: { test: "element" } },
        predicates: [],
      };
      merged.push({ step, predicates });
    } else if (grouped !== undefined) {
      merged[merged.length - 1] = {
        step: { step: "expr", span: step.span, expr: grouped },
        predicates,
      };
    } else if (!isHere(step) || steps.length === 1) merged.push({ step, predicates });
  }
  return merged;
}

function axisCode(
  base: Code,
  { step, predicates }: { readonly step: AxisStep; readonly predicates: readonly Code[] },
  env: Env,
): Code {
  if (base.kind !== "node" && base.kind !== "item") {
    failAt(step, "a step needs nodes before it", "une étape demande des nœuds avant elle");
  }
  const inner = predicates.reduce((bits, code) => bits | code.depends, 0) & ~FOCUS;
  const build = (sink: Sink): Sink => {
    const walk = axisWalker(step, { env, predicates }, sink);
    return base.kind === "node" ? walk as Sink : onNodes(walk as Sink);
  };
  const raw = (sink: Sink): Walker => base.raw(build(sink));
  const needs = [...namesOf(step, env), ...base.needs];
  const chain = chainAfter(base, step, env);
  const any = lookingAhead(raw, needs, chain);
  const { ordered, distinct, flat } = orderAfter(base, step);
  const each = ordered && distinct ? any : sorted(any);
  const depends = base.depends | inner;
  if (base.card !== MANY && isSingle(step)) {
    return { ...oneCode("node", depends, firstFrom(any), OPTIONAL), needs, chain, raw };
  }
  const bool =
    chain !== undefined && chain.exact && chain.names.length > 1 && chain.from === undefined
      ? { bool: chainExists(chain, raw(() => true)) }
      : {};
  const shape = { any, raw, needs, chain, distinct, ordered: ordered && distinct, flat, ...bool };
  return manyCode("node", depends, each, shape);
}

function chainAfter(base: Code, { axis, test, predicates }: AxisStep, env: Env): Chain | undefined {
  const { chain } = base;
  if (chain === undefined || test.test !== "name") return undefined;
  const { from } = chain;
  if (axis === "attribute") return { names: chain.names, exact: false, from };
  if (axis !== "child") return undefined;
  const name = nameIndex(env.shared, test.ns, test.local);
  return { names: [...chain.names, name], exact: chain.exact && predicates.length === 0, from };
}

/** Ends a walk before it starts where the document has no such names, or no such names below the context node. */
function lookingAhead(
  raw: (sink: Sink) => Walker,
  needs: readonly number[],
  chain: Chain | undefined,
): (sink: Sink) => Walker {
  if (chain === undefined) return needs.length === 0 ? raw : guarded(raw, needs);
  const { from, names } = chain;
  if (from !== undefined) {
    return names.length === 0 ? raw : onlyIf(raw, (frame) => leadsOn(frame, from(frame), names));
  }
  return names.length < 2 ? raw : onlyIf(raw, (frame) => shapeBelow(frame, chain) !== null);
}

function onlyIf(
  raw: (sink: Sink) => Walker,
  possible: (frame: Frame) => boolean,
): (sink: Sink) => Walker {
  return (sink) => {
    const walk = raw(sink);
    return (frame) => possible(frame) && walk(frame);
  };
}

/** Whether the names lead on from one of the shapes. */
function leadsOn(frame: Frame, shapes: readonly XmlShape[], names: readonly number[]): boolean {
  return shapes.some((start) => {
    let shape: XmlShape | undefined = start;
    for (let at = 0; at < names.length && shape !== undefined; at++) {
      shape = shape.kids.get(frame.names[names[at] ?? 0] ?? -1);
    }
    return shape !== undefined;
  });
}

/** The shape at the end of the chain: null when there is none, undefined when shapes cannot tell. */
function shapeBelow(frame: Frame, { names }: Chain): XmlShape | null | undefined {
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
function chainExists(chain: Chain, walk: Walker): (frame: Frame) => boolean {
  return (frame) => {
    const below = shapeBelow(frame, chain);
    if (below === null) return false;
    const { item } = frame;
    return (below !== undefined && item instanceof XmlElement && item.shape.count === 1) ||
      walk(frame);
  };
}

function namesOf({ test }: AxisStep, env: Env): number[] {
  return test.test === "name" ? [nameIndex(env.shared, test.ns, test.local)] : [];
}

/** Ends the walk before it starts where the document lacks a name on the way. */
function guarded(raw: (sink: Sink) => Walker, needs: readonly number[]): (sink: Sink) => Walker {
  return (sink) => {
    const walk = raw(sink);
    return (frame) => {
      const { names } = frame;
      for (let at = 0; at < needs.length; at++) if ((names[needs[at] ?? 0] ?? -1) < 0) return false;
      return walk(frame);
    };
  };
}

/** Steps that lead to one node at most: an attribute by name, the parent, the node itself. */
function isSingle(step: AxisStep): boolean {
  return step.axis === "self" || step.axis === "parent" ||
    (step.axis === "attribute" && step.test.test === "name");
}

function onNodes(walk: Sink): Sink {
  return (frame, item) => {
    if (isNode(item)) return walk(frame, item);
    throw wrongType(
      "a step starts at a value that is no node",
      "une étape part d'une valeur qui n'est pas un nœud",
    );
  };
}

function axisWalker(
  step: { readonly axis: AxisStep["axis"]; readonly test: NodeTest },
  filter: { readonly env: Env; readonly predicates: readonly Code[] },
  sink: Sink,
): (frame: Frame, node: XmlNode) => boolean {
  const { env, predicates } = filter;
  if (!predicates.some(isPositional)) {
    const filtered = predicates.reduceRight<Sink>((next, code) => streamFilter(code, next), sink);
    return stepWalker(env.shared, step, filtered);
  }
  let found: Item[] = [];
  const gather = stepWalker(env.shared, step, (_, node) => {
    found.push(node);
    return false;
  });
  const filters = predicates.map(positionalFilter);
  return (frame, node) => {
    const outer = found;
    found = [];
    gather(frame, node);
    let list = found;
    found = outer;
    for (const keep of filters) list = keep(frame, list);
    return list.some((item) => sink(frame, item));
  };
}

function orderAfter(
  base: Code,
  step: AxisStep,
): { ordered: boolean; distinct: boolean; flat: boolean } {
  const single = base.card !== MANY;
  const sound = single || (base.ordered && base.distinct);
  const flat = single || base.flat;
  switch (step.axis) {
    case "self":
      return { ordered: sound, distinct: base.distinct, flat };
    case "child":
      return { ordered: sound && flat, distinct: base.distinct, flat };
    case "attribute":
      return { ordered: sound, distinct: base.distinct, flat: true };
    case "descendant":
    case "descendant-or-self":
      return { ordered: sound && flat, distinct: base.distinct && flat, flat: false };
    default:
      return {
        ordered: single && !isReverse(step.axis),
        distinct: single,
        flat: single && (step.axis === "parent" || step.axis.endsWith("-sibling")),
      };
  }
}

/** Puts nodes in document order, each once; lists that are in order already are only looked over. */
export function sorted(any: (sink: Sink) => Walker): (sink: Sink) => Walker {
  const collect = collector(any);
  return (sink) => (frame) =>
    inDocumentOrder(collect(frame) as XmlNode[]).some((node) => sink(frame, node));
}

export function inDocumentOrder(nodes: XmlNode[]): XmlNode[] {
  let last = -2;
  for (const node of nodes) {
    if (node.order <= last) {
      nodes.sort((a, b) => a.order - b.order);
      return nodes.filter((other, at) => other !== nodes[at - 1]);
    }
    last = node.order;
  }
  return nodes;
}

/** A step that is an expression: evaluated with each item before it as context. */
function exprCode(base: Code, step: ExprStep, env: Env): Code {
  return mapCode(base, compile(step.expr, withContext(env, base.kind)));
}

/** `inner` for each item of `base` as context item; nodes come out in document order. */
export function mapCode(base: Code, inner: Code): Code {
  const depends = base.depends | (inner.depends & ~FOCUS);
  if ((inner.depends & (POSITION | LAST)) !== 0) return mapWithPositions(base, inner, depends);
  if (base.card !== MANY && inner.card !== MANY) {
    const one = (frame: Frame) => {
      const item = base.one(frame);
      return item === undefined ? undefined : evaluateAt(frame, item, inner.one);
    };
    return oneCode(inner.kind, depends, one, base.card === 1 ? inner.card : OPTIONAL);
  }
  const through = (deliver: (sink: Sink) => Walker, wanted: Code["each"]) => (sink: Sink) =>
    deliver(innerSink(inner, wanted, sink));
  const any = through(base.any, inner.any);
  const each = through(base.each, inner.each);
  if (inner.kind !== "node") {
    return manyCode(inner.kind, depends, each, { any: base.distinct ? any : each });
  }
  const single = base.card !== MANY;
  return single
    ? manyCode("node", depends, each, {
      any,
      distinct: inner.distinct,
      ordered: inner.ordered,
      flat: inner.flat,
    })
    : manyCode("node", depends, sorted(any), { any, distinct: false, ordered: false });
}

function innerSink(inner: Code, wanted: Code["each"], sink: Sink): Sink {
  if (inner.card !== MANY) {
    const { one } = inner;
    return (frame, item) => {
      const outer = frame.item;
      frame.item = item;
      const value = one(frame);
      frame.item = outer;
      return value !== undefined && sink(frame, value);
    };
  }
  const collect = collector(wanted);
  return (frame, item) => {
    const outer = frame.item;
    frame.item = item;
    const values = collect(frame);
    frame.item = outer;
    return values.some((value) => sink(frame, value));
  };
}

function evaluateAt(frame: Frame, item: Item, one: Code["one"]): Item | undefined {
  const outer = frame.item;
  frame.item = item;
  const value = one(frame);
  frame.item = outer;
  return value;
}

function mapWithPositions(base: Code, inner: Code, depends: number): Code {
  const items = collector(base.each);
  const values = collector(inner.each);
  const all = (frame: Frame): Item[] => {
    const { item, position, last } = frame;
    const list = items(frame);
    const out: Item[] = [];
    frame.last = list.length;
    for (const [at, next] of list.entries()) {
      frame.item = next;
      frame.position = at + 1;
      out.push(...values(frame));
    }
    frame.item = item;
    frame.position = position;
    frame.last = last;
    return inner.kind === "node" ? inDocumentOrder(out as XmlNode[]) : out;
  };
  return manyCode(
    inner.kind,
    depends,
    (sink) => (frame) => all(frame).some((item) => sink(frame, item)),
  );
}

/** Computes a list once per document; equal paths of all rules share it. */
export function rememberedNodes(code: Code, span: Span, env: Env): Code {
  const { shared } = env;
  const key = (code.depends & SCOPED) !== 0 ? `#${shared.memoSize}` : `list ${keyOf(span)}`;
  const list = remembered(collector(code.each), (frame) => frame.memo, memoSlot(shared, key));
  const each = (sink: Sink): Walker => (frame) => {
    const items = list(frame);
    for (let at = 0; at < items.length; at++) {
      const item = items[at];
      if (item !== undefined && sink(frame, item)) return true;
    }
    return false;
  };
  if (code.kind !== "node") return manyCode(code.kind, code.depends, each);
  const shapes = remembered(
    (frame) => shapesIn(list(frame)),
    (frame) => frame.memo,
    memoSlot(shared, `shapes ${key}`),
  );
  return manyCode("node", code.depends, each, {
    flat: code.flat,
    bool: (frame) => list(frame).length > 0,
    chain: { names: [], exact: false, from: shapes },
  });
}

function shapesIn(items: readonly Item[]): readonly XmlShape[] {
  const shapes = new Set<XmlShape>();
  for (const item of items) if (item instanceof XmlElement) shapes.add(item.shape);
  return [...shapes];
}
