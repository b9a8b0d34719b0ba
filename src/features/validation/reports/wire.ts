import type { Validation } from "../judging/validation.ts";

/** A validation as JSON: without the tree of the document and the expressions of the rules. */
export function wireOf(
  { document: _, written: __, findings, ...rest }: Validation,
): Omit<Validation, "document" | "written"> {
  return { ...rest, findings: findings.map(({ test: _, ...finding }) => finding) };
}
