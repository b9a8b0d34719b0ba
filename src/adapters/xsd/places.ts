import { formatPath, parseXml, type XmlDocument, type XmlElement, XmlError } from "#src/xml/mod.ts";

interface Found {
  readonly xpath: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Converts libxml2's paths to positions of the document. In these paths every name of the default namespace is
 * `*`, and columns are unknown. Undefined for a path it cannot follow.
 */
export function locatePaths(
  bytes: Uint8Array,
  document = parseDocument(bytes),
): (path: string | undefined) => Found | undefined {
  return (path) => {
    const element = document && path ? follow(document, path) : undefined;
    return element && { xpath: formatPath(element), line: element.line, column: element.column };
  };
}

function parseDocument(bytes: Uint8Array): XmlDocument | undefined {
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
