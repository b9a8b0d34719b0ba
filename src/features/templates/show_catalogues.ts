import { catalogueOf } from "#src/domain/template/catalogue.ts";
import type { PropertySpec } from "#src/domain/template/property.ts";
import { SYSTEM_TEMPLATES, type TemplateType } from "#src/domain/template/template.ts";

/** For people and forms: what each type of template, and each system template, may hold. */
export function showCatalogues() {
  const kinds: readonly { type: TemplateType; name?: string }[] = [
    ...SYSTEM_TEMPLATES.map((name) => ({ type: "system" as const, name })),
    { type: "document" },
    { type: "notification-rule" },
    { type: "connector" },
  ];
  return {
    catalogues: kinds.map(({ type, name }) => {
      const { properties, others } = catalogueOf({ type, name: name ?? "" });
      const specs = Object.entries(properties).map(([key, spec]) => shown(key, spec));
      return { type, ...name !== undefined && { name }, others, properties: specs };
    }),
  };
}

function shown(name: string, spec: PropertySpec) {
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
