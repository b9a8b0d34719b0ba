import type { ConsoleLanguage } from "../i18n/language.ts";

/** English names that the console shows instead of those of the API, whose labels are fixed. */
const NAMES: Readonly<Record<string, string>> = {
  "9904": "Sending failed",
  "9907": "Rejected by checks",
  "211": "Payment made",
};

/** Returns the name of a status in the reader's language. */
export function getStatusName(
  { code, label, labelEn }: { code: string; label: string; labelEn?: string | undefined },
  language: ConsoleLanguage,
): string {
  return language === "en" ? NAMES[code] ?? labelEn ?? label : label;
}
