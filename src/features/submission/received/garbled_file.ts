import type { DocumentContent } from "#src/features/validation/mod.ts";
import { isPdf } from "#src/ports/factur_x.ts";

/**
 * True for what says nothing of the flow it was fetched for and may be another the next time: a page for people in the
 * file's place, or a part of a file. A PDF, and XML of whatever kind, is what the PA holds.
 */
export function isGarbled(bytes: Uint8Array, { root }: Pick<DocumentContent, "root">): boolean {
  return !isPdf(bytes) && (root === undefined || root.toLowerCase() === "html");
}
