import { ATTRIBUTE, DOCUMENT, ELEMENT, type XmlNode } from "#src/xml/mod.ts";
import type { AxisStep, Expr, NodeTest } from "./xpath/ast.ts";
import { type Code, collector, NAME, SCOPED, type Sink } from "./xpath/code.ts";
import { compile } from "./xpath/compile.ts";
import { type Env, memoSlot, nameIndex, withContext } from "./xpath/env.ts";
import { faultOf } from "./xpath/faults.ts";
import { type Frame } from "./xpath/frame.ts";
import { isNode, type Item } from "./xpath/items.ts";
import { compilePredicate, isPositional, positionalFilter } from "./xpath/predicates.ts";
import { nodeTest, parentOf, stepWalker } from "./xpath/steps.ts";
import { memoized } from "./xpath/memo.ts";

/** Kinds of nodes a context can match. */
export const ON_ELEMENT = 1;
export const ON_ATTRIBUTE = 2;
export const ON_DOCUMENT = 4;
export const ON_OTHER = 8;

type Test = (frame: Frame, node: XmlNode) => boolean;

/** One alternative of the context of a rule. */
export interface Matcher {
  /** Kinds of nodes it may match, as bits. */
  readonly on: number;
  /** Index of the only element name it may match; -1 for any. */
  readonly name: number;
  /** What the shape of an element decides: the same for all elements of one shape and one spelling. */
  readonly structure: Test;
  /** What remains to be asked of a node whose structure fits, as context item and `current()`; undefined for nothing. */
  readonly condition: Test | undefined;
}

