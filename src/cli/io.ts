import { languageOfLocale } from "#src/config/locale.ts";
import type { Language } from "#src/kernel/language.ts";
import { inBoth, say, type Sentence, type Text } from "#src/kernel/i18n/sentence.ts";

/** Output of a command: results on standard output, all other messages on standard error. */
export interface Io {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs a command and resolves to its exit code: 0 for success, 1 for a bad outcome, 2 if it could not run. */
export type Command = (args: readonly string[], io: Io) => Promise<number>;

/** Returns the language of the locale, which `--lang` overrides. */
export function chooseLanguage({ env }: Pick<Io, "env">): Language {
  return languageOfLocale(env);
}

/** Formats a sentence in the language of the command. */
export function translate(io: Pick<Io, "env">, sentence: Sentence): string {
  return inBoth(sentence)[chooseLanguage(io)];
}

/** Returns the usage of a command as a sentence. */
export function usage(text: string | Text): Sentence {
  return say`usage: ${text}`;
}
