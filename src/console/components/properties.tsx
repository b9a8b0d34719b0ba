import { Code, Select, Textarea, TextInput } from "@mantine/core";
import type { components } from "../api/schema.d.ts";
import { type Language, named, useLanguage } from "../i18n/language.ts";
import { Password } from "./password.tsx";
import { mergedFields } from "./stored_draft.tsx";

/** Of a template: every value is text. */
export type Properties = Readonly<Record<string, string>>;
export type Property = components["schemas"]["TemplateProperty"];

/** One that is set; what an absent one means is the API's to know. */
export function givenProperty(of: Properties | undefined, name: string): string {
  return new Map(Object.entries(of ?? {})).get(name) ?? "";
}

/** Properties of a JSON text; undefined where it is none of them. */
export function propertiesOf(json: string): Properties | undefined {
  try {
    const value: unknown = JSON.parse(json.trim() || "{}");
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isMap && Object.values(value).every((it) => typeof it === "string")) {
      return value as Properties;
    }
  } catch {
    // the field says so
  }
  return undefined;
}

/** As JSON, one property set; an empty one is left out. */
export function withProperty(values: Properties | undefined, key: string, value: string): string {
  const { [key]: _, ...others } = values ?? {};
  return writtenProperties(value === "" ? others : { ...values, [key]: value });
}

/** As the JSON of a form. */
export function writtenProperties(values: Properties): string {
  return JSON.stringify(values, null, 2);
}

/** What was typed, property by property, on top of what is stored now; a text that is no JSON stays as it is typed. */
export function mergedJson<T extends { readonly json: string }>(before: T, mine: T, theirs: T): T {
  const [a, b, c] = [before, mine, theirs].map((it) => propertiesOf(it.json));
  const json = a && b && c ? writtenProperties(mergedFields(a, b, c)) : mine.json;
  return { ...mergedFields(before, mine, theirs), json };
}

/** A property and its value in words, as a list has room for it. */
export function saidProperty(
  known: readonly Property[],
  name: string,
  value: string,
  language: Language,
): string {
  const property = known.find((it) => it.name === name);
  const said = property?.choiceLabels?.[value]?.[language] ?? value;
  return named(property?.label[language] ?? name, said);
}

/** A field as the catalogue of the properties describes it. */
export function PropertyField({ property, isFixed, value, onChange }: {
  property: Property;
  isFixed: boolean;
  value: string;
  onChange: (value: string) => void;
}) {
  const language = useLanguage();
  const preset = property.choiceLabels?.[property.default ?? ""]?.[language] ??
    property.default ?? property.otherwise?.[language];
  const look = {
    label: (
      <>
        {property.label[language]} <Code fz="xs" fw={400} aria-hidden>{property.name}</Code>
      </>
    ),
    description: property.help[language],
    readOnly: isFixed,
    ...preset !== undefined && { placeholder: preset },
  };
  if (property.choices) {
    return (
      <Select
        {...look}
        clearable
        data={property.choices.map((value) => ({
          value,
          label: property.choiceLabels?.[value]?.[language] ?? value,
        }))}
        value={value || null}
        onChange={(it) => onChange(it ?? "")}
      />
    );
  }
  const typed = { ...look, value };
  if (property.type === "secret") {
    return (
      <Password
        {...typed}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-hidden": true }}
        onChange={(it) => onChange(it.currentTarget.value)}
      />
    );
  }
  if (property.type === "lines" || property.type === "json") {
    return (
      <Textarea
        {...typed}
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
        onChange={(it) => onChange(it.currentTarget.value)}
      />
    );
  }
  return <TextInput {...typed} onChange={(it) => onChange(it.currentTarget.value)} />;
}
