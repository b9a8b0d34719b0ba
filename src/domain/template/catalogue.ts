import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import { CONNECTOR_CATALOGUE } from "./catalogue_connectors.ts";
import { DOCUMENT_CATALOGUE } from "./catalogue_documents.ts";
import { RULE_CATALOGUE } from "./catalogue_rules.ts";
import { SYSTEM_CATALOGUES } from "./catalogue_system.ts";
import type { Properties } from "./property.ts";
import { expectationOf, givenText } from "./read_property.ts";
import type { Template } from "./template.ts";

interface Catalogue {
  readonly properties: Properties;
  /** What happens to properties of other names: a customer's own are kept where nothing could be mistyped unnoticed. */
  readonly others: "kept" | "refused";
}

const EMPTY: Catalogue = { properties: {}, others: "kept" };

/** The properties a template of this type, or the system template of this name, is known to have. */
export function catalogueOf({ type, name }: Pick<Template, "type" | "name">): Catalogue {
  switch (type) {
    case "system":
      return { properties: SYSTEM_CATALOGUES[name] ?? EMPTY.properties, others: "kept" };
    case "document":
      return { properties: DOCUMENT_CATALOGUE, others: "kept" };
    case "notification-rule":
      return { properties: RULE_CATALOGUE, others: "refused" };
    case "connector":
      return { properties: CONNECTOR_CATALOGUE, others: "kept" };
  }
}

/**
 * What is wrong with the values of known properties, in whatever case words are written; empty ones mean the default. What is
 * nearly the name of a known one is taken for mistyped. Rules and the values of connectors are read by readers of their own,
 * which say it.
 */
export function problemsOfProperties(template: Template): Sentence[] {
  if (template.type === "notification-rule") return [];
  const mistyped = mistypedNames(template).map(({ name, meant }) =>
    say`There is no property ${name}; did you mean ${meant}?`
  );
  return template.type === "connector" ? mistyped : [...mistyped, ...problemsOfValues(template)];
}

function problemsOfValues(template: Template): Sentence[] {
  const { properties } = catalogueOf(template);
  return Object.entries(properties).flatMap(([name, spec]) => {
    const given = givenText(template, name);
    const expected = given ? expectationOf(spec, given) : undefined;
    return expected
      ? [say`${name} is ${JSON.stringify(given?.slice(0, 100))}; expected ${expected}`]
      : [];
  });
}

/** From so many letters on, two wrong ones still leave no doubt. */
const LONG_NAME = 8;

/** What a connector puts into its calls is its author's own, whatever the name. */
function mistypedNames(template: Template): { name: string; meant: string }[] {
  const known = Object.keys(catalogueOf(template).properties);
  const prefixes = [...new Set(known.filter((it) => it.includes(".")).map(prefixOf))];
  const values = Object.values(template.properties);
  return Object.keys(template.properties).flatMap((name) => {
    if (known.includes(name) || prefixes.includes(prefixOf(name))) return [];
    if (template.type === "connector" && values.some((it) => it.includes(`{$${name}}`))) return [];
    const prefix = nearestName(prefixOf(name), prefixes);
    const meant = prefix ? prefix + name.slice(prefixOf(name).length) : nearestName(name, known);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** `endpoint.` of `endpoint.rate`; of a name without a dot the whole. */
function prefixOf(name: string): string {
  return name.slice(0, name.indexOf(".") + 1 || undefined);
}

function nearestName(name: string, known: readonly string[]): string | undefined {
  return nearest(name, known, 1) ?? nearest(name, known.filter((it) => it.length >= LONG_NAME));
}
