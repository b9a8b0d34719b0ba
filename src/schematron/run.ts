import {
  ATTRIBUTE,
  DOCUMENT,
  ELEMENT,
  formatPath,
  type XmlDocument,
  type XmlElement,
  type XmlNode,
} from "#src/xml/mod.ts";
import { type Absences, suspects } from "./absences.ts";
import type { CompiledCheck } from "./compiled_check.ts";
import type { CompiledRule } from "./compiled_rule.ts";
import { choicesFor, type Dispatch, type RuleCandidates } from "./dispatch.ts";
import { type Guards, isIdle } from "./guards.ts";
import { keepPlan, newShapePlan, planBelow, type ShapePlan } from "./shape_plans.ts";
import type {
  FailedAssertion,
  FiredDiagnostic,
  Omitted,
  RunLimits,
  SchemaReport,
} from "./report.ts";
import { toFault, type XPathFault } from "./xpath/faults.ts";
import {
  atNode,
  clearFrame,
  type EvaluationFrame,
  type FrameSizes,
  newFrame,
  UNSET,
} from "./xpath/frame.ts";
import { compileFirst } from "./xpath/code.ts";
import { isNode } from "./xpath/items.ts";

interface RunPlan {
  /** Local names and their index in `EvaluationFrame.names`, by namespace. */
  readonly namesOf: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly dispatch: Dispatch;
  readonly sizes: FrameSizes;
  /** Frames not in use. */
  readonly idle: EvaluationFrame[];
  /** Placeholder document of an idle frame. */
  readonly nothing: XmlDocument;
  readonly assertions: number;
  /** Choices by shape, learnt from the documents seen. */
  readonly shapes: ShapePlan;
}

interface Run {
  readonly frame: EvaluationFrame;
  readonly found: { readonly pattern: number; readonly failure: FailedAssertion }[];
  readonly notEvaluated: Set<CompiledCheck>;
  readonly most: number;
  /** Assertions with a reported failure. */
  readonly reported: Set<CompiledCheck>;
  readonly omitted: Map<string, Omitted>;
  /** Suspects by shape of the element. */
  readonly suspects: Map<Absences, (readonly CompiledCheck[])[]>;
}

/**
 * Runs a rule set over a document. Faults of assertions become findings; no content of a document causes an
 * exception.
 */
export function runSchema(
  plan: RunPlan,
  doc: XmlDocument,
  { most = Infinity, now }: RunLimits = {},
): SchemaReport {
  const frame = plan.idle.pop() ?? newFrame(doc, plan.sizes);
  frame.doc = doc;
  frame.now = now;
  bindNames(plan, frame);
  const run: Run = {
    frame,
    found: [],
    notEvaluated: new Set(),
    most,
    reported: new Set(),
    omitted: new Map(),
    suspects: new Map(),
  };
  const { vars } = frame;
  try {
    visitAll(run, plan);
  } finally {
    frame.vars = vars;
    clearFrame(frame, plan.nothing);
    if (plan.idle.length === 0) plan.idle.push(frame);
  }
  run.found.sort((a, b) => a.pattern - b.pattern);
  const failures = run.found.map(({ failure }) => failure);
  const { assertions: of } = plan;
  return { ran: of - run.notEvaluated.size, of, failures, omitted: [...run.omitted.values()] };
}

/** Assigns the names of a document, of which there are far fewer than in a schema. */
function bindNames({ namesOf }: RunPlan, frame: EvaluationFrame): void {
  const { doc, names } = frame;
  if (frame.indexes.length < doc.names.count) frame.indexes = new Int32Array(2 * doc.names.count);
  const { indexes } = frame;
  names.fill(-1);
  for (const [ns, numbers] of doc.names.byNamespace) {
    const known = namesOf.get(ns);
    for (const [local, id] of numbers) {
      const index = known?.get(local) ?? -1;
      indexes[id] = index;
      if (index >= 0) names[index] = id;
    }
  }
}

