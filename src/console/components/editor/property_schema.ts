import type { components } from "../../api/schema.d.ts";
import type { ConsoleLanguage } from "../../i18n/language.ts";
import type { EditorSchema } from "./schema_offers.ts";

type Property = components["schemas"]["TemplateProperty"];

/** Converts the catalogue of a template's properties into a schema for completion; every value is text. */
export function propertySchema(
  known: readonly Property[],
  language: ConsoleLanguage,
): EditorSchema {
  const properties = known.map(({ name, type, choices, help }) => [name, {
    type,
    description: help[language],
    ...choices && { enum: choices },
  }]);
  return { type: "object", properties: Object.fromEntries(properties) };
}
