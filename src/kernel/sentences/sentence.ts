/**
 * A sentence with its values apart, so that it can be said in another language. Its key is the English text with the
 * values numbered: `The body has {1} bytes; {2} are allowed`.
 */
export interface Sentence {
  readonly key: string;
  readonly values: readonly unknown[];
}

/** Tags a template: the text between the values is the key, a value may be a sentence itself. */
export function say(parts: TemplateStringsArray, ...values: readonly unknown[]): Sentence {
  const key = parts.reduce((text, part, index) => `${text}{${index}}${part}`);
  return { key, values };
}

/** The sentence in English, or in the language of a table of keys; a key the table lacks stays English. */
export function said(sentence: Sentence, table: Readonly<Record<string, string>> = {}): string {
  const text = table[sentence.key] ?? sentence.key;
  return text.replace(/\{(\d+)\}/g, (_, number: string) => {
    const value = sentence.values[Number(number) - 1];
    return isSentence(value) ? said(value, table) : String(value);
  });
}

export function isSentence(value: unknown): value is Sentence {
  return typeof value === "object" && value !== null && "key" in value && "values" in value;
}
