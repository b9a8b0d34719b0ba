import { collectPrefixes } from "#src/xml/mod.ts";
import { checkModel, diagnosticModel } from "./loader_checks.ts";
import { functionModel, keyModel } from "./loader_xsl.ts";
import type {
  CheckModel,
  DiagnosticModel,
  ExprText,
  FunctionModel,
  KeyModel,
  LetModel,
  PatternModel,
  PhaseModel,
  RuleModel,
  SchemaModel,
} from "./model.ts";
import {
  attribute,
  fail,
  getPosition,
  isSch,
  type ReadExpr,
  readSource,
  requireAttribute,
  resolveChildren,
  resolveTarget,
  SCH,
  type Sourced,
  type Sources,
} from "./source.ts";
import { allAtOnce } from "./steps.ts";
import { FN, XS, XSL } from "./xpath/namespaces.ts";

const XML = "http://www.w3.org/XML/1998/namespace";
/**
 * Query bindings that mean XPath 2.0. `xslt` is included, since such sets are published as stylesheets of version
 * 2.0.
 */
const BINDINGS = new Set(["xslt", "xslt2", "xslt3", "xpath2", "xpath3", "xpath31"]);
/** Elements that only describe. */
const SILENT = new Set(["title", "p", "properties", "property", "emph", "dir", "span"]);

/** Prefixes the stylesheets that carry out ISO Schematron declare, on which published sets rely. */
const PREDECLARED: readonly (readonly [prefix: string, uri: string])[] = [
  ["xs", XS],
  ["xsd", XS],
  ["fn", FN],
  ["xml", XML],
  ["xsl", XSL],
  ["iso", SCH],
  ["xhtml", "http://www.w3.org/1999/xhtml"],
  ["saxon", "http://saxon.sf.net/"],
];

interface Loading {
  readonly sources: Sources;
  readonly prefixes: Map<string, string>;
  readonly abstractRules: Map<string, Sourced>;
  /**
   * Abstract patterns by id; an id used in several files means all of them, as in the ISO Schematron stylesheets.
   */
  readonly abstractPatterns: Map<string, readonly Sourced[]>;
}

type Draft =
  & {
    -readonly [K in "lets" | "keys" | "functions" | "patterns"]: SchemaModel[K][number][];
  }
  & {
    readonly phases: Map<string, PhaseModel>;
    readonly diagnostics: Map<string, DiagnosticModel>;
    title: string;
  };

/** Reads a rule set with all it includes. `read` gives the text of a path; nothing else is opened. */
export function loadSchema(entryPath: string, read: (path: string) => string): SchemaModel {
  return allAtOnce(loadSteps(entryPath, read));
}

/** Loads like `loadSchema`, in steps: one for each part of the schema. */
export function* loadSteps(
  entryPath: string,
  read: (path: string) => string,
): Generator<void, SchemaModel> {
  const sources: Sources = { read };
  const root = readSource(sources, entryPath, undefined);
  if (!isSch(root.element, "schema")) {
    fail(
      root,
      `the root is not an ISO Schematron schema`,
      `la racine n'est pas un schéma ISO Schematron`,
    );
  }
  const binding = attribute(root, "queryBinding") ?? "xslt2";
  if (!BINDINGS.has(binding)) {
    fail(
      root,
      `the query binding ${binding} is not supported`,
      `le langage ${binding} n'est pas pris en charge`,
    );
  }
  const children = resolveChildren(sources, root);
  const loading: Loading = {
    sources,
    prefixes: prefixesIn(children),
    abstractRules: new Map(),
    abstractPatterns: new Map(),
  };
  collectAbstract(loading, children);
  const draft: Draft = {
    title: "",
    lets: [],
    keys: [],
    functions: [],
    patterns: [],
    phases: new Map(),
    diagnostics: new Map(),
  };
  for (const child of children) {
    addToSchema(loading, draft, child);
    yield;
  }
  const phase = attribute(root, "defaultPhase");
  return {
    ...draft,
    file: entryPath,
    title: draft.title === "" ? entryPath : draft.title,
    prefixes: loading.prefixes,
    defaultPhase: phase === "#ALL" ? undefined : phase,
  };
}

function prefixesIn(children: readonly Sourced[]): Map<string, string> {
  const prefixes = new Map(PREDECLARED);
  for (const child of children) {
    if (!isSch(child.element, "ns")) continue;
    prefixes.set(requireAttribute(child, "prefix"), requireAttribute(child, "uri"));
  }
  return prefixes;
}

