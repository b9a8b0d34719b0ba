import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { CONNECTOR_CATALOGUE } from "./catalogue_connectors.ts";
import { DOCUMENT_CATALOGUE } from "./catalogue_documents.ts";
import { RULE_CATALOGUE } from "./catalogue_rules.ts";
import { SYSTEM_CATALOGUES } from "./catalogue_system.ts";
import type { Properties } from "./property.ts";
import { expectationOf, givenText } from "./read_property.ts";
import type { Template } from "./template.ts";

export interface Catalogue {
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
 * What is wrong with the values of known properties, in whatever case words are written; empty ones mean the default.
 * Rules and connectors are read by readers of their own, which say it.
 */
export function problemsOfProperties(template: Template): Sentence[] {
  if (template.type === "notification-rule" || template.type === "connector") return [];
  const { properties } = catalogueOf(template);
  return Object.entries(properties).flatMap(([name, spec]) => {
    const given = givenText(template, name);
    const expected = given ? expectationOf(spec, given) : undefined;
    return expected
      ? [say`${name} is ${JSON.stringify(given?.slice(0, 100))}; expected ${expected}`]
      : [];
  });
}
