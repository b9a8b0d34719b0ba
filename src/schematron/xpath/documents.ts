import type { XmlDocument } from "#src/xml/mod.ts";
import type { ClarkName, Expr } from "./ast.ts";
import { type Code, collector, DOC, LOCAL, MANY, manyCode, oneCode } from "./code.ts";
import { type Env, failAt, type Shared, withVariable } from "./env.ts";
import type { Frame } from "./frame.ts";
import { atomized, atomizedKind } from "./functions_nodes.ts";
import type { Item } from "./items.ts";
import { FN } from "./namespaces.ts";
import { localOf, namespaceOf } from "./parser.ts";

type PathExpr = Extract<Expr, { t: "path" }>;
type CallExpr = Extract<Expr, { t: "call" }>;

/** What leads from another document back to the one being judged. */
const LEADS_BACK: ReadonlySet<string> = new Set(["current", "key", "root", "document", "doc"]);

/** The call a path into another document starts with: `document('codes.xml')/list/code[@id = $id]`. */
export function documentCall(expr: PathExpr): CallExpr | undefined {
  const [first] = expr.steps;
  if (expr.rooted || first?.step !== "expr" || first.expr.t !== "call") return undefined;
  return isDocumentCall(first.expr) ? first.expr : undefined;
}

function isDocumentCall({ name, args }: CallExpr): boolean {
  return namespaceOf(name) === FN && ["document", "doc"].includes(localOf(name)) &&
    args.length === 1;
}

/**
 * A path into another file of the rule set, given as a literal. Its values are taken and no nodes, and its predicates
 * may look at nothing of the document being judged but variables, whose values are taken before: names are numbered for
 * each document anew.
 */
export function compileDocumentPath(
  expr: PathExpr,
  env: Env,
  compilePath: (expr: PathExpr, env: Env) => Code,
): Code {
  const call = documentCall(expr) as CallExpr;
  const document = documentOf(call, env.shared);
  const steps = expr.steps.slice(1);
  const used = variablesIn(steps, env);
  let inner: Env = { ...env, context: undefined, reuse: false };
  const given = used.map((name) => {
    const { code } = env.variables.get(name) as { code: Code };
    const slot = env.slots.count++;
    inner = withVariable(inner, name, { code: valueIn(slot, code) });
    return { slot, values: collector(code.each) };
  });
  const path = compilePath({ ...expr, rooted: true, steps }, inner);
  const nodes = collector(path.each);
  let names: Int32Array | undefined;
  const enter = <T>(frame: Frame, run: (frame: Frame) => T): T => {
    for (const { slot, values } of given) frame.vars[slot] = values(frame).map(atomized);
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
    (sink) => (frame) => enter(frame, nodes).some((node) => sink(frame, atomized(node))),
    { distinct: false, bool: (frame) => enter(frame, path.bool) },
  );
}

function documentOf(call: CallExpr, { documents }: Shared): XmlDocument {
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

/** Variables the steps use; refuses what would look at the document being judged. */
function variablesIn(steps: PathExpr["steps"], env: Env): ClarkName[] {
  const found = new Set<ClarkName>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    if ("t" in value) look(value as Expr);
    for (const [name, part] of Object.entries(value)) if (name !== "span") visit(part);
  };
  const look = (expr: Expr): void => {
    const user = expr.t === "call" && (namespaceOf(expr.name) !== FN &&
      env.shared.functions.has(`${expr.name}#${expr.args.length}`));
    if (user || expr.t === "call" && LEADS_BACK.has(localOf(expr.name)) || isRooted(expr)) {
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
  const items = (frame: Frame) => frame.vars[slot] as readonly Item[];
  if (card !== MANY) return oneCode(atomizedKind(kind), LOCAL, (frame) => items(frame)[0], card);
  return manyCode(
    atomizedKind(kind),
    LOCAL,
    (sink) => (frame) => items(frame).some((item) => sink(frame, item)),
    { distinct: false },
  );
}

/** The numbers this document gave to the names of the schema. */
function namesIn({ names }: XmlDocument, { expandedNames }: Shared): Int32Array {
  return Int32Array.from(
    expandedNames,
    ({ ns, local }) => names.byNamespace.get(ns)?.get(local) ?? -1,
  );
}

function inDocument<T>(
  frame: Frame,
  { document, names }: { readonly document: XmlDocument; readonly names: Int32Array },
  run: (frame: Frame) => T,
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
