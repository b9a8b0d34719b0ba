import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { COMPANY_CATALOGUE } from "./catalogue_company.ts";
import { DOCUMENT_CATALOGUE } from "./catalogue_documents.ts";
import { GLOBAL_CATALOGUE, PA_CATALOGUE } from "./catalogue_system.ts";
import type { PropertySpec, PropertySpecs } from "./property.ts";
import type { Template } from "./template.ts";

type Present<S> = S extends { type: "choice"; choices: readonly (infer Choice)[] } ? Choice
  : S extends { type: "whole" } ? number
  : string;

/** Type of a property when read: an absent list is empty, any other absent value without a default is undefined. */
export type ValueOf<S> = S extends { type: "list" } ? readonly string[]
  : S extends { default: string } ? Present<S>
  : Present<S> | undefined;

type Read = Pick<Template, "name" | "properties">;

/**
 * Reads a property by its catalogue. Saved values were validated. An invalid value, as an older database may
 * contain, is never replaced: throws AppError `unavailable` with name and value.
 */
function createReader<C extends PropertySpecs>(catalogue: C) {
  return <K extends keyof C & string>(template: Read | undefined, key: K): ValueOf<C[K]> => {
    const spec = catalogue[key] as PropertySpec;
    const given = givenText(template, key, spec);
    const problem = given === undefined ? undefined : describeExpectation(spec, given);
    if (problem !== undefined) {
      const shown = JSON.stringify(given?.slice(0, 100));
      throw new AppError(
        "unavailable",
        say`${String(key)} of the template ${template?.name} is ${shown}; expected ${problem}`,
      );
    }
    return parseProperty(spec, given ?? spec.default) as ValueOf<C[K]>;
  };
}

export const companyProperty = createReader(COMPANY_CATALOGUE);
export const documentProperty = createReader(DOCUMENT_CATALOGUE);
export const globalProperty = createReader(GLOBAL_CATALOGUE);
/** Reads a property of `e-invoicing`, or of `e-directory` except `protocol` and `preflight`. */
export const paProperty = createReader(PA_CATALOGUE);

/** Returns the properties `<prefix><name>`, by name. */
export function namedProperties({ properties }: Read, prefix: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).filter(([key]) => key.startsWith(prefix)).sort()
      .map(([key, value]) => [key.slice(prefix.length), value]),
  );
}

/** Returns the value as written, trimmed unless it is a secret; undefined when absent or empty. */
export function givenText(
  template: Read | undefined,
  key: string,
  spec?: PropertySpec,
): string | undefined {
  const { properties = {} } = template ?? {};
  const text = Object.hasOwn(properties, key) ? properties[key] ?? "" : "";
  return (spec?.type === "secret" ? text : text.trim()) || undefined;
}

/** Returns the value of a text that fits, in whatever case words are written. */
export function parseProperty(spec: PropertySpec, text: string | undefined) {
  if (spec.type === "list") return (text ?? "").split(/[\s,;]+/).filter(Boolean);
  if (text === undefined) return undefined;
  if (spec.type === "whole") return Number(text);
  if (spec.type !== "choice") return text;
  return spec.choices.find((it) => it.toLowerCase() === text.toLowerCase());
}

/** Maximum length of a one-line form field, in characters. */
const MAX_LINE_LENGTH = 4_000;

/** Describes the expected value; undefined when the text is valid. */
export function describeExpectation(spec: PropertySpec, text: string): Sentence | undefined {
  if (spec.type === "choice") {
    return parseProperty(spec, text) === undefined ? listWords(spec.choices) : undefined;
  }
  if (spec.type === "whole") {
    const value = Number(text);
    const fits = Number.isInteger(value) && value >= spec.min && value <= spec.max;
    return fits ? undefined : say`a whole number from ${spec.min} to ${spec.max}`;
  }
  if (spec.type === "text" || spec.type === "url") {
    if (text.length > MAX_LINE_LENGTH) return say`at most ${MAX_LINE_LENGTH} characters`;
    if (spec.shape && !spec.shape.of.test(text)) return spec.shape.expected;
  }
  return undefined;
}

function listWords(words: readonly string[]): Sentence {
  return say`${words.slice(0, -1)} or ${words.at(-1)}`;
}
