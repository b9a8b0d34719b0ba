import { parseXml, TEXT, type XmlElement } from "#src/xml/mod.ts";

/** Returns the document as lines: expanded names, attributes by name, texts without white space between elements. */
export function canonical(xml: string | Uint8Array): string[] {
  return lines(parseXml(xml).root, "");
}

function lines(element: XmlElement, indent: string): string[] {
  const attributes = element.attributes
    .filter(({ qname }) => qname !== "xmlns" && !qname.startsWith("xmlns:"))
    .map(({ ns, local, text }) => ` {${ns}}${local}="${text}"`).sort().join("");
  const head = `${indent}{${element.ns}}${element.local}${attributes}`;
  if (element.kids.length === 0) return [`${head} ${element.text}`];
  const loose = element.children.filter((child) => child.kind === TEXT).map(({ text }) =>
    text.trim()
  );
  return [head + loose.join(""), ...element.kids.flatMap((kid) => lines(kid, `${indent} `))];
}
