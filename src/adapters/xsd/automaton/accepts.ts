import type { XmlDocument, XmlElement } from "#src/xml/mod.ts";
import { isPlainUri } from "./lexical.ts";
import type { SchemaTables, Sequence, TypeTable } from "./tables.ts";

const XSI = "http://www.w3.org/2001/XMLSchema-instance";
/** Usual beginnings of a document; libxml2 validates documents with any other. */
const BEGINNING =
  /^(?!<\?xml[ \t\n])|^<\?xml +version *= *["']1\.0["'](?: +encoding *= *["'][Uu][Tt][Ff]-8["'])?(?: +standalone *= *["'](?:yes|no)["'])? *\?>/;
const ASCII_NAME = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/;
const LESS = 60, BANG = 33, DASH = 45;

interface Walk {
  readonly source: string;
  readonly schema: SchemaTables;
  /** Number of a name in the schema by its number in the document, -1 for unknown names. */
  readonly names: Int32Array;
}

/**
 * Checks whether a document is certainly valid: true only if libxml2 would find no fault, neither in the XML nor
 * by the schema. False is no verdict; it is the answer to everything unusual.
 */
export function accepts(schema: SchemaTables, document: XmlDocument): boolean {
  const { source, root } = document;
  if (!BEGINNING.test(source) || source.includes("<?", root.order)) return false;
  if (!document.instructions.every(({ target }) => ASCII_NAME.test(target))) return false;
  const names = translate(schema, document);
  if (names[root.nameId] !== schema.root.name) return false;
  return isValid({ source, schema, names }, root, schema.root.type);
}

function translate({ names }: SchemaTables, document: XmlDocument): Int32Array {
  const numbers = new Int32Array(document.names.count).fill(-1);
  for (const [ns, locals] of document.names.byNamespace) {
    const known = names.get(ns);
    if (known === undefined) continue;
    for (const [local, id] of locals) numbers[id] = known.get(local) ?? -1;
  }
  return numbers;
}

function isValid(walk: Walk, element: XmlElement, type: TypeTable): boolean {
  if (element.declarations.length > 0 && !declaresPlainly(walk, element)) return false;
  if (!hasValidAttributes(walk, element, type)) return false;
  const { content } = type;
  if (content.kind === "elements") return hasValidChildren(walk, element, content);
  if (content.kind === "text") {
    if (element.kids.length > 0) return false;
    const { value } = content;
    return value === undefined || value(walk.source, element.contentStart, element.contentEnd);
  }
  return content.kind === "free" && isFree(walk, element);
}

/** Checks for names and namespace URIs that libxml2 certainly accepts: it rejects invalid URIs. */
function declaresPlainly({ schema }: Walk, { declarations }: XmlElement): boolean {
  return declarations.every(([prefix, uri]) =>
    (prefix === "" || (prefix !== "xml" && ASCII_NAME.test(prefix))) &&
    (schema.namespaces.has(uri) || isPlainUri(uri))
  );
}

function hasValidAttributes(walk: Walk, { attributes }: XmlElement, type: TypeTable): boolean {
  let required = 0;
  for (const { nameId, name, text } of attributes) {
    const rule = type.attributes.get(walk.names[nameId] as number);
    if (rule === undefined) {
      if (!isHint(name)) return false;
      continue;
    }
    if (rule.value !== undefined && !rule.value(text, 0, text.length)) return false;
    if (rule.isRequired) required++;
  }
  return required === type.required;
}

/** Checks for a schema location hint, which is ignored. */
function isHint({ ns, local }: { readonly ns: string; readonly local: string }): boolean {
  return ns === XSI && (local === "schemaLocation" || local === "noNamespaceSchemaLocation");
}

function hasValidChildren(walk: Walk, element: XmlElement, content: Sequence): boolean {
  const { source, names } = walk;
  const { slots, mandatory } = content;
  let filled = -1;
  let behind = element.contentStart;
  for (const kid of element.kids) {
    const slot = slots.get(names[kid.nameId] as number);
    if (slot === undefined || !isBlank(source, behind, kid.order)) return false;
    const { index } = slot;
    if (index === filled ? !slot.isMany : (mandatory[filled + 1] as number) < index) return false;
    if (index < filled || !isValid(walk, kid, slot.type)) return false;
    filled = index;
    behind = kid.end;
  }
  return mandatory[filled + 1] === mandatory.length - 1 &&
    isBlank(source, behind, element.contentEnd);
}

/** White space and comments. */
function isBlank(source: string, from: number, to: number): boolean {
  let at = from;
  while (at < to) {
    const unit = source.charCodeAt(at);
    if (unit === 32 || unit === 10 || unit === 9) at++;
    else if (isComment(source, at)) at = source.indexOf("-->", at + 4) + 3;
    else return false;
  }
  return true;
}

function isComment(source: string, at: number): boolean {
  return source.charCodeAt(at) === LESS && source.charCodeAt(at + 1) === BANG &&
    source.charCodeAt(at + 2) === DASH;
}

/** Checks for content without a schema: elements of other namespaces, with any content. */
function isFree(walk: Walk, element: XmlElement): boolean {
  return element.kids.every((kid) =>
    !walk.schema.namespaces.has(kid.ns) && ASCII_NAME.test(kid.qname) &&
    (kid.declarations.length === 0 || declaresPlainly(walk, kid)) &&
    kid.attributes.every(({ name }) =>
      name.ns !== XSI && name.prefix !== "xml" && ASCII_NAME.test(name.qname)
    ) && isFree(walk, kid)
  );
}
