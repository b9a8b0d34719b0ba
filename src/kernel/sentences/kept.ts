import type { Language } from "../language.ts";
import { inBoth, say, Sentence, type Text } from "./sentence.ts";

/** A sentence of ours, or the words of others as they came. */
export type SentenceOrText = Sentence | Text | string;

/** A text as a row keeps it: in English under its name, and in French beside it where that differs. */
export type Kept<N extends string> =
  & Readonly<Record<N, string>>
  & Readonly<Record<`${N}Fr`, string | null>>;

/** As `Kept`, for no text: it takes the place of what was kept before. */
export type KeptNothing<N extends string> = Readonly<Record<N | `${N}Fr`, null>>;

/** The columns of `name` that keep what is told, for readers of either language. */
export function kept<N extends string>(name: N, sentence: SentenceOrText): Kept<N>;
export function kept<N extends string>(
  name: N,
  sentence: SentenceOrText | null | undefined,
): Kept<N> | KeptNothing<N>;
export function kept(name: string, sentence: SentenceOrText | null | undefined): object {
  if (sentence === null || sentence === undefined) return { [name]: null, [`${name}Fr`]: null };
  const { en, fr } = inBoth(sentence instanceof Sentence ? sentence : say`${sentence}`);
  return { [name]: en, [`${name}Fr`]: fr === en ? null : fr };
}

type KeptColumns<N extends string> =
  & Readonly<Record<N, string | null>>
  & Readonly<Partial<Record<`${N}Fr`, string | null | undefined>>>;

/** A text of a row in the reader's language; what is the same in both, or was kept in one only, as it is. */
export function shown<N extends string, Row extends KeptColumns<N>>(
  language: Language,
  row: Row,
  name: N,
): string | Extract<Row[N], null> {
  const { en, fr } = columnsOf(row, name);
  return (language === "fr" ? fr : undefined) ?? en as string | Extract<Row[N], null>;
}

/** What a row keeps, to be told again, in both languages. */
export function keptText<N extends string>(row: KeptColumns<N>, name: N): Text | undefined {
  const { en, fr } = columnsOf(row, name);
  return en === null ? undefined : { en, fr: fr ?? en };
}

function columnsOf<N extends string>(row: KeptColumns<N>, name: N) {
  const columns = row as Readonly<Record<string, string | null | undefined>>;
  return { en: columns[name] ?? null, fr: columns[`${name}Fr`] };
}
