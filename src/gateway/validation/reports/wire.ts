import { markCauses } from "#src/domain/validation/causes.ts";
import { withMessage } from "#src/domain/validation/finding.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Validation } from "../judging/validation.ts";

/**
 * A validation as JSON: without the tree of the document and the expressions of the rules, its findings by cause with a
 * `message` in `language`.
 */
export function toWire(
  { document: _, written: __, findings, ...rest }: Validation,
  language: Language,
) {
  const shown = markCauses(findings)
    .map(({ test: _, ...finding }) => withMessage(finding, language));
  return { ...rest, findings: shown };
}
