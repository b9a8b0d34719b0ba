import type { Language } from "../language.ts";
import { FRENCH } from "./french.ts";

/** A text in each language the product speaks. */
export type Text = Readonly<Record<Language, string>>;

/**
 * A sentence with its values apart, so that it can be told in either language. Its key is the English text with the
 * values numbered: `The body has {1} bytes; {2} are allowed`. Where only text is expected, it is the English one.
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

/** A value that people are never told as it is, such as where a file lies on the server. */
export interface Unsaid {
  readonly [unsaid]: true;
}

type Sayable<Values> = {
  [Key in keyof Values]: Values[Key] extends Unsaid ? never : Values[Key];
};

/**
 * Tags a template: the text between the values is the key. A value may be a sentence itself, a text in both languages, or
 * a list: of sentences joined by `;`, of others by `,`.
 */
export function say<Values extends readonly unknown[]>(
  parts: TemplateStringsArray,
  ...values: Values & Sayable<Values>
): Sentence {
  return new Sentence(parts.reduce((text, part, index) => `${text}{${index}}${part}`), values);
}

/** The sentence in a language; English where French has no translation of it. */
export function translate({ key, values }: Sentence, language: Language = "en"): string {
  const text = language === "fr" ? FRENCH[key] ?? key : key;
  return text.replace(
    /\{(\d+)\}/g,
    (_, number: string) => wordOf(values[Number(number) - 1], language),
  );
}

/** For what is kept, and read later by people of either language. */
export function inBoth(sentence: Sentence): Text {
  return { fr: translate(sentence, "fr"), en: translate(sentence, "en") };
}

/** What `value` holds, with its sentences translated: details of an answer. */
export function translateWithin(value: unknown, language: Language): unknown {
  if (value instanceof Sentence) return translate(value, language);
  if (Array.isArray(value)) return value.map((it) => translateWithin(it, language));
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, it]) => [name, translateWithin(it, language)]),
  );
}

function wordOf(value: unknown, language: Language): string {
  if (value instanceof Sentence) return translate(value, language);
  if (isText(value)) return value[language];
  if (!Array.isArray(value)) return String(value);
  const between = value.some((it) => it instanceof Sentence || isText(it))
    ? language === "fr" ? " ; " : "; "
    : ", ";
  return value.map((it) => wordOf(it, language)).join(between);
}

function isText(value: unknown): value is Text {
  return typeof value === "object" && value !== null && "fr" in value && "en" in value;
}
