import { parseXml, type XmlElement, XmlError } from "#src/xml/mod.ts";

/** Factur-X and ZUGFeRD 2, and ZUGFeRD 1, have a namespace for each version of their properties. */
const PROPERTIES = /^urn:(factur-x|zugferd):pdfa:CrossIndustryDocument:invoice:/;

/** ConformanceLevel of an XMP packet, as an element or an attribute; undefined where there is none, or no readable packet. */
export function profileIn(packet: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(packet)
    .replace(/^[\s\S]*?(?=<(?:\w+:)?(?:xmpmeta|RDF)\b)/, "").replace(/<\?xpacket end[\s\S]*$/, "");
  try {
    return levelIn(parseXml(text).root);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

function levelIn(element: XmlElement): string | undefined {
  if (element.local === "ConformanceLevel" && PROPERTIES.test(element.ns)) {
    return element.text.trim() || undefined;
  }
  const attribute = element.attributes.find(({ name }) =>
    name.local === "ConformanceLevel" && PROPERTIES.test(name.ns)
  );
  if (attribute) return attribute.value.trim() || undefined;
  for (const child of element.elements()) {
    const level = levelIn(child);
    if (level !== undefined) return level;
  }
  return undefined;
}
