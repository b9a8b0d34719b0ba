import { ATTRIBUTE, DOCUMENT, ELEMENT, type XmlNode } from "#src/xml/mod.ts";
import type { AxisStep, Expr, NodeTest } from "./xpath/ast.ts";
import { type Code, collector, NAME, SCOPED, type Sink } from "./xpath/code.ts";
import { compile } from "./xpath/compile.ts";
import { memoSlot, nameIndex, type StaticContext, withContext } from "./xpath/env.ts";
import { toFault } from "./xpath/faults.ts";
import { type EvaluationFrame } from "./xpath/frame.ts";
import { isNode, type XPathItem } from "./xpath/items.ts";
import { compilePredicate, isPositional, positionalFilter } from "./xpath/predicates.ts";
import { findParent, nodeTest, stepWalker } from "./xpath/steps.ts";
import { memoize } from "./xpath/memo.ts";

/** Kinds of nodes a context can match. */
export const ON_ELEMENT = 1;
export const ON_ATTRIBUTE = 2;
export const ON_DOCUMENT = 4;
export const ON_OTHER = 8;

type Test = (frame: EvaluationFrame, node: XmlNode) => boolean;

/** One alternative of the context of a rule. */
export interface Matcher {
  /** Kinds of nodes it may match, as bits. */
  readonly on: number;
  /** Index of the only element name it may match; -1 for any. */
  readonly name: number;
  /** Test on the shape of an element; its result is the same for all elements with that shape and spelling. */
  readonly structure: Test;
  /**
   * Test on the node itself (context item and `current()`) once its structure matches; undefined if none is
   * needed.
   */
  readonly condition: Test | undefined;
}

/** Compiles the context of a rule as XSLT compiles a match pattern: from the last step back. */
export function compileMatch(expr: Expr, env: StaticContext): Matcher[] {
  const inner = { ...withContext(env, "node"), reuse: true };
  const alternatives = getAlternatives(expr, inner);
  if (alternatives === undefined) return [bySelection(expr, inner)];
  return alternatives.map(({ rooted, steps }) => byPattern(steps, rooted, inner));
}

interface Alternative {
  readonly rooted: boolean;
  readonly steps: readonly AxisStep[];
}

/** More alternatives than this are found by selection instead. */
const MAX_ALTERNATIVES = 64;

/**
 * Returns the alternative paths of a context, with unions such as `(a | b)[c]/(d | e)` expanded; undefined for a
 * context with more than steps and conditions.
 */
function getAlternatives(expr: Expr, env: StaticContext): Alternative[] | undefined {
  if (expr.t === "union") {
    const left = getAlternatives(expr.left, env);
    const right = getAlternatives(expr.right, env);
    return left === undefined || right === undefined ? undefined : [...left, ...right];
  }
  if (expr.t === "filter") {
    return withCondition(getAlternatives(expr.base, env), expr.predicate, env);
  }
  if (expr.t !== "path") return undefined;
  let found: Alternative[] = [{ rooted: expr.rooted, steps: [] }];
  for (const step of expr.steps) {
    const next = step.step === "axis"
      ? [{ rooted: false, steps: [step] }]
      : getAlternatives(step.expr, env);
    const first = found[0]?.steps.length === 0 && !expr.rooted;
    if (
      next === undefined ||
      next.some((it) => !it.steps.every(isPatternStep) || (it.rooted && !first))
    ) {
      return undefined;
    }
    found = found.flatMap((start) =>
      next.map((it) => ({
        rooted: start.rooted || it.rooted,
        steps: [...start.steps, ...it.steps],
      }))
    );
    if (found.length > MAX_ALTERNATIVES) return undefined;
  }
  return found;
}

function withCondition(
  alternatives: readonly Alternative[] | undefined,
  condition: Expr,
  env: StaticContext,
): Alternative[] | undefined {
  if (alternatives === undefined || isPositional(compilePredicate(condition, env, "node"))) {
    return undefined;
  }
  const found: Alternative[] = [];
  for (const { rooted, steps } of alternatives) {
    const last = steps.at(-1);
    if (last === undefined) return undefined;
    found.push({
      rooted,
      steps: [...steps.slice(0, -1), { ...last, predicates: [...last.predicates, condition] }],
    });
  }
  return found;
}