function visitAll(run: Run, { dispatch, shapes }: RunPlan): void {
  const { doc } = run.frame;
  visitAny(run, doc, dispatch.documents);
  const plans: (ShapePlan | undefined)[] = new Array(doc.shapeCount).fill(undefined);
  const tables: PlanTables = { dispatch, plans, root: shapes };
  for (const element of doc.all) {
    const { choices } = plans[element.shape.id] ?? preparePlan(run, element, tables);
    if (choices.length > 0) visit(run, element, choices);
    if (dispatch.attributes.length > 0) {
      for (const attribute of element.attributes) visitAny(run, attribute, dispatch.attributes);
    }
    if (dispatch.others.length > 0) visitOthers(run, element, dispatch.others);
  }
}

interface PlanTables {
  readonly dispatch: Dispatch;
  readonly plans: (ShapePlan | undefined)[];
  readonly root: ShapePlan;
}

/** Returns the choices for elements of one shape: known from an earlier document, or worked out on this element. */
function preparePlan(run: Run, element: XmlElement, tables: PlanTables): ShapePlan {
  const { parent, shape } = element;
  const above = parent === undefined ? tables.root : tables.plans[parent.shape.id];
  const known = above === undefined || shape.name === undefined
    ? undefined
    : planBelow(above, shape.name);
  if (known !== undefined) return tables.plans[shape.id] = known;
  const { frame } = run;
  frame.item = frame.current = element;
  const choices = choicesFor(frame, element, choicesByName(frame, element, tables.dispatch));
  if (shape.name === undefined || above === undefined) return newShapePlan("", choices);
  return tables.plans[shape.id] = keepPlan(tables.root, above, { name: shape.name, choices });
}

function choicesByName(
  frame: EvaluationFrame,
  { nameId }: XmlElement,
  dispatch: Dispatch,
): readonly RuleCandidates[] {
  return dispatch.byName.get(frame.indexes[nameId] ?? -1) ?? dispatch.otherElements;
}

function visitAny(run: Run, node: XmlNode, choices: readonly RuleCandidates[]): void {
  if (choices.length === 0) return;
  run.frame.item = run.frame.current = node;
  visit(run, node, choicesFor(run.frame, node, choices));
}

function visitOthers(run: Run, element: XmlElement, choices: readonly RuleCandidates[]): void {
  for (const child of element.children) if (child.kind !== ELEMENT) visitAny(run, child, choices);
}

function visit(run: Run, node: XmlNode, choices: readonly RuleCandidates[]): void {
  const { frame } = run;
  for (let at = 0; at < choices.length; at++) {
    const choice = choices[at];
    if (choice === undefined) continue;
    const { candidates } = choice;
    frame.item = frame.current = node;
    frame.position = frame.last = 1;
    for (let nth = 0; nth < candidates.length; nth++) {
      const candidate = candidates[nth];
      if (candidate === undefined) continue;
      if (candidate.condition !== undefined && !candidate.condition(frame, node)) continue;
      runRule(run, node, { rule: candidate.rule, pattern: choice.pattern });
      break;
    }
  }
}

function runRule(
  run: Run,
  node: XmlNode,
  { rule, pattern }: { readonly rule: CompiledRule; readonly pattern: number },
): void {
  const { frame } = run;
  const { variables, absences } = rule;
  for (let at = 0; at < variables.length; at++) frame.vars[variables[at] ?? 0] = UNSET;
  frame.item = frame.current = node;
  frame.position = frame.last = 1;
  runChecks(run, node, { checks: rule.checks, pattern, guards: rule.guards });
  if (absences !== undefined && node.kind === ELEMENT) {
    runChecks(run, node, { checks: suspectsFor(run, node, absences), pattern });
  }
}

