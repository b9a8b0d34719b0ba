import { type XmlNode } from "#src/xml/mod.ts";
import type { AxisStep, Expr, ExprStep, NodeTest, PathStep, Span } from "./ast.ts";
import {
  type Code,
  DOC,
  firstFrom,
  FOCUS,
  ITEM,
  MANY,
  manyCode,
  oneCode,
  OPTIONAL,
  type Sink,
  type Walker,
  whenAsked,
} from "./code.ts";
import { compile } from "./compile.ts";
import { compileDocumentPath, documentCall } from "./documents.ts";
import {
  failAt,
  isOfDocument,
  nameIndex,
  type SchemaScope,
  type StaticContext,
  withContext,
} from "./env.ts";
import { wrongType } from "./faults.ts";
import type { EvaluationFrame } from "./frame.ts";
import { isNode, type XPathItem } from "./items.ts";
import { chainAfter, chainExists, lookingAhead } from "./look_ahead.ts";
import { mapCode } from "./mapping.ts";
import { sortNodes } from "./order.ts";
import { compilePredicate, isPositional, positionalFilter, streamFilter } from "./predicates.ts";
import { rememberedNodes } from "./remembering.ts";
import { isReverse, stepWalker } from "./steps.ts";

type PathExpr = Extract<Expr, { t: "path" }>;

/** Compiles a path: each step feeds the next one, node by node, without lists between. */
export function compilePath(expr: PathExpr, env: StaticContext): Code {
  if (documentCall(expr) !== undefined) return compileDocumentPath(expr, env, compilePath);
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

/** Returns the context item as a node. */
function contextNode(expr: Expr, env: StaticContext): Code {
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

function prefixSpan(expr: PathExpr, step: PathStep): Span {
  return { ...expr.span, to: step.span.to };
}

/** Checks for the step of `//`, which selects too much to be cached. */
function isEverything(step: PathStep): boolean {
  return step.step === "axis" && step.axis === "descendant-or-self" && step.predicates.length === 0;
}

function isHere(step: PathStep): boolean {
  return step.step === "axis" && step.axis === "self" && step.test.test === "node" &&
    step.predicates.length === 0;
}

/** `(a | b)` behind `//`, its child steps made descendant steps. */
function asDescendants(expr: Expr, env: StaticContext): Expr | undefined {
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
  readonly step: PathStep;
  readonly predicates: readonly Code[];
}

/** Compiles the predicates; `//x` becomes one descendant step if no predicate counts positions among siblings. */
function mergedSteps(steps: readonly PathStep[], env: StaticContext): PlannedStep[] {
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
  env: StaticContext,
): Code {
  if (base.kind !== "node" && base.kind !== "item") {
    failAt(step, "a step needs nodes before it", "une étape demande des nœuds avant elle");
  }
  const inner = predicates.reduce((bits, code) => bits | code.depends, 0) & ~FOCUS;
  const raw = rawSteps(base, { axis: step.axis, test: step.test, predicates }, env.shared);
  const needs = [...getNames(step, env), ...base.needs];
  const chain = chainAfter(base, step, env);
  const any = lookingAhead(raw, needs, chain);
  const { ordered, distinct, flat } = orderAfter(base, step);
  const each = ordered && distinct ? any : sortNodes(any);
  const depends = base.depends | inner;
  if (base.card !== MANY && isSingle(step)) {
    return { ...oneCode("node", depends, firstFrom(any), OPTIONAL), needs, chain, raw };
  }
  const bool =
    chain !== undefined && chain.exact && chain.names.length > 1 && chain.from === undefined
      ? { bool: chainExists(chain, whenAsked(() => raw(() => true))) }
      : {};
  const shape = { any, raw, needs, chain, distinct, ordered: ordered && distinct, flat, ...bool };
  return manyCode("node", depends, each, shape);
}

function getNames({ test }: AxisStep, env: StaticContext): number[] {
  return test.test === "name" ? [nameIndex(env.shared, test.ns, test.local)] : [];
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

/** A step without the tree it was read from, which closures would keep alive. */
interface BareStep {
  readonly axis: AxisStep["axis"];
  readonly test: NodeTest;
  readonly predicates: readonly Code[];
}

function rawSteps(
  { raw, kind }: Code,
  step: BareStep,
  shared: SchemaScope,
): (sink: Sink) => Walker {
  return (sink) => {
    const walk = axisWalker(step, shared, sink) as Sink;
    return raw(kind === "node" ? walk : onNodes(walk));
  };
}

function axisWalker(
  step: BareStep,
  shared: SchemaScope,
  sink: Sink,
): (frame: EvaluationFrame, node: XmlNode) => boolean {
  const { predicates } = step;
  if (!predicates.some(isPositional)) {
    const filtered = predicates.reduceRight<Sink>((next, code) => streamFilter(code, next), sink);
    return stepWalker(shared, step, filtered);
  }
  let found: XPathItem[] = [];
  const gather = stepWalker(shared, step, (_, node) => {
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

/** Compiles a step that is an expression: evaluated with each item before it as context. */
function exprCode(base: Code, step: ExprStep, env: StaticContext): Code {
  return mapCode(base, compile(step.expr, withContext(env, base.kind)));
}
