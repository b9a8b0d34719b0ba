import type { XmlElement } from "#src/xml/mod.ts";
import { BUILT_IN, createTokenCheck, exactly, type ValueType } from "./lexical.ts";
import type { AttributeRule, Content, SchemaTables, Sequence, Slot, TypeTable } from "./tables.ts";

const XS = "http://www.w3.org/2001/XMLSchema";
const UNKNOWN: Content = { kind: "unknown" };
const NO_ATTRIBUTES: ReadonlyMap<number, AttributeRule> = new Map();

/** A `schema` element and the prefixes its names are written with. */
interface SchemaFile {
  readonly root: XmlElement;
  readonly target: string;
  readonly prefixes: ReadonlyMap<string, string>;
}

/** Component and its file. */
interface Component {
  readonly element: XmlElement;
  readonly file: SchemaFile;
}

/** Table under construction, to which others may already refer: types contain one another. */
type Draft = { -readonly [Key in keyof TypeTable]: TypeTable[Key] };

interface Compiler {
  readonly types: ReadonlyMap<string, Component>;
  readonly elements: ReadonlyMap<string, Component>;
  readonly tables: Map<XmlElement, TypeTable>;
  readonly waiting: { readonly draft: Draft; readonly type: Component }[];
  readonly names: Map<string, Map<string, number>>;
  count: number;
}

/** Thrown for a schema feature that the tables do not support. */
class Unknown extends Error {}

/**
 * Compiles the files of one schema, the main one first. It supports the part of XML Schema that our generator
 * uses; a type with other features is `unknown`. Undefined if no element can be the root of a document.
 */
export function compileSchema(roots: readonly XmlElement[]): SchemaTables | undefined {
  const files = roots.map(readFile);
  const [main] = files;
  const [root, ...more] = main?.root.childrenNamed(XS, "element") ?? [];
  if (main === undefined || root === undefined || more.length > 0) return undefined;
  const compiler: Compiler = {
    types: globals(files, "complexType"),
    elements: globals(files, "element"),
    tables: new Map(),
    waiting: [],
    names: new Map(),
    count: 0,
  };
  const name = getNumber(compiler, main.target, root.attr("name") ?? "");
  const type = getTable(compiler, { element: root, file: main });
  for (let next = compiler.waiting.pop(); next !== undefined; next = compiler.waiting.pop()) {
    Object.assign(next.draft, orUnknown(() => compileType(compiler, next.type)));
  }
  const namespaces = new Set(files.map(({ target }) => target));
  return { names: compiler.names, namespaces, root: { name, type } };
}

function readFile(root: XmlElement): SchemaFile {
  const prefixes = new Map(root.declarations);
  const target = root.attr("targetNamespace") ?? "";
  return { root, target, prefixes };
}

function globals(files: readonly SchemaFile[], local: string): Map<string, Component> {
  return new Map(
    files.flatMap((file) =>
      file.root.childrenNamed(XS, local).map((element) =>
        [`{${file.target}}${element.attr("name")}`, { element, file }] as const
      )
    ),
  );
}

function orUnknown(work: () => TypeTable): TypeTable {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Unknown)) throw error;
    return { content: UNKNOWN, attributes: NO_ATTRIBUTES, required: 0 };
  }
}

function getNumber(compiler: Compiler, ns: string, local: string): number {
  let locals = compiler.names.get(ns);
  if (locals === undefined) compiler.names.set(ns, locals = new Map());
  let number = locals.get(local);
  if (number === undefined) locals.set(local, number = compiler.count++);
  return number;
}

/** Returns the table of an element's type, filled later unless it is a built-in one. */
function getTable(compiler: Compiler, { element, file }: Component): TypeTable {
  const name = element.attr("type");
  if (name !== undefined && isBuiltIn(name, file)) {
    const value = BUILT_IN.get(name);
    return { content: { kind: "text", value }, attributes: NO_ATTRIBUTES, required: 0 };
  }
  const type = name === undefined
    ? { element: only(element, ["complexType"]), file }
    : compiler.types.get(expandName(name, file));
  if (type === undefined) throw new Unknown(name);
  const known = compiler.tables.get(type.element);
  if (known !== undefined) return known;
  const draft: Draft = { content: UNKNOWN, attributes: NO_ATTRIBUTES, required: 0 };
  compiler.tables.set(type.element, draft);
  compiler.waiting.push({ draft, type });
  return draft;
}

function compileType(compiler: Compiler, { element, file }: Component): TypeTable {
  allow(element, ["name", "mixed"]);
  const particle = only(element, ["simpleContent", "sequence", "choice"]);
  const mixed = element.attr("mixed");
  if (particle.local === "simpleContent") return compileText(compiler, particle, file);
  const isFree = mixed === "true" && isAnything(particle);
  if (mixed !== undefined && !isFree) throw new Unknown("mixed");
  const content = isFree ? { kind: "free" } as const : readSequence(compiler, particle, file);
  return { content, attributes: NO_ATTRIBUTES, required: 0 };
}

/** Any elements of any namespace, checked where they are known. */
function isAnything(particle: XmlElement): boolean {
  allow(particle, []);
  const any = only(particle, ["any"]);
  allow(any, ["processContents", "minOccurs", "maxOccurs"]);
  const { isMany, isOptional } = occurs(any);
  return any.attr("processContents") === "lax" && isMany && isOptional;
}

