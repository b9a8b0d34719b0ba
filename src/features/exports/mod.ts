import { inBoth, say, type Sentence, type Text } from "#src/kernel/sentences/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Sheet, SheetValue } from "#src/ports/spreadsheet.ts";

/** A list as a file, which is written as it is read. */
export interface ExportedFile {
  readonly filename: string;
  readonly maxRows: number;
  /** There are more rows than the file holds. */
  readonly isCut: boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** What days and moments of a file are of. */
export const ZONE = "Europe/Paris";

/** What the reader of a file must know of it: a name, and its value. */
export type Note = readonly [Sentence, SheetValue | Sentence | Text];

/** The last sheet of a file, which says what the others hold; asked for once they are written. */
export function aboutSheet(language: Language, notes: () => readonly Note[]): Sheet {
  const inLanguage = (sentence: Sentence) => inBoth(sentence)[language];
  const shown = (value: Note[1]): SheetValue => {
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
      yield await Promise.resolve(notes().map(([what, value]) => [inLanguage(what), shown(value)]));
    })(),
  };
}

/** By whom, and when. */
export function madeBy({ username, profile }: Actor, now: Date): readonly Note[] {
  const at = new Intl.DateTimeFormat("sv-SE", {
    timeZone: ZONE,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return [
    [
      say`Exported by`,
      profile?.displayName ? `${profile.displayName} (${username})` : username,
    ],
    [say`Exported at`, `${at.format(now)} ${ZONE}`],
  ];
}

/** Values that were asked for, as one text. */
export function given(value: unknown): Note[1] {
  return value === undefined ? say`none` : JSON.stringify(value);
}

/** `{date}` is the day in Paris; what a file system or a header could misread is left out. */
export function fileNameOf(pattern: string, now: Date): string {
  const date = new Intl.DateTimeFormat("en-CA", { timeZone: ZONE }).format(now);
  const name = pattern.replaceAll("{date}", date);
  return `${name.replace(/[^\p{L}\p{N} ._-]/gu, "_").replace(/\.xlsx$/i, "").slice(0, 150)}.xlsx`;
}
