import { LEVELS, withMessage } from "#src/domain/validation/finding.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Validation } from "../judging/validation.ts";
import { toWire } from "./wire.ts";

/** Output options of a result. */
export interface VerdictStyle {
  /** One JSON line instead of sentences. */
  readonly json: boolean;
  readonly language: Language;
}

/** Writes the verdict of a file for a terminal or, as JSON, for a program. */
export function verdictLines(
  file: string,
  validation: Validation,
  { json, language }: VerdictStyle,
): string[] {
  return json ? [formatLine(file, validation, language)] : getSentences(file, validation, language);
}

function formatLine(file: string, validation: Validation, language: Language): string {
  const { valid, xsd, findings, rules, ...rest } = toWire(validation, language);
  return jsonLine({ file, valid, xsd, findings, rules, ...rest });
}

/** Escapes U+2028 and U+2029, which JSON allows and some readers take for ends of lines. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16)}`,
  );
}

function getSentences(
  file: string,
  { valid, findings, rules, overrides }: Validation,
  language: Language,
): string[] {
  const english = language === "en";
  const verdict = valid
    ? (english ? "valid" : "conforme")
    : (english ? "NOT VALID" : "NON CONFORME");
  const evaluated = english
    ? `${rules.ran} of ${rules.of} rules`
    : `${rules.ran} règles sur ${rules.of}`;
  const sorted = findings.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  return [
    `${valid ? "✓" : "✕"} ${file}: ${verdict} (${evaluated})`,
    ...sorted.map((it) =>
      `  ${it.level.padEnd(7)} ${it.rule}  ${it.line}:${it.column}  ${
        withMessage(it, language).message
      }`
    ),
    ...overrides.map((it) =>
      `  ${it.ruleSet} ${it.rule} → ${it.level} (${
        it.expires.slice(0, 10)
      }, ${it.author}): ${it.reason}`
    ),
  ];
}
