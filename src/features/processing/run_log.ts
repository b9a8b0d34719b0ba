import type { Finding } from "#src/domain/validation/finding.ts";
import type { LogEntry } from "#src/features/runs/mod.ts";

export function logOf(severity: string, submodule: string, message: string): LogEntry {
  return { severity, module: "processing", submodule, message };
}

/** A finding as a line of the run's log: the rule set is the module, the rule the submodule. */
export function logOfFinding(
  finding: Finding,
  { name, language }: { name: string; language: "fr" | "en" },
): LogEntry {
  const place = finding.line ? ` (line ${finding.line}, column ${finding.column})` : "";
  return {
    severity: finding.level,
    module: finding.source,
    submodule: finding.rule,
    message: `${name}: ${language === "en" ? finding.messageEn : finding.message}${place}`,
  };
}