/** Abstract patterns and rules, known before any is used. */
function collectAbstract(loading: Loading, children: readonly Sourced[]): void {
  for (const child of children) {
    if (isSch(child.element, "rules")) collectRules(loading, child);
    if (!isSch(child.element, "pattern")) continue;
    if (attribute(child, "abstract") === "true") {
      declarePattern(loading.abstractPatterns, child);
    }
    collectRules(loading, child);
  }
}

function collectRules(loading: Loading, parent: Sourced): void {
  for (const rule of resolveChildren(loading.sources, parent)) {
    if (isSch(rule.element, "rule") && attribute(rule, "abstract") === "true") {
      const id = requireAttribute(rule, "id");
      if (loading.abstractRules.has(id)) declaredTwice(rule, `rule ${id}`);
      loading.abstractRules.set(id, rule);
    }
  }
}

function declarePattern(map: Map<string, readonly Sourced[]>, source: Sourced): void {
  const id = requireAttribute(source, "id");
  const known = map.get(id) ?? [];
  if (known.some(({ file }) => file === source.file)) declaredTwice(source, `pattern ${id}`);
  map.set(id, [...known, source]);
}

function declaredTwice(source: Sourced, what: string): never {
  fail(
    source,
    `the abstract ${what} is declared twice`,
    `${requireAttribute(source, "id")} (abstrait) est déclaré deux fois`,
  );
}

function addToSchema(loading: Loading, draft: Draft, child: Sourced): void {
  const { element } = child;
  if (element.ns === XSL) return addXsl(loading, draft, child);
  if (element.ns !== SCH) return;
  switch (element.local) {
    case "title":
      draft.title = draft.title === "" ? collapse(element.text) : draft.title;
      return;
    case "let":
      draft.lets.push(letModel(loading, child));
      return;
    case "phase":
      return addUnique(draft.phases, phaseModel(loading, child), child);
    case "pattern":
      if (attribute(child, "abstract") !== "true") {
        draft.patterns.push(...patternModels(loading, child));
      }
      return;
    case "diagnostics":
      for (const it of resolveChildren(loading.sources, child)) {
        if (isSch(it.element, "diagnostic")) {
          addUnique(draft.diagnostics, diagnosticModel(it, reader(loading)), it);
        }
      }
      return;
    case "ns":
    case "rules":
      return;
  }
  if (!SILENT.has(element.local)) refuseUnknown(child);
}

function addXsl(
  loading: Loading,
  draft: { functions: FunctionModel[]; keys: KeyModel[]; lets: LetModel[] },
  child: Sourced,
): void {
  const expr = (name: string, source: Sourced) => xslExpr(loading, source, name);
  switch (child.element.local) {
    case "function":
      draft.functions.push(functionModel(child, expr));
      return;
    case "key":
      draft.keys.push(keyModel(child, expr));
      return;
    case "variable":
    case "param":
      draft.lets.push({
        name: requireAttribute(child, "name"),
        value: xslExpr(loading, child, "select"),
      });
      return;
    default:
      refuseUnknown(child);
  }
}

function refuseUnknown(child: Sourced): never {
  const { qname } = child.element;
  fail(child, `${qname} is not supported here`, `${qname} n'est pas pris en charge ici`);
}

function addUnique<T extends { readonly id: string }>(
  map: Map<string, T>,
  value: T,
  source: Sourced,
): void {
  if (map.has(value.id)) {
    fail(
      source,
      `the ${source.element.local} ${value.id} is declared twice`,
      `${value.id} est déclaré deux fois`,
    );
  }
  map.set(value.id, value);
}

function phaseModel(loading: Loading, source: Sourced): PhaseModel {
  const children = resolveChildren(loading.sources, source);
  return {
    id: requireAttribute(source, "id"),
    active: children.filter((it) => isSch(it.element, "active")).map((it) =>
      requireAttribute(it, "pattern")
    ),
    lets: children.filter((it) => isSch(it.element, "let")).map((it) => letModel(loading, it)),
  };
}

