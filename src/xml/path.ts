import { ATTRIBUTE, COMMENT, DOCUMENT, ELEMENT, TEXT } from "./kinds.ts";
import { allNamed, type XmlElement, type XmlNode } from "./tree.ts";

/** Returns a readable XPath with the document's own prefixes; a position only where siblings share the name. */
export function formatPath(node: XmlNode): string {
  if (node.kind === DOCUMENT) return "/";
  let path = node.kind === ELEMENT ? "" : leafStep(node);
  let element = node.kind === ELEMENT ? node : node.parent;
  for (; element !== undefined; element = element.parent) path = `/${elementStep(element)}${path}`;
  return path;
}

function elementStep(element: XmlElement): string {
  if (element.parent === undefined) return element.qname;
  const siblings = allNamed(element.parent, element.nameId);
  return siblings.length === 1
    ? element.qname
    : `${element.qname}[${positionIn(siblings, element) + 1}]`;
}

function positionIn(siblings: readonly XmlElement[], element: XmlElement): number {
  let low = 0;
  let high = siblings.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((siblings[middle]?.index ?? 0) < element.index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function leafStep(node: Exclude<XmlNode, { kind: typeof DOCUMENT | typeof ELEMENT }>): string {
  if (node.kind === ATTRIBUTE) return `/@${node.qname}`;
  if (node.kind === TEXT) return "/text()";
  return node.kind === COMMENT ? "/comment()" : `/processing-instruction(${node.target})`;
}
