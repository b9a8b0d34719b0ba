import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { DOCUMENT_CATALOGUE } from "./catalogue_documents.ts";
import { GLOBAL_CATALOGUE, PA_CATALOGUE } from "./catalogue_system.ts";
import type { Properties, PropertySpec } from "./property.ts";
import type { Template } from "./template.ts";

type Present<S> = S extends { type: "choice"; choices: readonly (infer Choice)[] } ? Choice
  : S extends { type: "whole" } ? number
  : string;

/** What a property is read as; an absent list is empty, any other without default undefined. */
export type ValueOf<S> = S extends { type: "list" } ? readonly string[]
  : S extends { default: string } ? Present<S>
  : Present<S> | undefined;

type Read = Pick<Template, "name" | "properties">;

/**
 * Reads a property as its catalogue says. Saved ones were checked; for a value that does not fit, as a database of another
 * day may hold, nothing is guessed: AppError `unavailable`, with name and value.
 */
function readerOf<C extends Properties>(catalogue: C) {
  return <K extends keyof C & string>(template: Read | undefined, key: K): ValueOf<C[K]> => {
    const spec = catalogue[key] as PropertySpec;
    const given = givenText(template, key, spec);
    const problem = given === undefined ? undefined : expectationOf(spec, given);
    if (problem !== undefined) {
      const shown = JSON.stringify(given?.slice(0, 100));
      throw new AppError(
        "unavailable",
        say`${String(key)} of the template ${template?.name} is ${shown}; expected ${problem}`,
      );
    }
    return valueOf(spec, given ?? spec.default) as ValueOf<C[K]>;
  };
}

export const documentProperty = readerOf(DOCUMENT_CATALOGUE);
export const globalProperty = readerOf(GLOBAL_CATALOGUE);
/** Of `e-invoicing`, and of `e-directory` but for `preflight`. */
export const paProperty = readerOf(PA_CATALOGUE);

/** The properties `<prefix><name>`, by name. */
export function namedProperties({ properties }: Read, prefix: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).filter(([key]) => key.startsWith(prefix)).sort()
      .map(([key, value]) => [key.slice(prefix.length), value]),
  );
}

/** As it was written, without spaces around it but for a secret's; undefined when absent or empty. */
export function givenText(
  template: Read | undefined,
  key: string,
  spec?: PropertySpec,
): string | undefined {
  const { properties = {} } = template ?? {};
  const text = Object.hasOwn(properties, key) ? properties[key] ?? "" : "";
  return (spec?.type === "secret" ? text : text.trim()) || undefined;
}

/** The value of a text that fits, in whatever case words are written. */
export function valueOf(spec: PropertySpec, text: string | undefined) {
  if (spec.type === "list") return (text ?? "").split(/[\s,;]+/).filter(Boolean);
  if (text === undefined) return undefined;
  if (spec.type === "whole") return Number(text);
  if (spec.type !== "choice") return text;
  return spec.choices.find((it) => it.toLowerCase() === text.toLowerCase());
}

/** Of what is one line in a form, in characters. */
const LONGEST_LINE = 4_000;

/** What a text should have been; undefined when it is that. */
export function expectationOf(spec: PropertySpec, text: string): Sentence | undefined {
  if (spec.type === "choice") {
    return valueOf(spec, text) === undefined ? listed(spec.choices) : undefined;
  }
  if (spec.type === "whole") {
    const value = Number(text);
    const fits = Number.isInteger(value) && value >= spec.min && value <= spec.max;
    return fits ? undefined : say`a whole number from ${spec.min} to ${spec.max}`;
  }
  if (spec.type === "text") {
    if (text.length > LONGEST_LINE) return say`at most ${LONGEST_LINE} characters`;
    if (spec.shape && !spec.shape.of.test(text)) return spec.shape.expected;
  }
  return undefined;
}

function listed(words: readonly string[]): Sentence {
  return say`${words.slice(0, -1)} or ${words.at(-1)}`;
}
