import type { Validation } from "./validation.ts";

/** A validation as JSON: without the tree of the document. */
export function wireOf({ document: _, ...rest }: Validation): Omit<Validation, "document"> {
  return rest;
}
