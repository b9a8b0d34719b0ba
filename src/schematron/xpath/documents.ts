import type { XmlDocument } from "#src/xml/mod.ts";
import type { ClarkName, Expr } from "./ast.ts";
import { type Code, collector, DOC, LOCAL, MANY, manyCode, oneCode } from "./code.ts";
import { failAt, type SchemaScope, type StaticContext, withVariable } from "./env.ts";
import type { EvaluationFrame } from "./frame.ts";
import { atomize, atomizedKind } from "./functions_nodes.ts";
import type { XPathItem } from "./items.ts";
import { FN } from "./namespaces.ts";
import { getLocal, getNamespace } from "./parser.ts";

type PathExpr = Extract<Expr, { t: "path" }>;
type CallExpr = Extract<Expr, { t: "call" }>;

/** Functions that lead from another document back to the validated one. */
const LEADS_BACK: ReadonlySet<string> = new Set(["current", "key", "root", "document", "doc"]);

/** Returns the call a path into another document starts with: `document('codes.xml')/list/code[@id = $id]`. */
export function documentCall(expr: PathExpr): CallExpr | undefined {
  const [first] = expr.steps;
  if (expr.rooted || first?.step !== "expr" || first.expr.t !== "call") return undefined;
  return isDocumentCall(first.expr) ? first.expr : undefined;
}

function isDocumentCall({ name, args }: CallExpr): boolean {
  return getNamespace(name) === FN && ["document", "doc"].includes(getLocal(name)) &&
    args.length === 1;
}

/**
 * Compiles a path into another file of the rule set, given as a literal. It returns values, never nodes. Names
 * are numbered again for each document, so its predicates may read no part of the validated document except
 * variables, evaluated before.
 */
export function compileDocumentPath(
  expr: PathExpr,
  env: StaticContext,
  compilePath: (expr: PathExpr, env: StaticContext) => Code,
): Code {
  const call = documentCall(expr) as CallExpr;
  const document = getDocument(call, env.shared);
  const steps = expr.steps.slice(1);
  const used = variablesIn(steps, env);
  let inner: StaticContext = { ...env, context: undefined, reuse: false };
  const given = used.map((name) => {
    const { code } = env.variables.get(name) as { code: Code };
    const slot = env.slots.count++;
    inner = withVariable(inner, name, { code: valueIn(slot, code) });
    return { slot, values: collector(code.each) };
  });
  const path = compilePath({ ...expr, rooted: true, steps }, inner);
  const nodes = collector(path.each);
  let names: Int32Array | undefined;
  const enter = <T>(frame: EvaluationFrame, run: (frame: EvaluationFrame) => T): T => {
    for (const { slot, values } of given) frame.vars[slot] = values(frame).map(atomize);
    names ??= namesIn(document, env.shared);
    return inDocument(frame, { document, names }, run);
  };
  const depends = used.reduce(
    (bits, name) => bits | (env.variables.get(name)?.code.depends ?? 0),
    DOC,
  );
  return manyCode(
    "untyped",
    depends,
    (sink) => (frame) => enter(frame, nodes).some((node) => sink(frame, atomize(node))),
    { distinct: false, bool: (frame) => enter(frame, path.bool) },
  );
}

function getDocument(call: CallExpr, { documents }: SchemaScope): XmlDocument {
  const [href] = call.args;
  if (href?.t !== "literal" || typeof href.value !== "string") {
    failAt(
      call,
      "the name of the document is no literal",
      "le nom du document n'est pas un littéral",
    );
  }
  try {
    return documents(href.value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    failAt(
      call,
      `the document ${href.value} cannot be read: ${reason}`,
      `le document ${href.value} ne peut être lu : ${reason}`,
    );
  }
}

/** Returns the variables in the steps; rejects steps that would read the validated document. */
function variablesIn(steps: PathExpr["steps"], env: StaticContext): ClarkName[] {
  const found = new Set<ClarkName>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    if ("t" in value) look(value as Expr);
    for (const [name, part] of Object.entries(value)) if (name !== "span") visit(part);
  };
  const look = (expr: Expr): void => {
    const user = expr.t === "call" && (getNamespace(expr.name) !== FN &&
      env.shared.functions.has(`${expr.name}#${expr.args.length}`));
    if (user || expr.t === "call" && LEADS_BACK.has(getLocal(expr.name)) || isRooted(expr)) {
      failAt(
        expr,
        "a path into another document may not look at the one being judged",
        "un chemin dans un autre document ne peut consulter celui qui est jugé",
      );
    }
    if (expr.t === "variable" && env.variables.has(expr.name)) found.add(expr.name);
  };
  visit(steps);
  return [...found];
}

function isRooted(expr: Expr): boolean {
  return expr.t === "path" && expr.rooted;
}

function valueIn(slot: number, { kind, card }: Code): Code {
  const items = (frame: EvaluationFrame) => frame.vars[slot] as readonly XPathItem[];
  if (card !== MANY) return oneCode(atomizedKind(kind), LOCAL, (frame) => items(frame)[0], card);
  return manyCode(
    atomizedKind(kind),
    LOCAL,
    (sink) => (frame) => items(frame).some((item) => sink(frame, item)),
    { distinct: false },
  );
}

/** Returns the numbers this document gave to the names of the schema. */
function namesIn({ names }: XmlDocument, { expandedNames }: SchemaScope): Int32Array {
  return Int32Array.from(
    expandedNames,
    ({ ns, local }) => names.byNamespace.get(ns)?.get(local) ?? -1,
  );
}

function inDocument<T>(
  frame: EvaluationFrame,
  { document, names }: { readonly document: XmlDocument; readonly names: Int32Array },
  run: (frame: EvaluationFrame) => T,
): T {
  const { doc, names: own, item, position, last } = frame;
  frame.doc = document;
  frame.names = names;
  frame.item = document;
  frame.position = frame.last = 1;
  try {
    return run(frame);
  } finally {
    frame.doc = doc;
    frame.names = own;
    frame.item = item;
    frame.position = position;
    frame.last = last;
  }
}
