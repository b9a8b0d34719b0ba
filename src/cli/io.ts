import type { Language } from "#src/kernel/language.ts";
import { inBoth, say, type Sentence } from "#src/kernel/sentences/sentence.ts";

/** What a command says and where: results on standard output, everything else on standard error. */
export interface Io {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Resolves to the exit code: 0 done, 1 done with a bad outcome, 2 not done. */
export type Command = (args: readonly string[], io: Io) => Promise<number>;

/** The language of this machine's user (`LC_ALL`, `LC_MESSAGES`, `LANG`), which `--lang` replaces; French without one. */
export function languageOf({ env }: Pick<Io, "env">): Language {
  const locale = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return /^en([_.@-]|$)/i.test(locale) ? "en" : "fr";
}

/** A sentence in the language of the command. */
export function spoken(io: Pick<Io, "env">, sentence: Sentence): string {
  return inBoth(sentence)[languageOf(io)];
}

/** How a command is written, as a sentence. */
export function usage(text: string): Sentence {
  return say`usage: ${text}`;
}
