import type { components } from "../../api/schema.d.ts";
import type { Language } from "../../i18n/language.ts";
import type { Schema } from "./schema_offers.ts";

type Property = components["schemas"]["TemplateProperty"];

/** The catalogue of a template's properties as completion reads it; every value is text. */
export function propertySchema(known: readonly Property[], language: Language): Schema {
  const properties = known.map(({ name, type, choices, help }) => [name, {
    type,
    description: help[language],
    ...choices && { enum: choices },
  }]);
  return { type: "object", properties: Object.fromEntries(properties) };
}
