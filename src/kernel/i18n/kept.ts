import type { Language } from "../language.ts";
import { inBoth, say, Sentence, type Text } from "./sentence.ts";

/** Sentence of the product, or unchanged words of another system. */
export type SentenceOrText = Sentence | Text | string;

/** Text as stored in a row: English under its name, and French next to it if different. */
export type BilingualColumns<N extends string> =
  & Readonly<Record<N, string>>
  & Readonly<Record<`${N}Fr`, string | null>>;

/** Empty `BilingualColumns`, which replaces an earlier text. */
export type KeptNothing<N extends string> = Readonly<Record<N | `${N}Fr`, null>>;

/** Returns the columns of `name` that store the sentence for readers of either language. */
export function toColumns<N extends string>(name: N, sentence: SentenceOrText): BilingualColumns<N>;
export function toColumns<N extends string>(
  name: N,
  sentence: SentenceOrText | null | undefined,
): BilingualColumns<N> | KeptNothing<N>;
export function toColumns(name: string, sentence: SentenceOrText | null | undefined): object {
  if (sentence === null || sentence === undefined) return { [name]: null, [`${name}Fr`]: null };
  const { en, fr } = inBoth(sentence instanceof Sentence ? sentence : say`${sentence}`);
  return { [name]: en, [`${name}Fr`]: fr === en ? null : fr };
}

type KeptColumns<N extends string> =
  & Readonly<Record<N, string | null>>
  & Readonly<Partial<Record<`${N}Fr`, string | null | undefined>>>;

/** Returns a stored text in the reader's language; a text stored in one language only is returned unchanged. */
export function readColumns<N extends string, Row extends KeptColumns<N>>(
  language: Language,
  row: Row,
  name: N,
): string | Extract<Row[N], null> {
  const { en, fr } = getColumns(row, name);
  return (language === "fr" ? fr : undefined) ?? en as string | Extract<Row[N], null>;
}

/** Returns a stored text in both languages. */
export function keptText<N extends string>(row: KeptColumns<N>, name: N): Text | undefined {
  const { en, fr } = getColumns(row, name);
  return en === null ? undefined : { en, fr: fr ?? en };
}

function getColumns<N extends string>(row: KeptColumns<N>, name: N) {
  const columns = row as Readonly<Record<string, string | null | undefined>>;
  return { en: columns[name] ?? null, fr: columns[`${name}Fr`] };
}
