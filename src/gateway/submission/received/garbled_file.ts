import type { DocumentContent } from "#src/gateway/validation/mod.ts";
import { isPdf } from "#src/ports/factur_x.ts";

/**
 * Returns true for a file that does not represent its flow and may differ at the next download, such as an HTML error
 * page or a truncated file. PDF and XML of any kind are taken as the PA's file.
 */
export function isGarbled(bytes: Uint8Array, { root }: Pick<DocumentContent, "root">): boolean {
  return !isPdf(bytes) && (root === undefined || root.toLowerCase() === "html");
}
