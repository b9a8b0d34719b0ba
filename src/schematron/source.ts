import { parseXml, type XmlAttribute, type XmlElement, XmlError } from "#src/xml/mod.ts";
import { SchematronError, type SchematronPosition } from "./errors.ts";
import type { ExprText } from "./model.ts";

export const SCH = "http://purl.oclc.org/dsdl/schematron";

/** Element and its file. */
export interface Sourced {
  readonly element: XmlElement;
  readonly file: string;
  /** Parameters of the abstract pattern being instantiated. */
  readonly params: ReadonlyMap<string, string>;
  /** Files included on the way here, outermost first; including one of them again would be a cycle. */
  readonly chain: readonly string[];
}

/** The expression an attribute of an element holds. */
export type ReadExpr = (name: string, source: Sourced) => ExprText;

/** The files of one rule set. */
export interface Sources {
  readonly read: (path: string) => string;
}

const NO_PARAMS: ReadonlyMap<string, string> = new Map();

export function readSource(
  sources: Sources,
  path: string,
  from: SchematronPosition | undefined,
): Sourced {
  const place = from ?? { file: path, line: 0, column: 0 };
  let text: string;
  try {
    text = sources.read(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SchematronError(place, {
      en: `${path} cannot be read: ${reason}`,
      fr: `${path} ne peut être lu : ${reason}`,
    });
  }
  try {
    const element = parseXml(withoutEncoding(text)).root;
    return { element, file: path, params: NO_PARAMS, chain: [path] };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    const { line, column } = error;
    throw new SchematronError({ file: path, line, column }, {
      en: error.message,
      fr: error.messageFr,
    });
  }
}

/** Removes the encoding from the declaration: the text is already decoded. */
function withoutEncoding(text: string): string {
  return text.replace(/^(\uFEFF?<\?xml[^>]*?)\s+encoding\s*=\s*(?:"[^"]*"|'[^']*')/, "$1");
}

/** Returns child elements with every `include` replaced by its target. */
export function resolveChildren(sources: Sources, parent: Sourced): Sourced[] {
  return parent.element.elements().flatMap((element) => {
    const child = { ...parent, element };
    return isSch(element, "include") ? resolveInclude(sources, child) : [child];
  });
}

function resolveInclude(sources: Sources, include: Sourced): Sourced[] {
  const root = resolveTarget(sources, include);
  if (isSch(root.element, "include")) return resolveInclude(sources, root);
  return isSch(root.element, "schema") || isSch(root.element, "library")
    ? resolveChildren(sources, root)
    : [root];
}

/** Returns the target of `@href`: a whole file, or `file#id`. */
export function resolveTarget(sources: Sources, pointer: Sourced): Sourced {
  const place = getPosition(pointer);
  const href = attribute(pointer, "href");
  if (href === undefined) {
    fail(
      pointer,
      `${pointer.element.local} has no href`,
      `${pointer.element.local} n'a pas de href`,
    );
  }
  const [relative = "", id] = href.split("#");
  const path = relative === "" ? pointer.file : resolvePath(pointer.file, relative);
  const key = id === undefined ? path : `${path}#${id}`;
  const chain = [...pointer.chain, key];
  if (pointer.chain.includes(key)) {
    const circle = chain.join(" → ");
    throw new SchematronError(place, {
      en: `cyclic include: ${circle}`,
      fr: `inclusion cyclique : ${circle}`,
    });
  }
  const root = { ...readSource(sources, path, place), params: pointer.params, chain };
  return id === undefined ? root : fragment(root, id, pointer);
}

function fragment(root: Sourced, id: string, pointer: Sourced): Sourced {
  const element = root.element.document.all.find((candidate) => candidate.attr("id") === id);
  if (element === undefined) {
    fail(
      pointer,
      `${root.file} has no element with id ${id}`,
      `${root.file} n'a pas d'élément d'id ${id}`,
    );
  }
  return { ...root, element };
}

/** Returns a path relative to the folder of another; `.` and `..` resolved. */
export function resolvePath(from: string, relative: string): string {
  if (/^(?:[a-z]+:\/\/|\/)/i.test(relative)) return relative;
  const parts = from.split("/").slice(0, -1);
  for (const part of relative.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

export function isSch(element: XmlElement, local: string): boolean {
  return element.ns === SCH && element.local === local;
}

/** Returns an attribute without namespace, parameters of the abstract pattern replaced in it. */
export function attribute(source: Sourced, name: string): string | undefined {
  const value = source.element.attr(name);
  return value === undefined ? undefined : substituteParams(value, source.params);
}

function substituteParams(value: string, params: ReadonlyMap<string, string>): string {
  if (params.size === 0 || !value.includes("$")) return value;
  return value.replace(/\$([\p{L}_][\p{L}\p{M}\p{Nd}_.\-]*)/gu, (whole, name: string) => {
    for (let end = name.length; end > 0; end--) {
      const found = params.get(name.slice(0, end));
      const cut = end === name.length || name.charAt(end) === "." || name.charAt(end) === "-";
      if (found !== undefined && cut) return found + name.slice(end);
    }
    return whole;
  });
}

/** Returns a required attribute, like `attribute`. */
export function requireAttribute(source: Sourced, name: string): string {
  return attribute(source, name) ??
    fail(
      source,
      `${source.element.qname} has no ${name}`,
      `${source.element.qname} n'a pas de ${name}`,
    );
}

/** Returns the position of an attribute, or of the element if the attribute is missing. */
export function getPosition(source: Sourced, name?: string): SchematronPosition {
  const found: XmlAttribute | undefined = source.element.attributes
    .find((candidate) => candidate.local === name && candidate.ns === "");
  const place = source.element.document.placeOf(found?.order ?? source.element.order);
  return { file: source.file, line: place.line, column: place.column };
}

export function fail(source: Sourced, en: string, fr: string, rule?: string): never {
  throw new SchematronError({ ...getPosition(source), ...(rule === undefined ? {} : { rule }) }, {
    en,
    fr,
  });
}
