import { CONNECTOR_CATALOGUE } from "./catalogue_connectors.ts";
import { DOCUMENT_CATALOGUE } from "./catalogue_documents.ts";
import { RULE_CATALOGUE } from "./catalogue_rules.ts";
import { SYSTEM_CATALOGUES } from "./catalogue_system.ts";
import type { PropertySpec } from "./property.ts";
import type { Template } from "./template.ts";

export interface Catalogue {
  readonly properties: Readonly<Record<string, PropertySpec>>;
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
export function problemsOfProperties(template: Template): string[] {
  if (template.type === "notification-rule" || template.type === "connector") return [];
  const { properties } = catalogueOf(template);
  return Object.entries(properties).flatMap(([name, spec]) => {
    const given = Object.hasOwn(template.properties, name)
      ? template.properties[name]?.trim()
      : undefined;
    const expected = given ? expectationOf(spec, given) : undefined;
    return expected
      ? [`${name} is ${JSON.stringify(given?.slice(0, 100))}; expected ${expected}`]
      : [];
  });
}

/** What a value should have been; undefined when it is that. */
function expectationOf(spec: PropertySpec, given: string): string | undefined {
  if (spec.type === "choice") {
    const fits = spec.choices.some((it) => it.toLowerCase() === given.toLowerCase());
    return fits ? undefined : listed(spec.choices);
  }
  if (spec.type === "whole") {
    const value = Number(given);
    const fits = Number.isInteger(value) && value >= spec.min && value <= spec.max;
    return fits ? undefined : `a whole number from ${spec.min} to ${spec.max}`;
  }
  return undefined;
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