function byPattern(steps: readonly AxisStep[], rooted: boolean, env: StaticContext): Matcher {
  const last = steps.at(-1);
  if (last === undefined) {
    return {
      on: ON_DOCUMENT,
      name: -1,
      structure: (_, node) => node.kind === DOCUMENT,
      condition: undefined,
    };
  }
  const name = last.test.test === "name" && last.axis !== "attribute"
    ? nameIndex(env.shared, last.test.ns, last.test.local)
    : -1;
  const [first] = steps;
  const open = rooted && first !== undefined && isAnywhere(first);
  const path = steps.map((step) => planStep(step, env));
  const structure = pathTest(path, { rooted: rooted && !open, only: "structure" }, env);
  return {
    on: getKinds(last),
    name,
    structure,
    condition: findCondition(path, rooted && !open, env),
  };
}

/** Step with its predicates in two groups: those that its name decides, and the others. */
interface PlannedStep {
  readonly step: AxisStep;
  readonly byName: readonly Code[];
  readonly byNode: readonly Code[];
}

function planStep(step: AxisStep, env: StaticContext): PlannedStep {
  const codes = step.predicates.flatMap(conjuncts).map((predicate) => compile(predicate, env));
  const whole = codes.some(isPositional)
    ? step.predicates.map((predicate) => compile(predicate, env))
    : codes;
  const named = whole.some(isPositional)
    ? 0
    : leading(whole, (code) => (code.depends & ~(NAME | SCOPED)) === 0);
  return { step, byName: whole.slice(0, named), byNode: whole.slice(named) };
}

function conjuncts(predicate: Expr): Expr[] {
  return predicate.t === "and" ? predicate.items.flatMap(conjuncts) : [predicate];
}

function leading<T>(list: readonly T[], holds: (item: T) => boolean): number {
  const end = list.findIndex((item) => !holds(item));
  return end < 0 ? list.length : end;
}

/** Compiles the tests on each node: on the node itself and, counted upward, on its ancestors. */
function findCondition(
  path: readonly PlannedStep[],
  rooted: boolean,
  env: StaticContext,
): Test | undefined {
  const asked = path.flatMap((planned, at) => planned.byNode.length === 0 ? [] : [{ planned, at }]);
  const [first] = asked;
  if (first === undefined) return undefined;
  if (path.slice(first.at).some(({ step }) => isAnywhere(step))) {
    return withoutFaults(pathTest(path, { rooted, only: "all" }, env));
  }
  const tests = asked.reverse().map(({ planned, at }) =>
    atAncestor(getNodeTest(planned, env), path.length - 1 - at)
  );
  return withoutFaults((frame, node) => tests.every((test) => test(frame, node)));
}

function atAncestor(test: Test, up: number): Test {
  if (up === 0) return test;
  return (frame, node) => {
    let ancestor: XmlNode | undefined = node;
    for (let level = 0; level < up && ancestor !== undefined; level++) {
      ancestor = findParent(ancestor);
    }
    return ancestor !== undefined && test(frame, ancestor);
  };
}

function isPatternStep(step: AxisStep): boolean {
  return step.axis === "child" || step.axis === "attribute" || isAnywhere(step);
}

function isAnywhere(step: AxisStep): boolean {
  return step.axis === "descendant-or-self" && step.test.test === "node" &&
    step.predicates.length === 0;
}

function getKinds({ axis, test }: { axis: AxisStep["axis"]; test: NodeTest }): number {
  if (axis === "attribute") return ON_ATTRIBUTE;
  switch (test.test) {
    case "node":
      return ON_ELEMENT | ON_OTHER;
    case "text":
    case "comment":
    case "instruction":
      return ON_OTHER;
    case "document":
      return ON_DOCUMENT;
    default:
      return ON_ELEMENT;
  }
}

/** Returns the test of the last step, then those of the steps before it on the parents. */
function pathTest(
  path: readonly PlannedStep[],
  { rooted, only }: { readonly rooted: boolean; readonly only: "structure" | "all" },
  env: StaticContext,
): Test {
  let test: Test | undefined = rooted ? (_, node) => node.kind === DOCUMENT : undefined;
  let anywhere = false;
  for (const planned of path) {
    if (isAnywhere(planned.step)) {
      anywhere = true;
      continue;
    }
    const names = getNameTest(planned, env);
    const rest = only === "all" && planned.byNode.length > 0
      ? getNodeTest(planned, env)
      : undefined;
    const own: Test = rest === undefined
      ? names
      : (frame, node) => names(frame, node) && rest(frame, node);
    test = andParent(own, test, anywhere);
    anywhere = false;
  }
  return test ?? (() => false);
}

