import { z } from "@hono/zod-openapi";
import { say, Sentence } from "#src/kernel/sentences/sentence.ts";

type Issue = z.core.$ZodIssue;

/**
 * What a schema says of a value, for readers of either language: words of ours where the schema gives them, else the
 * library's in English and our own in French. `input` is the whole that was checked.
 */
export function sentenceOfIssue(issue: Issue, input: unknown): Sentence {
  const given = issue.code === "custom" ? issue.params?.["sentence"] : undefined;
  if (given instanceof Sentence) return given;
  const full = { ...issue, input: valueAt(input, issue.path) };
  const { message: _, ...plain } = full;
  const usual = z.locales.en().localeError(plain as never);
  const isUsual = issue.message === (typeof usual === "string" ? usual : usual?.message);
  return isUsual
    ? say`${{ en: issue.message, fr: frenchOf(issue, full.input) }}`
    : new Sentence(issue.message, []);
}

/** A refusal by a schema, for `addIssue`; a sentence without values may be given as a plain message. */
export function issueOf(sentence: Sentence) {
  return { code: "custom" as const, message: String(sentence), params: { sentence } };
}

/** The words of a sentence without values, for a check of a schema; they are translated where they are answered. */
export function words(sentence: Sentence): string {
  return String(sentence);
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  );
}

function frenchOf(issue: Issue, input: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return expected(KINDS[issue.expected] ?? issue.expected, input);
    case "invalid_value":
      return issue.values.length === 1
        ? expected(shown(issue.values[0]), input)
        : expected(`un de ${issue.values.map(shown).join(", ")}`, input);
    case "too_big":
      return bound(issue, { word: "au plus", bound: issue.maximum });
    case "too_small":
      return bound(issue, { word: "au moins", bound: issue.minimum });
    case "invalid_format":
      return FORMATS[issue.format] ?? `le texte n'a pas la forme attendue (${issue.format})`;
    case "not_multiple_of":
      return `un multiple de ${issue.divisor} est attendu`;
    case "unrecognized_keys":
      return issue.keys.length === 1
        ? `clé inconnue : ${shown(issue.keys[0])}`
        : `clés inconnues : ${issue.keys.map(shown).join(", ")}`;
    default:
      return "la valeur n'est pas de celles qui sont attendues";
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: "un texte",
  number: "un nombre",
  int: "un nombre entier",
  boolean: "true ou false",
  array: "une liste",
  object: "un objet",
  record: "un objet",
  null: "null",
  date: "une date",
};

const FORMATS: Readonly<Record<string, string>> = {
  email: "une adresse e-mail est attendue",
  url: "une adresse (URL) est attendue",
  uuid: "un UUID est attendu",
  date: "une date AAAA-MM-JJ est attendue",
  datetime: "une date et une heure ISO 8601 sont attendues",
};

function expected(what: string, input: unknown): string {
  if (input === undefined) return `il manque ${what}`;
  const kind = input === null ? "null" : Array.isArray(input) ? "array" : typeof input;
  return `${what} est attendu, et non ${KINDS[kind] ?? kind}`;
}

function bound(
  { origin }: { readonly origin: string },
  limit: { readonly word: string; readonly bound: number | bigint },
): string {
  const size = `${limit.word} ${limit.bound}`;
  if (origin === "string") return `${size} caractères sont admis`;
  if (origin === "array") return `${size} éléments sont admis`;
  return `un nombre d'${size} est attendu`;
}

function shown(value: unknown): string {
  return typeof value === "bigint" ? String(value) : JSON.stringify(value) ?? String(value);
}
