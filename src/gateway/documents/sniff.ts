import { Buffer } from "node:buffer";
import type { Deps } from "#src/deps.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";
import { textOfXml } from "#src/xml/mod.ts";

const ENOUGH = 64 * 1024;
const NAMESPACES = [
  "urn:oasis:names:specification:ubl:schema:xsd:",
  "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:",
];

/** Returns true when a file begins as a complete invoice: UBL, CII, or a PDF. */
export async function isWholeInvoice(
  { storage }: Pick<Deps, "storage">,
  file: ConfinedPath,
): Promise<boolean> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of storage.read(file, { offset: 0, length: ENOUGH })) chunks.push(chunk);
  const text = textOfXml(Buffer.concat(chunks));
  return text.startsWith("%PDF-") || NAMESPACES.some((namespace) => text.includes(namespace));
}