function compileText(compiler: Compiler, content: XmlElement, file: SchemaFile): TypeTable {
  const extension = only(content, ["extension"]);
  allow(extension, ["base"]);
  const attributes = new Map(
    extension.elements().map((it) => [
      getNumber(compiler, "", it.attr("name") ?? ""),
      readAttribute(it, file),
    ]),
  );
  const required = [...attributes.values()].filter((it) => it.isRequired).length;
  const value = builtIn(extension.attr("base"), file);
  return { content: { kind: "text", value }, attributes, required };
}

function readAttribute(element: XmlElement, file: SchemaFile): AttributeRule {
  if (element.local !== "attribute") throw new Unknown(element.local);
  allow(element, ["name", "type", "use", "fixed"]);
  const use = element.attr("use") ?? "optional";
  if (use !== "optional" && use !== "required") throw new Unknown(use);
  const [fixed, type] = [element.attr("fixed"), element.attr("type")];
  const value = type === undefined
    ? compileRestriction(only(element, ["simpleType"]), file)
    : builtIn(type, file);
  return { isRequired: use === "required", value: fixed === undefined ? value : exactly(fixed) };
}

/** Returns a token with bounds of its length: the one restriction there is. */
function compileRestriction(simpleType: XmlElement, file: SchemaFile): ValueType {
  allow(simpleType, []);
  const restriction = only(simpleType, ["restriction"]);
  allow(restriction, ["base"]);
  const bounds = new Map(restriction.elements().map((it) => [it.local, Number(it.attr("value"))]));
  const [least, most] = [bounds.get("minLength"), bounds.get("maxLength")];
  const base = restriction.attr("base") ?? "";
  const isToken = base === "xs:token" && isBuiltIn(base, file) && bounds.size === 2;
  if (!isToken || least === undefined || most === undefined) throw new Unknown(base);
  return createTokenCheck(least, most);
}

function builtIn(name: string | undefined, file: SchemaFile): ValueType {
  if (name === undefined || !isBuiltIn(name, file)) throw new Unknown(name);
  return BUILT_IN.get(name);
}

function isBuiltIn(name: string, { prefixes }: SchemaFile): boolean {
  return BUILT_IN.has(name) && prefixes.get("xs") === XS;
}

/** Returns a sequence of elements, or a choice, which is a sequence of one slot. */
function readSequence(compiler: Compiler, particle: XmlElement, file: SchemaFile): Sequence {
  allow(particle, []);
  const isChoice = particle.local === "choice";
  const slots = new Map<number, Slot>();
  const optional: boolean[] = [];
  for (const [at, element] of particle.elements().entries()) {
    const { isMany, isOptional } = occurs(element);
    if (isChoice && (isMany || isOptional)) throw new Unknown("choice");
    const { ns, local, type } = resolveDeclaration(compiler, element, file);
    const name = getNumber(compiler, ns, local);
    if (slots.has(name)) throw new Unknown(local);
    slots.set(name, { index: isChoice ? 0 : at, isMany, type });
    if (!isChoice || at === 0) optional.push(isOptional);
  }
  if (slots.size === 0) throw new Unknown("empty");
  return { kind: "elements", slots, mandatory: mandatoryFrom(optional) };
}

function mandatoryFrom(optional: readonly boolean[]): Uint16Array {
  const next = new Uint16Array(optional.length + 1).fill(optional.length);
  for (let at = optional.length - 1; at >= 0; at--) {
    next[at] = optional[at] ? next[at + 1] as number : at;
  }
  return next;
}

function occurs(element: XmlElement): { isMany: boolean; isOptional: boolean } {
  const least = element.attr("minOccurs") ?? "1";
  const most = element.attr("maxOccurs") ?? "1";
  if (!["0", "1"].includes(least) || !["1", "unbounded"].includes(most)) throw new Unknown(most);
  return { isMany: most === "unbounded", isOptional: least === "0" };
}

/** Returns the declaration. A local element is in the namespace of its file; a reference may point to any file. */
function resolveDeclaration(
  compiler: Compiler,
  element: XmlElement,
  file: SchemaFile,
): { ns: string; local: string; type: TypeTable } {
  if (element.local !== "element") throw new Unknown(element.local);
  const ref = element.attr("ref");
  const global = ref === undefined
    ? { element, file }
    : compiler.elements.get(expandName(ref, file));
  if (global === undefined) throw new Unknown(ref);
  if (ref !== undefined) allow(element, ["ref", "minOccurs", "maxOccurs"]);
  allow(global.element, ["name", "type", "minOccurs", "maxOccurs"]);
  if (global.file.root.attr("elementFormDefault") !== "qualified") throw new Unknown("unqualified");
  return {
    ns: global.file.target,
    local: global.element.attr("name") ?? "",
    type: getTable(compiler, global),
  };
}

function expandName(qname: string, { prefixes }: SchemaFile): string {
  const colon = qname.indexOf(":");
  const prefix = colon < 0 ? "" : qname.slice(0, colon);
  return `{${prefixes.get(prefix) ?? ""}}${qname.slice(colon + 1)}`;
}

/** Returns the one child element. */
function only(element: XmlElement, locals: readonly string[]): XmlElement {
  const [child, ...more] = element.elements();
  const isKnown = child?.ns === XS && more.length === 0 && locals.includes(child.local);
  if (!isKnown) throw new Unknown(element.local);
  return child;
}

function allow(element: XmlElement, attributes: readonly string[]): void {
  for (const { qname } of element.attributes) {
    if (!attributes.includes(qname)) throw new Unknown(qname);
  }
}
