import { parseXml, pathOf, type XmlDocument, type XmlElement, XmlError } from "#src/xml/mod.ts";

interface Found {
  readonly xpath: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Turns libxml2's paths, where every name of the default namespace reads `*` and columns are unknown, into places of the
 * document. Answers undefined for a path it cannot follow.
 */
export function placesOf(
  bytes: Uint8Array,
  document = parsed(bytes),
): (path: string | undefined) => Found | undefined {
  return (path) => {
    const element = document && path ? follow(document, path) : undefined;
    return element && { xpath: pathOf(element), line: element.line, column: element.column };
  };
}

function parsed(bytes: Uint8Array): XmlDocument | undefined {
  try {
    return parseXml(bytes);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

function follow(document: XmlDocument, path: string): XmlElement | undefined {
  const [, , ...steps] = path.split("/");
  let element: XmlElement | undefined = document.root;
  for (const step of steps) {
    const [, name = "", position = "1"] = /^([^[\]@]+)(?:\[(\d+)\])?$/.exec(step) ?? [];
    if (name === "") break;
    const same: readonly XmlElement[] = name === "*"
      ? element.elements()
      : element.elements().filter((kid) => kid.qname === name);
    element = same[Number(position) - 1];
    if (element === undefined) return undefined;
  }
  return element;
}
