import { parseXml, type XmlElement, XmlError } from "#src/xml/mod.ts";

/** Factur-X and ZUGFeRD 2, and ZUGFeRD 1, have a namespace for each version of their properties. */
const PROPERTIES = /^urn:(factur-x|zugferd):pdfa:CrossIndustryDocument:invoice:/;
const PDFA = "http://www.aiim.org/pdfa/ns/id/";
const EXTENSION = "http://www.aiim.org/pdfa/ns/extension/";
const SCHEMA = "http://www.aiim.org/pdfa/ns/schema#";
const PROPERTY = "http://www.aiim.org/pdfa/ns/property#";

/** Properties of the file in an XMP packet, as far as PDF/A and Factur-X need them. */
export interface XmpFacts {
  /** `pdfaid:part` and `pdfaid:conformance`, in upper case. */
  readonly part: string | undefined;
  readonly conformance: string | undefined;
  /** Values of each Factur-X property, by its local name. */
  readonly properties: ReadonlyMap<string, readonly string[]>;
  /** Number of `pdfaExtension:schemas`; PDF/A allows one. */
  readonly schemas: number;
  /** Properties that the schema of Factur-X describes; empty where no schema does. */
  readonly described: ReadonlySet<string>;
}

/** Reads an XMP packet, whose properties are elements or attributes; undefined for a packet that is no XML. */
export function readXmp(packet: Uint8Array): XmpFacts | undefined {
  const text = new TextDecoder().decode(packet)
    .replace(/^[\s\S]*?(?=<(?:\w+:)?(?:xmpmeta|RDF)\b)/, "").replace(/<\?xpacket end[\s\S]*$/, "");
  try {
    return factsIn([...readElements(parseXml(text).root)]);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

function factsIn(elements: readonly XmlElement[]): XmpFacts {
  const values = elements.flatMap(readValues);
  const pdfa = (local: string) =>
    values.find((it) => it.ns === PDFA && it.local === local)?.value.toUpperCase();
  const properties = new Map<string, string[]>();
  for (const { ns, local, value } of values) {
    if (!PROPERTIES.test(ns)) continue;
    properties.set(local, [...properties.get(local) ?? [], value]);
  }
  return {
    part: pdfa("part"),
    conformance: pdfa("conformance"),
    properties,
    schemas: elements.filter((it) => it.ns === EXTENSION && it.local === "schemas").length,
    described: describedIn(elements),
  };
}

interface Value {
  readonly ns: string;
  readonly local: string;
  readonly value: string;
}

function readValues(element: XmlElement): Value[] {
  const own = [...element.elements()].length > 0 ? "" : element.text.trim();
  const attributes = element.attributes.map(({ name, value }) => ({
    ns: name.ns,
    local: name.local,
    value: value.trim(),
  }));
  return [{ ns: element.ns, local: element.local, value: own }, ...attributes]
    .filter(({ value }) => value !== "");
}

/** Returns the names that follow the namespace of Factur-X in the description of a schema. */
function describedIn(elements: readonly XmlElement[]): ReadonlySet<string> {
  const schema = elements.find((it) =>
    [...it.elements()].some((child) =>
      child.ns === SCHEMA && child.local === "namespaceURI" && PROPERTIES.test(child.text.trim())
    )
  );
  const names = schema === undefined ? [] : [...readElements(schema)]
    .filter((it) => it.ns === PROPERTY && it.local === "name").map((it) => it.text.trim());
  return new Set(names);
}

function* readElements(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.elements()) yield* readElements(child);
}