/** Compiles the context of a rule as XSLT compiles a match pattern: from the last step back. */
export function compileMatch(expr: Expr, env: Env): Matcher[] {
  const inner = { ...withContext(env, "node"), reuse: true };
  const alternatives = alternativesOf(expr, inner);
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
 * The paths a context is made of, with unions such as `(a | b)[c]/(d | e)` spread out; undefined when it is made of
 * more than steps and conditions.
 */
function alternativesOf(expr: Expr, env: Env): Alternative[] | undefined {
  if (expr.t === "union") {
    const left = alternativesOf(expr.left, env);
    const right = alternativesOf(expr.right, env);
    return left === undefined || right === undefined ? undefined : [...left, ...right];
  }
  if (expr.t === "filter") {
    return withCondition(alternativesOf(expr.base, env), expr.predicate, env);
  }
  if (expr.t !== "path") return undefined;
  let found: Alternative[] = [{ rooted: expr.rooted, steps: [] }];
  for (const step of expr.steps) {
    const next = step.step === "axis"
      ? [{ rooted: false, steps: [step] }]
      : alternativesOf(step.expr, env);
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
  env: Env,
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

function byPattern(steps: readonly AxisStep[], rooted: boolean, env: Env): Matcher {
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
  return { on: kindsOf(last), name, structure, condition: conditionOf(path, rooted && !open, env) };
}

/** A step with its predicates apart: those its name decides, and the others. */
interface PlannedStep {
  readonly step: AxisStep;
  readonly byName: readonly Code[];
  readonly byNode: readonly Code[];
}

function planStep(step: AxisStep, env: Env): PlannedStep {
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

/** What must be asked of each node: of itself and, counted upward, of its ancestors. */
function conditionOf(path: readonly PlannedStep[], rooted: boolean, env: Env): Test | undefined {
  const asked = path.flatMap((planned, at) => planned.byNode.length === 0 ? [] : [{ planned, at }]);
  const [first] = asked;
  if (first === undefined) return undefined;
  if (path.slice(first.at).some(({ step }) => isAnywhere(step))) {
    return withoutFaults(pathTest(path, { rooted, only: "all" }, env));
  }
  const tests = asked.reverse().map(({ planned, at }) =>
    atAncestor(nodeTestOf(planned, env), path.length - 1 - at)
  );
  return withoutFaults((frame, node) => tests.every((test) => test(frame, node)));
}

function atAncestor(test: Test, up: number): Test {
  if (up === 0) return test;
  return (frame, node) => {
    let ancestor: XmlNode | undefined = node;
    for (let level = 0; level < up && ancestor !== undefined; level++) {
      ancestor = parentOf(ancestor);
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

function kindsOf({ axis, test }: { axis: AxisStep["axis"]; test: NodeTest }): number {
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

/** The test of the last step, then those of the steps before it on the parents. */
function pathTest(
  path: readonly PlannedStep[],
  { rooted, only }: { readonly rooted: boolean; readonly only: "structure" | "all" },
  env: Env,
): Test {
  let test: Test | undefined = rooted ? (_, node) => node.kind === DOCUMENT : undefined;
  let anywhere = false;
  for (const planned of path) {
    if (isAnywhere(planned.step)) {
      anywhere = true;
      continue;
    }
    const names = nameTestOf(planned, env);
    const rest = only === "all" && planned.byNode.length > 0 ? nodeTestOf(planned, env) : undefined;
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
      const parent = parentOf(node);
      return parent !== undefined && before(frame, parent);
    };
  }
  return (frame, node) => {
    if (!own(frame, node)) return false;
    for (let up = parentOf(node); up !== undefined; up = parentOf(up)) {
      if (before(frame, up)) return true;
    }
    return false;
  };
}

function nameTestOf({ step, byName }: PlannedStep, env: Env): Test {
  const passes = nodeTest(env.shared, step.test, step.axis === "attribute" ? ATTRIBUTE : ELEMENT);
  const own: Test = step.axis === "child"
    ? (frame, node) => node.kind !== ATTRIBUTE && passes(frame, node)
    : passes;
  const tests = byName.map((code) => code.bool);
  return tests.length === 0
    ? own
    : (frame, node) => own(frame, node) && allHold(frame, node, tests);
}

function nodeTestOf({ step, byNode }: PlannedStep, env: Env): Test {
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
  frame: Frame,
  node: XmlNode,
  tests: readonly ((frame: Frame) => boolean)[],
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

function positionalTest(step: AxisStep, env: Env, predicates: readonly Code[]): Test {
  let found: Item[] = [];
  const sink: Sink = (_, node) => {
    found.push(node);
    return false;
  };
  const walk = stepWalker(env.shared, step, sink);
  const filters = predicates.map(positionalFilter);
  return (frame, node) => {
    const parent = parentOf(node);
    if (parent === undefined) return false;
    const mine: Item[] = found = [];
    walk(frame, parent);
    found = [];
    return filters.reduce((list, keep) => keep(frame, list), mine).includes(node);
  };
}

/** A fault while matching means no match (XSLT 2.0 §5.5.4). */
function withoutFaults(test: Test): Test {
  return (frame, node) => {
    try {
      return test(frame, node);
    } catch (thrown) {
      faultOf(thrown);
      return false;
    }
  };
}

/** A context that is no pattern of steps: all nodes it selects from some node, found once per document. */
function bySelection(expr: Expr, env: Env): Matcher {
  const select = collector(compile(expr, env).any);
  const slot = memoSlot(env.shared, `#match ${env.shared.memoSize}`);
  const selected = memoized(
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
    ? kindsOf(last)
    : ON_ELEMENT | ON_ATTRIBUTE | ON_DOCUMENT | ON_OTHER;
}

function selectAnywhere(frame: Frame, select: (frame: Frame) => Item[]): ReadonlySet<Item> {
  const found = new Set<Item>();
  const { item } = frame;
  for (const start of [frame.doc, ...frame.doc.all]) {
    frame.item = start;
    try {
      for (const node of select(frame)) if (isNode(node)) found.add(node);
    } catch (thrown) {
      faultOf(thrown);
    }
  }
  frame.item = item;
  return found;
}

/** Whether a node matches. */
export function matches({ structure, condition }: Matcher, frame: Frame, node: XmlNode): boolean {
  return structure(frame, node) && (condition === undefined || condition(frame, node));
}
