import { getCatalogue } from "#src/domain/template/catalogue.ts";
import type { PropertySpec } from "#src/domain/template/property.ts";
import { SYSTEM_TEMPLATES, type TemplateType } from "#src/domain/template/template.ts";

/** Returns the properties of each template type and each system template, for users and forms. */
export function showCatalogues() {
  const kinds: readonly { type: TemplateType; name?: string }[] = [
    ...SYSTEM_TEMPLATES.map((name) => ({ type: "system" as const, name })),
    { type: "document" },
    { type: "notification-rule" },
    { type: "connector" },
    { type: "company" },
  ];
  return {
    catalogues: kinds.map(({ type, name }) => {
      const { properties, others } = getCatalogue({ type, name: name ?? "" });
      const specs = Object.entries(properties).map(([key, spec]) => showProperty(key, spec));
      return { type, ...name !== undefined && { name }, others, properties: specs };
    }),
  };
}

function showProperty(name: string, spec: PropertySpec) {
  return {
    name,
    label: { ...spec.label },
    type: spec.type,
    ...spec.default !== undefined && { default: spec.default },
    ...spec.otherwise && { otherwise: { ...spec.otherwise } },
    ...spec.type === "choice" && {
      choices: [...spec.choices],
      ...spec.choiceLabels && { choiceLabels: { ...spec.choiceLabels } },
    },
    ...spec.type === "whole" && { min: spec.min, max: spec.max },
    ...spec.type === "secret" && { sentTo: [...spec.sentTo] },
    help: { ...spec.help },
  };
}
