import { soundsSecret } from "#src/kernel/secret_names.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import { catalogueOf } from "./catalogue.ts";
import type { PropertySpec } from "./property.ts";
import type { Template } from "./template.ts";

/** Whether a property is encrypted at rest and masked in answers: the catalogue says so, or the template's list. */
export function isSecret(template: Template, name: string): boolean {
  const spec = specOf(template, name);
  return spec ? spec.type === "secret" : template.secrets?.includes(name) ?? false;
}

/** The secrets a template holds, which must never be shown. */
export function secretsOf(template: Template): string[] {
  return Object.entries(template.properties)
    .filter(([name, value]) => isSecret(template, name) && value).map(([, value]) => value);
}

/** What is wrong with the list of a template: it may hold free names of this template only. */
export function problemsOfSecrets(template: Template): Sentence[] {
  return (template.secrets ?? []).flatMap((name) => {
    const spec = specOf(template, name);
    if (spec) return spec.type === "secret" ? [] : [say`secrets: ${name} is no secret`];
    if (Object.hasOwn(template.properties, name)) return [];
    const meant = nearest(name, Object.keys(template.properties));
    return [
      meant === undefined
        ? say`secrets: there is no property ${name}`
        : say`secrets: there is no property ${name}; did you mean ${meant}?`,
    ];
  });
}

/**
 * The template with its list of secret properties of free names. One that comes without a list is given those that were
 * secret `before`, and those whose names sound so.
 */
export function withSecrets(template: Template, before?: Template): Template {
  const isMeant = (name: string) =>
    template.secrets?.includes(name) ??
      (soundsSecret(name) || (before?.secrets?.includes(name) ?? false));
  const secrets = Object.keys(template.properties)
    .filter((name) => isFree(template, name) && isMeant(name));
  return { ...template, secrets };
}

/** Whether a name is its author's own, of which the catalogue says nothing. */
export function isFree(template: Template, name: string): boolean {
  return specOf(template, name) === undefined;
}

function specOf(template: Template, name: string): PropertySpec | undefined {
  const { properties } = catalogueOf(template);
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}
