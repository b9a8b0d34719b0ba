/** A piece of XML still to be written: nothing (left out), or a named element. */
export type XmlPart = Node | undefined;

export interface Node {
  readonly name: string;
  readonly attributes: Attributes;
  readonly content: string | readonly XmlPart[];
}

type Attributes = Readonly<Record<string, string | undefined>>;

/** Returns an element with text; left out without text. */
export function leaf(name: string, text: string | undefined, attributes: Attributes = {}): XmlPart {
  return text === undefined || text === "" ? undefined : { name, attributes, content: text };
}

/** Returns an element with elements; left out when all of them are. */
export function group(name: string, ...parts: readonly (XmlPart | readonly XmlPart[])[]): XmlPart {
  const content = parts.flat().filter((part) => part !== undefined);
  return content.length === 0 ? undefined : { name, attributes: {}, content };
}

/** Creates an element that is written even when empty, as the schema requires for the groups of the message. */
export function requireElement(
  name: string,
  ...parts: readonly (XmlPart | readonly XmlPart[])[]
): Node {
  return { name, attributes: {}, content: parts.flat() };
}

/** Returns the document as text, UTF-8 declared. */
export function toXml(root: Node): string {
  const out = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  append(out, root);
  return out.join("");
}

function append(out: string[], { name, attributes, content }: Node): void {
  out.push("<", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) out.push(" ", key, '="', escapeAttribute(value), '"');
  }
  out.push(">");
  if (typeof content === "string") out.push(escapeText(content));
  else for (const part of content) if (part) append(out, part);
  out.push("</", name, ">");
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}

function escapeAttribute(value: string): string {
  return escapeText(value).replaceAll('"', "&quot;").replaceAll("\n", "&#10;")
    .replaceAll("\t", "&#9;");
}
