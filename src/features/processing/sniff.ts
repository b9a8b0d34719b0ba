import type { Deps } from "#src/deps.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";

const ENOUGH = 64 * 1024;
const UBL_NAMESPACE = "urn:oasis:names:specification:ubl:schema:xsd:";

/** Whether the beginning of a file names a UBL namespace. Bytes that are no text say no. */
export async function declaresUbl(
  { storage }: Pick<Deps, "storage">,
  file: ConfinedPath,
): Promise<boolean> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of storage.read(file, { offset: 0, length: ENOUGH })) {
    text += decoder.decode(chunk, { stream: true });
  }
  return text.includes(UBL_NAMESPACE);
}
