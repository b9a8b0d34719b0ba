import type { Finding } from "#src/domain/validation/finding.ts";
import type { LogEntry } from "#src/features/runs/mod.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";

export function logOf(severity: string, submodule: string, message: Sentence): LogEntry {
  return { severity, module: "processing", submodule, message };
}

/** A finding as a line of the run's log: the rule set is the module, the rule the submodule. */
export function logOfFinding(finding: Finding, name: Sentence): LogEntry {
  const text = { en: finding.messageEn, fr: finding.messageFr };
  return {
    severity: finding.level,
    module: finding.source,
    submodule: finding.rule,
    message: say`${name}: ${text}${placeOf(finding)}`,
  };
}

/** In the file that was given; of what the ERP wrote, with its field where that is known. */
function placeOf({ sourceField, line, column }: Finding): Sentence | string {
  if (!line) return "";
  return sourceField
    ? say` (field ${sourceField}, line ${line}, column ${column})`
    : say` (line ${line}, column ${column})`;
}
