import { parseXml, type XmlDocument, XmlError } from "#src/xml/mod.ts";

/**
 * True for what says nothing of the flow it was fetched for and may be another the next time: a page for people in the
 * file's place, or a part of a file. A PDF, and XML of whatever kind, is what the platform holds.
 */
export function isGarbled(bytes: Uint8Array): boolean {
  if (new TextDecoder().decode(bytes.subarray(0, 5)) === "%PDF-") return false;
  const document = readable(bytes);
  return !document || document.root.local.toLowerCase() === "html";
}

/** Undefined for what is no well-formed XML. */
export function readable(bytes: Uint8Array): XmlDocument | undefined {
  try {
    return parseXml(bytes);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}