function patternModels(loading: Loading, source: Sourced): readonly PatternModel[] {
  const parent = attribute(source, "is-a");
  const id = attribute(source, "id") ?? "";
  if (parent === undefined) return [{ id, ...patternContent(loading, source) }];
  const found = loading.abstractPatterns.get(parent);
  if (found === undefined) {
    fail(
      source,
      `the abstract pattern ${parent} does not exist`,
      `le motif abstrait ${parent} n'existe pas`,
    );
  }
  if (found.some((it) => attribute(it, "is-a") !== undefined)) {
    fail(
      source,
      `the abstract pattern ${parent} is itself an instance`,
      `le motif abstrait ${parent} est lui-même une instance`,
    );
  }
  const params = new Map<string, string>();
  for (const it of resolveChildren(loading.sources, source)) {
    if (isSch(it.element, "param")) {
      params.set(requireAttribute(it, "name").trim(), requireAttribute(it, "value"));
    }
  }
  return found.map((it) => ({ id, ...patternContent(loading, { ...it, params }) }));
}

function patternContent(loading: Loading, source: Sourced): Pick<PatternModel, "lets" | "rules"> {
  const lets: LetModel[] = [];
  const rules: RuleModel[] = [];
  for (const child of resolveChildren(loading.sources, source)) {
    if (isSch(child.element, "let")) lets.push(letModel(loading, child));
    else if (isSch(child.element, "rule")) {
      if (attribute(child, "abstract") !== "true") rules.push(ruleModel(loading, child));
    } else if (
      child.element.ns === SCH && !SILENT.has(child.element.local) &&
      child.element.local !== "param"
    ) {
      refuseUnknown(child);
    }
  }
  return { lets, rules };
}

function ruleModel(loading: Loading, source: Sourced): RuleModel {
  const lets: LetModel[] = [];
  const checks: CheckModel[] = [];
  addRuleContent(loading, source, { lets, checks, flag: attribute(source, "flag"), chain: [] });
  return { context: expression(loading, source, "context"), lets, checks };
}

interface RuleDraft {
  readonly lets: LetModel[];
  readonly checks: CheckModel[];
  readonly flag: string | undefined;
  readonly chain: readonly string[];
}

function addRuleContent(loading: Loading, source: Sourced, draft: RuleDraft): void {
  for (const child of resolveChildren(loading.sources, source)) {
    const { element } = child;
    if (element.ns !== SCH) continue;
    if (element.local === "let") draft.lets.push(letModel(loading, child));
    else if (element.local === "assert" || element.local === "report") {
      draft.checks.push(checkModel(child, { flag: draft.flag, expr: reader(loading) }));
    } else if (element.local === "extends") addExtended(loading, child, draft);
    else if (!SILENT.has(element.local)) refuseUnknown(child);
  }
}

function addExtended(loading: Loading, source: Sourced, draft: RuleDraft): void {
  const id = attribute(source, "rule");
  if (id === undefined) {
    return addRuleContent(loading, resolveTarget(loading.sources, source), draft);
  }
  const rule = loading.abstractRules.get(id);
  if (rule === undefined) {
    fail(source, `the abstract rule ${id} does not exist`, `la règle abstraite ${id} n'existe pas`);
  }
  if (draft.chain.includes(id)) {
    const chain = [...draft.chain, id].join(" → ");
    fail(
      source,
      `abstract rules extend each other: ${chain}`,
      `règles abstraites cycliques : ${chain}`,
    );
  }
  addRuleContent(loading, { ...rule, params: source.params }, {
    ...draft,
    chain: [...draft.chain, id],
  });
}

function letModel(loading: Loading, source: Sourced): LetModel {
  if (attribute(source, "value") === undefined) {
    fail(source, "let has no value attribute", "let n'a pas d'attribut value");
  }
  return { name: requireAttribute(source, "name"), value: expression(loading, source, "value") };
}

function reader(loading: Loading): ReadExpr {
  return (name, source) => expression(loading, source, name);
}

function expression(loading: Loading, source: Sourced, name: string): ExprText {
  return {
    text: requireAttribute(source, name),
    place: getPosition(source, name),
    prefixes: loading.prefixes,
  };
}

/** Returns an expression of an XSLT element, where the namespaces of the file count too. */
function xslExpr(loading: Loading, source: Sourced, name: string): ExprText {
  const prefixes = new Map([...loading.prefixes, ...collectPrefixes(source.element)]);
  return { text: requireAttribute(source, name), place: getPosition(source, name), prefixes };
}

function collapse(text: string): string {
  return text.replace(/[ \t\r\n]+/g, " ").trim();
}
