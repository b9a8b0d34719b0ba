import type { Language } from "../language.ts";
import { FRENCH } from "./french.ts";

/** Text in each language of the product. */
export type Text = Readonly<Record<Language, string>>;

/**
 * Sentence with its values kept apart, so that it can be shown in either language. Its key is the English text
 * with the values numbered: `The body has {1} bytes; {2} are allowed`. Where only text is expected, it is the
 * English one.
 */
export class Sentence {
  readonly key: string;
  readonly values: readonly unknown[];

  constructor(key: string, values: readonly unknown[]) {
    this.key = key;
    this.values = values;
  }

  toString(): string {
    return translate(this);
  }

  toJSON(): string {
    return translate(this);
  }
}

declare const unsaid: unique symbol;

/** Value that users never see unchanged, such as the path of a file on the server. */
export interface Unsaid {
  readonly [unsaid]: true;
}

type Sayable<Values> = {
  [Key in keyof Values]: Values[Key] extends Unsaid ? never : Values[Key];
};

/**
 * Tags a template: the text between the values is the key. A value may be a sentence, a text in both languages or
 * a list. Sentences in a list are joined by `;`, other values by `,`.
 */
export function say<Values extends readonly unknown[]>(
  parts: TemplateStringsArray,
  ...values: Values & Sayable<Values>
): Sentence {
  return new Sentence(parts.reduce((text, part, index) => `${text}{${index}}${part}`), values);
}

/** Returns the sentence in a language; English where French has no translation of it. */
export function translate({ key, values }: Sentence, language: Language = "en"): string {
  const text = language === "fr" ? FRENCH[key] ?? key : key;
  return text.replace(
    /\{(\d+)\}/g,
    (_, number: string) => getWord(values[Number(number) - 1], language),
  );
}

/** Translates a sentence into both languages, for stored texts. */
export function inBoth(sentence: Sentence): Text {
  return { fr: translate(sentence, "fr"), en: translate(sentence, "en") };
}

/** Returns `value` with its sentences translated, for details of an answer. */
export function translateWithin(value: unknown, language: Language): unknown {
  if (value instanceof Sentence) return translate(value, language);
  if (Array.isArray(value)) return value.map((it) => translateWithin(it, language));
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, it]) => [name, translateWithin(it, language)]),
  );
}

function getWord(value: unknown, language: Language): string {
  if (value instanceof Sentence) return translate(value, language);
  if (isText(value)) return value[language];
  if (!Array.isArray(value)) return String(value);
  const between = value.some((it) => it instanceof Sentence || isText(it))
    ? language === "fr" ? " ; " : "; "
    : ", ";
  return value.map((it) => getWord(it, language)).join(between);
}

function isText(value: unknown): value is Text {
  return typeof value === "object" && value !== null && "fr" in value && "en" in value;
}
