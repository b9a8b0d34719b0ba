import type { XmlElement } from "./tree.ts";

/**
 * Compares two elements: names, attributes and texts are equal. Prefixes, the order of attributes, comments and
 * white space around texts do not count.
 */
export function isSameElement(a: XmlElement, b: XmlElement): boolean {
  const waiting: (readonly [XmlElement, XmlElement])[] = [[a, b]];
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    const [one, other] = pair;
    if (one.ns !== other.ns || one.local !== other.local) return false;
    if (one.kids.length !== other.kids.length || !hasSameAttributes(one, other)) return false;
    if (one.kids.length === 0 && one.text.trim() !== other.text.trim()) return false;
    for (const [at, kid] of one.kids.entries()) waiting.push([kid, other.kids[at] as XmlElement]);
  }
  return true;
}

function hasSameAttributes(a: XmlElement, b: XmlElement): boolean {
  return a.attributes.length === b.attributes.length &&
    a.attributes.every(({ local, ns, value }) => b.attr(local, ns) === value);
}
