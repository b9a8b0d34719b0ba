import type { Finding } from "#src/domain/validation/finding.ts";
import type { LogEntry } from "#src/features/runs/mod.ts";
import type { Language } from "#src/kernel/language.ts";

export function logOf(severity: string, submodule: string, message: string): LogEntry {
  return { severity, module: "processing", submodule, message };
}

/** A finding as a line of the run's log: the rule set is the module, the rule the submodule. */
export function logOfFinding(
  finding: Finding,
  { name, language }: { name: string; language: Language },
): LogEntry {
  const place = placeOf(finding, language);
  return {
    severity: finding.level,
    module: finding.source,
    submodule: finding.rule,
    message: `${name}: ${language === "en" ? finding.messageEn : finding.message}${place}`,
  };
}

/** The ERP's field where it is known: of UBL made here nobody has the lines. */
function placeOf({ sourceField, line, column }: Finding, language: Language): string {
  if (sourceField) return language === "en" ? ` (field ${sourceField})` : ` (champ ${sourceField})`;
  return line ? ` (line ${line}, column ${column})` : "";
}
