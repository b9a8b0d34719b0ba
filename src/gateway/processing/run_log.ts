import type { Finding } from "#src/domain/validation/finding.ts";
import type { RunLogEntry } from "#src/gateway/runs/mod.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";

export function createLogEntry(
  severity: string,
  submodule: string,
  message: Sentence,
): RunLogEntry {
  return { severity, module: "processing", submodule, message };
}

/**
 * A finding as a line of the run's log: the rule set is the module, the rule the submodule. The causes of a preview are
 * read from it.
 */
export function logOfFinding(finding: Finding, name: Sentence): RunLogEntry {
  const text = { en: finding.messageEn, fr: finding.messageFr };
  return {
    severity: finding.level,
    module: finding.source,
    submodule: finding.rule,
    message: say`${name}: ${text}${formatPosition(finding)}`,
  };
}

/** Returns the position in the input file, with the ERP field when known. */
function formatPosition({ sourceField, line, column }: Finding): Sentence | string {
  if (!line) return "";
  return sourceField
    ? say` (field ${sourceField}, line ${line}, column ${column})`
    : say` (line ${line}, column ${column})`;
}
