import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import { COMPANY_CATALOGUE, fieldsOfCompany, problemsOfCompany } from "./catalogue_company.ts";
import { CONNECTOR_CATALOGUE } from "./catalogue_connectors.ts";
import { DOCUMENT_CATALOGUE } from "./catalogue_documents.ts";
import { RULE_CATALOGUE } from "./catalogue_rules.ts";
import { SYSTEM_CATALOGUES } from "./catalogue_system.ts";
import type { PropertySpecs } from "./property.ts";
import { describeExpectation, givenText } from "./read_property.ts";
import type { Template } from "./template.ts";

interface Catalogue {
  readonly properties: PropertySpecs;
  /**
   * Treatment of properties with other names: custom ones are accepted where no typing error could go unnoticed.
   */
  readonly others: "kept" | "refused";
}

const EMPTY: Catalogue = { properties: {}, others: "kept" };

/** Returns the properties a template of this type, or the system template of this name, is known to have. */
export function getCatalogue({ type, name }: Pick<Template, "type" | "name">): Catalogue {
  switch (type) {
    case "system":
      return { properties: SYSTEM_CATALOGUES[name] ?? EMPTY.properties, others: "kept" };
    case "document":
      return { properties: DOCUMENT_CATALOGUE, others: "kept" };
    case "notification-rule":
      return { properties: RULE_CATALOGUE, others: "refused" };
    case "connector":
      return { properties: CONNECTOR_CATALOGUE, others: "kept" };
    case "company":
      return { properties: COMPANY_CATALOGUE, others: "kept" };
  }
}

/**
 * Returns the problems of the known properties; the case of words does not matter, and an empty value means the
 * default. A name close to a known one is reported as a typing error. Rules and connector values have readers of
 * their own, which report problems.
 */
export function problemsOfProperties(template: Template): Sentence[] {
  if (template.type === "notification-rule") return [];
  const mistyped = mistypedNames(template).map(({ name, meant }) =>
    say`There is no property ${name}; did you mean ${meant}?`
  );
  if (template.type === "connector") return mistyped;
  const contradictions = template.type === "company" ? problemsOfCompany(template) : [];
  return [...mistyped, ...problemsOfValues(template), ...contradictions];
}

/** Returns the sentences that a form shows at fields with a wrong value, by property. */
export function problemsOfFields(template: Template): Readonly<Record<string, Sentence>> {
  const contradictions = template.type === "company" ? fieldsOfCompany(template) : [];
  const wrong = wrongValues(template).map(({ name, expected, mistake }) => [
    name,
    mistake ?? say`Enter ${expected}`,
  ]);
  return Object.fromEntries([...contradictions, ...wrong]);
}

function problemsOfValues(template: Template): Sentence[] {
  return wrongValues(template).map(({ name, given, expected, mistake }) =>
    mistake
      ? say`${name} is ${JSON.stringify(given.slice(0, 100))}: ${mistake}`
      : say`${name} is ${JSON.stringify(given.slice(0, 100))}; expected ${expected}`
  );
}

function wrongValues(template: Template) {
  const { properties } = getCatalogue(template);
  return Object.entries(properties).flatMap(([name, spec]) => {
    const given = givenText(template, name);
    const expected = given ? describeExpectation(spec, given) : undefined;
    if (!given || !expected) return [];
    const mistake = "shape" in spec ? spec.shape?.explain?.(given) : undefined;
    return [{ name, given, expected, mistake }];
  });
}

/** Returns the template with its codes, such as an IBAN, in capitals. */
export function putCodesInCapitals<T extends Template>(template: T): T {
  const { properties: specs } = getCatalogue(template);
  const isCode = (name: string) => {
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    return spec?.type === "text" && spec.isCode === true;
  };
  const properties = Object.entries(template.properties)
    .map(([name, value]) => [name, isCode(name) ? value.toUpperCase() : value]);
  return { ...template, properties: Object.fromEntries(properties) };
}

/** Minimum length of a name for which two wrong letters still count as a typing error. */
const LONG_NAME = 8;

/** Finds mistyped names. Values that a connector inserts into its calls may have any name. */
function mistypedNames(template: Template): { name: string; meant: string }[] {
  const known = Object.keys(getCatalogue(template).properties);
  const prefixes = [...new Set(known.filter((it) => it.includes(".")).map(getPrefix))];
  const values = Object.values(template.properties);
  return Object.keys(template.properties).flatMap((name) => {
    if (known.includes(name) || prefixes.includes(getPrefix(name))) return [];
    if (template.type === "connector" && values.some((it) => it.includes(`{$${name}}`))) return [];
    const prefix = nearestName(getPrefix(name), prefixes);
    const meant = prefix ? prefix + name.slice(getPrefix(name).length) : nearestName(name, known);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** Returns `endpoint.` for `endpoint.rate`; for a name without a dot all of it. */
function getPrefix(name: string): string {
  return name.slice(0, name.indexOf(".") + 1 || undefined);
}

function nearestName(name: string, known: readonly string[]): string | undefined {
  return nearest(name, known, 1) ?? nearest(name, known.filter((it) => it.length >= LONG_NAME));
}
