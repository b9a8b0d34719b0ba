import { languageOfLocale } from "#src/config/locale.ts";
import type { Language } from "#src/kernel/language.ts";
import { inBoth, say, type Sentence, type Text } from "#src/kernel/sentences/sentence.ts";

/** What a command says and where: results on standard output, everything else on standard error. */
export interface Io {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Resolves to the exit code: 0 done, 1 done with a bad outcome, 2 not done. */
export type Command = (args: readonly string[], io: Io) => Promise<number>;

/** That of the locale, which `--lang` replaces. */
export function languageOf({ env }: Pick<Io, "env">): Language {
  return languageOfLocale(env);
}

/** A sentence in the language of the command. */
export function translated(io: Pick<Io, "env">, sentence: Sentence): string {
  return inBoth(sentence)[languageOf(io)];
}

/** How a command is written, as a sentence. */
export function usage(text: string | Text): Sentence {
  return say`usage: ${text}`;
}
