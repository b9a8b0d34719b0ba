import { soundsSecret } from "#src/kernel/secret_names.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import { getCatalogue } from "./catalogue.ts";
import type { PropertySpec } from "./property.ts";
import type { Template } from "./template.ts";

/**
 * Checks whether a property is encrypted at rest and masked in answers, by the catalogue or the template's list.
 */
export function isSecret(template: Template, name: string): boolean {
  const spec = findSpec(template, name);
  return spec ? spec.type === "secret" : template.secrets?.includes(name) ?? false;
}

/** Returns the secrets a template holds, which must never be shown. */
export function collectSecrets(template: Template): string[] {
  return Object.entries(template.properties)
    .filter(([name, value]) => isSecret(template, name) && value).map(([, value]) => value);
}

/** Returns the problems of a template's list of secrets: it may only contain custom names of this template. */
export function problemsOfSecrets(template: Template): Sentence[] {
  return (template.secrets ?? []).flatMap((name) => {
    const spec = findSpec(template, name);
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
 * Returns the template with its list of custom secret properties. Without a list, the properties that were secret
 * `before` and those with secret-sounding names are listed.
 */
export function withSecrets(template: Template, before?: Template): Template {
  const isMeant = (name: string) =>
    template.secrets?.includes(name) ??
      (soundsSecret(name) || (before?.secrets?.includes(name) ?? false));
  const secrets = Object.keys(template.properties)
    .filter((name) => isFree(template, name) && isMeant(name));
  return { ...template, secrets };
}

/** Checks whether a name is custom, that is, absent from the catalogue. */
export function isFree(template: Template, name: string): boolean {
  return findSpec(template, name) === undefined;
}

function findSpec(template: Template, name: string): PropertySpec | undefined {
  const { properties } = getCatalogue(template);
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}
