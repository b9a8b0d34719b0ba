import type { Deps } from "#src/deps.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";

const ENOUGH = 64 * 1024;
const NAMESPACES = [
  "urn:oasis:names:specification:ubl:schema:xsd:",
  "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:",
];

/** Whether the beginning of a file says it is an invoice as it stands: UBL, CII, or a PDF. */
export async function isWholeInvoice(
  { storage }: Pick<Deps, "storage">,
  file: ConfinedPath,
): Promise<boolean> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of storage.read(file, { offset: 0, length: ENOUGH })) {
    text += decoder.decode(chunk, { stream: true });
  }
  return text.startsWith("%PDF-") || NAMESPACES.some((namespace) => text.includes(namespace));
}
