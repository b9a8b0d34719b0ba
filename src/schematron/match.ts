import { ATTRIBUTE, DOCUMENT, ELEMENT, type XmlNode } from "#src/xml/mod.ts";
import type { AxisStep, Expr, NodeTest } from "./xpath/ast.ts";
import { type Code, collector, type Sink } from "./xpath/code.ts";
import { compile } from "./xpath/compile.ts";
import { type Env, memoSlot, nameIndex, withContext } from "./xpath/env.ts";
import { XPathFault } from "./xpath/faults.ts";
import { type Frame } from "./xpath/frame.ts";
import { isNode, type Item } from "./xpath/items.ts";
import { remembered } from "./xpath/code.ts";
import { compilePredicate, isPositional, positionalFilter } from "./xpath/predicates.ts";
import { nodeTest, parentOf, stepWalker } from "./xpath/steps.ts";

/** Kinds of nodes a context can match. */
export const ON_ELEMENT = 1;
export const ON_ATTRIBUTE = 2;
export const ON_DOCUMENT = 4;
export const ON_OTHER = 8;

/** One alternative of the context of a rule. */
export interface Matcher {
  /** Kinds of nodes it may match, as bits. */
  readonly on: number;
  /** Index of the only element name it may match; -1 for any. */
  readonly name: number;
  /** Asked with the node as context item and `current()`. */
  readonly matches: (frame: Frame, node: XmlNode) => boolean;
}

type Test = (frame: Frame, node: XmlNode) => boolean;

/** Compiles the context of a rule as XSLT compiles a match pattern: from the last step back. */
export function compileMatch(expr: Expr, env: Env): Matcher[] {
  const inner = withContext(env, "node");
  const alternatives = alternativesOf(expr);
  if (alternatives === undefined) return [bySelection(expr, inner)];
  return alternatives.map(({ rooted, steps }) => byPattern(steps, rooted, inner));
}

interface Alternative {
  readonly rooted: boolean;
  readonly steps: readonly AxisStep[];
}

/** The paths a context is made of, unions and `(a | b)/c` spread out; undefined when it is made of more than steps. */
function alternativesOf(expr: Expr): Alternative[] | undefined {
  if (expr.t === "union") {
    const left = alternativesOf(expr.left);
    const right = alternativesOf(expr.right);
    return left === undefined || right === undefined ? undefined : [...left, ...right];
  }
  if (expr.t !== "path") return undefined;
  const [first] = expr.steps;
  const grouped = !expr.rooted && first?.step === "expr";
  const starts = grouped ? alternativesOf(first.expr) : [{ rooted: expr.rooted, steps: [] }];
  const rest = grouped ? expr.steps.slice(1) : expr.steps;
  const steps = rest.filter((step) => step.step === "axis");
  if (starts === undefined || steps.length !== rest.length || !steps.every(isPatternStep)) {
    return undefined;
  }
  return starts.map((start) => ({ rooted: start.rooted, steps: [...start.steps, ...steps] }));
}

function byPattern(steps: readonly AxisStep[], rooted: boolean, env: Env): Matcher {
  const last = steps.at(-1);
  if (last === undefined) {
    return { on: ON_DOCUMENT, name: -1, matches: (_, node) => node.kind === DOCUMENT };
  }
  const test = stepsTest(steps, rooted, env);
  const name = last.test.test === "name" && last.axis !== "attribute"
    ? nameIndex(env.shared, last.test.ns, last.test.local)
    : -1;
  return { on: kindsOf(last), name, matches: faultless(test) };
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
function stepsTest(steps: readonly AxisStep[], rooted: boolean, env: Env): Test {
  let test: Test | undefined = rooted ? (_, node) => node.kind === DOCUMENT : undefined;
  let anywhere = false;
  for (const step of steps) {
    if (isAnywhere(step)) {
      anywhere = true;
      continue;
    }
    test = andParent(stepTest(step, env), test, anywhere);
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

function stepTest(step: AxisStep, env: Env): Test {
  const passes = nodeTest(env.shared, step.test, step.axis === "attribute" ? ATTRIBUTE : ELEMENT);
  const own: Test = step.axis === "child"
    ? (frame, node) => node.kind !== ATTRIBUTE && passes(frame, node)
    : passes;
  const predicates = step.predicates.map((predicate) => compilePredicate(predicate, env, "node"));
  if (predicates.length === 0) return own;
  if (predicates.some(isPositional)) return positionalTest(step, { env, predicates, own });
  const tests = predicates.map((code) => code.bool);
  return (frame, node) => own(frame, node) && allHold(frame, node, tests);
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

function positionalTest(
  step: AxisStep,
  { env, predicates, own }: { env: Env; predicates: readonly Code[]; own: Test },
): Test {
  let found: Item[] = [];
  const sink: Sink = (_, node) => {
    found.push(node);
    return false;
  };
  const walk = stepWalker(env.shared, step, sink);
  const filters = predicates.map(positionalFilter);
  return (frame, node) => {
    const parent = parentOf(node);
    if (parent === undefined || !own(frame, node)) return false;
    found = [];
    walk(frame, parent);
    return filters.reduce((list, keep) => keep(frame, list), found).includes(node);
  };
}

/** A fault while matching means no match (XSLT 2.0 §5.5.4). */
function faultless(test: Test): Test {
  return (frame, node) => {
    try {
      return test(frame, node);
    } catch (fault) {
      if (fault instanceof XPathFault) return false;
      throw fault;
    }
  };
}

/** A context that is no pattern of steps: all nodes it selects from some node, found once per document. */
function bySelection(expr: Expr, env: Env): Matcher {
  const select = collector(compile(expr, env).any);
  const slot = memoSlot(env.shared, `#match ${env.shared.memoSize}`);
  const selected = remembered(
    (frame) => selectAnywhere(frame, select),
    (frame) => frame.memo,
    slot,
  );
  return {
    on: ON_ELEMENT | ON_ATTRIBUTE | ON_DOCUMENT | ON_OTHER,
    name: -1,
    matches: faultless((frame, node) => selected(frame).has(node)),
  };
}

function selectAnywhere(frame: Frame, select: (frame: Frame) => Item[]): ReadonlySet<Item> {
  const found = new Set<Item>();
  const { item } = frame;
  for (const start of [frame.doc, ...frame.doc.all]) {
    frame.item = start;
    try {
      for (const node of select(frame)) if (isNode(node)) found.add(node);
    } catch (fault) {
      if (!(fault instanceof XPathFault)) throw fault;
    }
  }
  frame.item = item;
  return found;
}