/** Returns the suspects, which are the same for all elements of a shape. */
function suspectsFor(run: Run, element: XmlElement, absences: Absences): readonly CompiledCheck[] {
  let known = run.suspects.get(absences);
  if (known === undefined) run.suspects.set(absences, known = []);
  return known[element.shape.id] ??= suspects(run.frame, element, absences);
}

function runChecks(
  run: Run,
  node: XmlNode,
  { checks, pattern, guards }: {
    readonly checks: readonly CompiledCheck[];
    readonly pattern: number;
    readonly guards?: Guards | undefined;
  },
): void {
  const { frame } = run;
  for (let at = 0; at < checks.length; at++) {
    const check = checks[at];
    if (check === undefined) continue;
    try {
      if ((guards !== undefined && isIdle(guards, at, frame)) || !check.fires(frame)) continue;
      report(run, node, { check, pattern });
    } catch (thrown) {
      const fault = toFault(thrown);
      frame.item = frame.current = node;
      frame.position = frame.last = 1;
      run.notEvaluated.add(check);
      report(run, node, { check, pattern, fault });
    }
  }
}

function report(
  run: Run,
  node: XmlNode,
  { check, pattern, fault }: {
    readonly check: CompiledCheck;
    readonly pattern: number;
    readonly fault?: XPathFault;
  },
): void {
  if (run.found.length >= run.most && run.reported.has(check)) return omit(run, check, fault);
  run.reported.add(check);
  run.found.push({ pattern, failure: createFailure(run, node, check, fault) });
}

function omit({ omitted }: Run, { model }: CompiledCheck, fault: XPathFault | undefined): void {
  const kind = fault === undefined ? "failed" : "not-evaluated";
  const key = `${kind} ${model.id}`;
  omitted.set(key, {
    rule: model.id,
    kind,
    ...(model.flag === undefined ? {} : { flag: model.flag }),
    ...(model.role === undefined ? {} : { role: model.role }),
    count: (omitted.get(key)?.count ?? 0) + 1,
  });
}

function createFailure(
  run: Run,
  node: XmlNode,
  check: CompiledCheck,
  fault?: XPathFault,
): FailedAssertion {
  const { frame } = run;
  const { model } = check;
  const place = readSubject(frame, node, check);
  const element = place.kind === ELEMENT
    ? place
    : place.kind === DOCUMENT
    ? place.root
    : place.parent;
  const diagnostics = check.diagnostics.map(({ id, lang, role, message }): FiredDiagnostic => ({
    id,
    ...(lang === undefined ? {} : { lang }),
    ...(role === undefined ? {} : { role }),
    text: message(frame),
  }));
  const value = diagnostics.find(({ role }) => role === "value")?.text ?? leafText(place);
  return {
    rule: model.id,
    kind: fault === undefined ? "failed" : "not-evaluated",
    ...(model.flag === undefined ? {} : { flag: model.flag }),
    ...(model.role === undefined ? {} : { role: model.role }),
    test: model.test.text,
    ...(model.see === undefined ? {} : { see: model.see }),
    message: check.message(frame),
    diagnostics,
    location: formatPath(place),
    line: element?.line ?? 1,
    column: element?.column ?? 1,
    ...(value === undefined ? {} : { value }),
    ...(fault === undefined
      ? {}
      : { reason: `${fault.code}: ${fault.en}`, reasonFr: `${fault.code} : ${fault.fr}` }),
  };
}

function readSubject(frame: EvaluationFrame, node: XmlNode, { subject }: CompiledCheck): XmlNode {
  if (subject === undefined) return node;
  try {
    const found = atNode(frame, node, compileFirst(subject));
    return found !== undefined && isNode(found) ? found : node;
  } catch (thrown) {
    toFault(thrown);
    return node;
  }
}

const MAX_VALUE = 200;

function leafText(node: XmlNode): string | undefined {
  const leaf = node.kind === ATTRIBUTE || (node.kind === ELEMENT && node.elements().length === 0);
  if (!leaf) return undefined;
  const text = node.text.trim();
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