function andParent(own: Test, before: Test | undefined, anywhere: boolean): Test {
  if (before === undefined) return (frame, node) => node.kind !== DOCUMENT && own(frame, node);
  if (!anywhere) {
    return (frame, node) => {
      if (!own(frame, node)) return false;
      const parent = findParent(node);
      return parent !== undefined && before(frame, parent);
    };
  }
  return (frame, node) => {
    if (!own(frame, node)) return false;
    for (let up = findParent(node); up !== undefined; up = findParent(up)) {
      if (before(frame, up)) return true;
    }
    return false;
  };
}

function getNameTest({ step, byName }: PlannedStep, env: StaticContext): Test {
  const passes = nodeTest(env.shared, step.test, step.axis === "attribute" ? ATTRIBUTE : ELEMENT);
  const own: Test = step.axis === "child"
    ? (frame, node) => node.kind !== ATTRIBUTE && passes(frame, node)
    : passes;
  const tests = byName.map((code) => code.bool);
  return tests.length === 0
    ? own
    : (frame, node) => own(frame, node) && allHold(frame, node, tests);
}

function getNodeTest({ step, byNode }: PlannedStep, env: StaticContext): Test {
  if (byNode.some(isPositional)) return positionalTest(step, env, byNode);
  const [first, ...rest] = byNode.map((code) => code.bool);
  if (first === undefined) return () => true;
  if (rest.length > 0) {
    const all = [first, ...rest];
    return (frame, node) => allHold(frame, node, all);
  }
  return (frame, node) => {
    const { item } = frame;
    frame.item = node;
    const holds = first(frame);
    frame.item = item;
    return holds;
  };
}

function allHold(
  frame: EvaluationFrame,
  node: XmlNode,
  tests: readonly ((frame: EvaluationFrame) => boolean)[],
): boolean {
  const { item } = frame;
  frame.item = node;
  for (const test of tests) {
    if (!test(frame)) {
      frame.item = item;
      return false;
    }
  }
  frame.item = item;
  return true;
}

function positionalTest(step: AxisStep, env: StaticContext, predicates: readonly Code[]): Test {
  let found: XPathItem[] = [];
  const sink: Sink = (_, node) => {
    found.push(node);
    return false;
  };
  const walk = stepWalker(env.shared, step, sink);
  const filters = predicates.map(positionalFilter);
  return (frame, node) => {
    const parent = findParent(node);
    if (parent === undefined) return false;
    const mine: XPathItem[] = found = [];
    walk(frame, parent);
    found = [];
    return filters.reduce((list, keep) => keep(frame, list), mine).includes(node);
  };
}

/** Wraps a test so that a fault means no match (XSLT 2.0 §5.5.4). */
function withoutFaults(test: Test): Test {
  return (frame, node) => {
    try {
      return test(frame, node);
    } catch (thrown) {
      toFault(thrown);
      return false;
    }
  };
}

/** Compiles a context that is no pattern of steps: all nodes it selects, found once per document. */
function bySelection(expr: Expr, env: StaticContext): Matcher {
  const select = collector(compile(expr, env).any);
  const slot = memoSlot(env.shared, `#match ${env.shared.memoSize}`);
  const selected = memoize(
    (frame) => selectAnywhere(frame, select),
    slot,
  );
  return {
    on: selectedKinds(expr),
    name: -1,
    structure: () => true,
    condition: withoutFaults((frame, node) => selected(frame).has(node)),
  };
}

function selectedKinds(expr: Expr): number {
  const last = expr.t === "path" ? expr.steps.at(-1) : undefined;
  return last?.step === "axis" &&
      (last.axis === "child" || last.axis === "attribute" || last.axis === "descendant")
    ? getKinds(last)
    : ON_ELEMENT | ON_ATTRIBUTE | ON_DOCUMENT | ON_OTHER;
}

function selectAnywhere(
  frame: EvaluationFrame,
  select: (frame: EvaluationFrame) => XPathItem[],
): ReadonlySet<XPathItem> {
  const found = new Set<XPathItem>();
  const { item } = frame;
  for (const start of [frame.doc, ...frame.doc.all]) {
    frame.item = start;
    try {
      for (const node of select(frame)) if (isNode(node)) found.add(node);
    } catch (thrown) {
      toFault(thrown);
    }
  }
  frame.item = item;
  return found;
}

/** Checks whether a node matches. */
export function matches(
  { structure, condition }: Matcher,
  frame: EvaluationFrame,
  node: XmlNode,
): boolean {
  return structure(frame, node) && (condition === undefined || condition(frame, node));
}
