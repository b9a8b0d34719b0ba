import type { Language } from "#src/kernel/language.ts";

/**
 * FATAL blocks the submission; other levels inform. XSD errors and fatal rules are FATAL, our own advice is INFO.
 */
export const LEVELS = ["FATAL", "ERROR", "WARNING", "INFO"] as const;
export type Level = (typeof LEVELS)[number];

/** One failed check at one place of one document. A value, never an exception. */
export interface Finding {
  readonly level: Level;
  /** Rule set or step that reports it: `XML`, `XSD`, `en16931-ubl`, `br-fr-flux2-ubl`, `advisory`, `transform`. */
  readonly source: string;
  /** The official id (`BR-CO-10`), or ours: `XML-…`, `XSD-…`, `ADV-…`, `TRF-…`. */
  readonly rule: string;
  readonly messageFr: string;
  readonly messageEn: string;
  /** Terms of EN 16931-1 (`BT-106 BT-131`), of its French extension (`EXT-FR-FE-136`) or of lifecycle messages (`MDT-105`). */
  readonly businessTerm?: string;
  /** XPath of the node, with prefixes as in the document and positions (`/Invoice/cac:InvoiceLine[2]`). */
  readonly location: string;
  /** Position in the original file, which may be the ERP's; 1-based, 0 when the finding has no position in it. */
  readonly line: number;
  readonly column: number;
  readonly value?: string;
  readonly expected?: string;
  /** The expression of a Schematron rule; for reports in its own language. */
  readonly test?: string;
  /**
   * False if the rule could not be evaluated, so its result is unknown; absent if the rule was evaluated and
   * failed.
   */
  readonly evaluated?: false;
  /** The ERP element the value came from, where the stylesheet lets it be traced. */
  readonly sourceField?: string;
}

export function isBlocking(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.level === "FATAL");
}

/** Adds `message`, the sentence in the requested language, to the sentences in both languages. */
export function withMessage<It extends Pick<Finding, "messageFr" | "messageEn">>(
  it: It,
  language: Language,
): It & { message: string } {
  return { ...it, message: language === "fr" ? it.messageFr : it.messageEn };
}
