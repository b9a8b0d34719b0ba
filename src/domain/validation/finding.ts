import type { Language } from "#src/kernel/language.ts";

/** FATAL blocks sending; the others inform. XSD errors and fatal rules are FATAL, advisories of ours INFO. */
export const LEVELS = ["FATAL", "ERROR", "WARNING", "INFO"] as const;
export type Level = (typeof LEVELS)[number];

/** One failed check at one place of one document. A value, never an exception. */
export interface Finding {
  readonly level: Level;
  /** The rule set or step that speaks: `XML`, `XSD`, `en16931-ubl`, `br-fr-flux2-ubl`, `advisory`, `transform`. */
  readonly source: string;
  /** The official id (`BR-CO-10`), or ours: `XML-…`, `XSD-…`, `ADV-…`, `TRF-…`. */
  readonly rule: string;
  readonly messageFr: string;
  readonly messageEn: string;
  /** Terms of EN 16931-1 (`BT-106 BT-131`), of its French extension (`EXT-FR-FE-136`) or of lifecycle messages (`MDT-105`). */
  readonly businessTerm?: string;
  /** XPath of the node, with prefixes as in the document and positions (`/Invoice/cac:InvoiceLine[2]`). */
  readonly location: string;
  /** In the file that was given, which may be the ERP's; 1-based, 0 when the finding has no place in it. */
  readonly line: number;
  readonly column: number;
  readonly value?: string;
  readonly expected?: string;
  /** The expression of a Schematron rule; for reports in its own language. */
  readonly test?: string;
  /** Absent where the rule was evaluated and failed: what it asks may hold, or not. */
  readonly evaluated?: false;
  /** The ERP element the value came from, where the stylesheet lets it be traced. */
  readonly sourceField?: string;
}

export function isBlocking(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.level === "FATAL");
}

/** What is answered: beside the sentence in both languages `message`, the one of the language asked for. */
export function withMessage<It extends Pick<Finding, "messageFr" | "messageEn">>(
  it: It,
  language: Language,
): It & { message: string } {
  return { ...it, message: language === "fr" ? it.messageFr : it.messageEn };
}
