import { inBoth, say, type Sentence, type Text } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Actor } from "#src/ports/access.ts";
import type { SheetValue, SpreadsheetSheet } from "#src/ports/spreadsheet.ts";

export { CSV_START, writeCsvLine } from "./csv.ts";

/** A list as a file, which is written as it is read. */
export interface ExportedFile {
  readonly filename: string;
  readonly maxRows: number;
  /** There are more rows than the file holds. */
  readonly isCut: boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Time zone of dates and times in files. */
export const ZONE = "Europe/Paris";

/** Returns the day of a moment in Paris, as `yyyy-MM-dd`. */
export function findDay(moment: Date): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: ZONE }).format(moment);
}

/** Note for the reader of a file: a name, and its value. */
export type ExportNote = readonly [Sentence, SheetValue | Sentence | Text];

/**
 * Builds the last sheet of a file, which describes the others. Its notes are requested after the others are written.
 */
export function aboutSheet(
  language: Language,
  notes: () => readonly ExportNote[],
): SpreadsheetSheet {
  const inLanguage = (sentence: Sentence) => inBoth(sentence)[language];
  const show = (value: ExportNote[1]): SheetValue => {
    if (typeof value !== "object" || value === null) return value;
    return "key" in value ? inLanguage(value) : value[language];
  };
  return {
    name: inLanguage(say`About this export`),
    columns: [
      { title: inLanguage(say`What`), kind: "text", width: 24 },
      { title: inLanguage(say`Value`), kind: "text", width: 80 },
    ],
    rows: (async function* () {
      yield await Promise.resolve(notes().map(([what, value]) => [inLanguage(what), show(value)]));
    })(),
  };
}

/** Returns notes with the author and the time. */
export function madeBy({ username, profile }: Actor, now: Date): readonly ExportNote[] {
  const format = (locale: string) =>
    new Intl.DateTimeFormat(locale, { timeZone: ZONE, dateStyle: "short", timeStyle: "short" })
      .format(now);
  return [
    [
      say`Exported by`,
      profile?.displayName ? `${profile.displayName} (${username})` : username,
    ],
    [
      say`Exported at`,
      { fr: `${format("fr")} (heure de Paris)`, en: `${format("sv-SE")} (Paris time)` },
    ],
  ];
}

/** Writes a text that is a day (`yyyy-MM-dd`) as people of the language do; other texts stay. */
export function formatDays(text: string, language: Language): string {
  return language === "fr" ? text.replace(/^(\d{4})-(\d\d)-(\d\d)$/, "$3/$2/$1") : text;
}

/** Builds a file name: `{date}` is the day in Paris; characters unsafe in file systems or headers are removed. */
export function buildFileName(pattern: string, now: Date): string {
  const name = pattern.replaceAll("{date}", findDay(now));
  return `${name.replace(/[^\p{L}\p{N} ._-]/gu, "_").replace(/\.xlsx$/i, "").slice(0, 150)}.xlsx`;
}
