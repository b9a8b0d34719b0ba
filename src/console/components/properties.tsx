import { Select, Switch, Textarea, TextInput } from "@mantine/core";
import type { components } from "../api/schema.d.ts";
import { type ConsoleLanguage, useLanguage } from "../i18n/language.ts";
import { CronField } from "./cron_field.tsx";
import { Password } from "./password.tsx";
import { mergedFields } from "./stored_draft.tsx";

/** Properties of a template; every value is text. */
export type TemplateProperties = Readonly<Record<string, string>>;
export type Property = components["schemas"]["TemplateProperty"];

/** Returns a property, or an empty text. The API knows the default of a missing property. */
export function givenProperty(of: TemplateProperties | undefined, name: string): string {
  return new Map(Object.entries(of ?? {})).get(name) ?? "";
}

/** Parses properties from JSON; undefined if the text is no JSON object. */
export function parseProperties(json: string): TemplateProperties | undefined {
  try {
    const value: unknown = JSON.parse(json.trim() || "{}");
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isMap && Object.values(value).every((it) => typeof it === "string")) {
      return value as TemplateProperties;
    }
  } catch {
    // the field shows the error
  }
  return undefined;
}

/** Returns the properties as JSON with one of them set; an empty value removes it. */
export function withProperty(
  values: TemplateProperties | undefined,
  key: string,
  value: string,
): string {
  return withProperties(values, { [key]: value });
}

/** Returns the properties as JSON with some of them set; an empty value removes one. */
export function withProperties(
  values: TemplateProperties | undefined,
  changed: TemplateProperties,
): string {
  const all = Object.entries({ ...values, ...changed });
  return writtenProperties(
    Object.fromEntries(all.filter(([key, it]) => it !== "" || !Object.hasOwn(changed, key))),
  );
}

/** Mask of a secret; sent unchanged it keeps the stored value. */
export const SECRET_MASK = "********";

/** Returns the properties with the typed secrets where the JSON of the form shows their masks. */
export function withTyped(
  values: TemplateProperties,
  typed: TemplateProperties,
): TemplateProperties {
  const getValue = (name: string, value: string) =>
    value === SECRET_MASK ? givenProperty(typed, name) || value : value;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, getValue(name, value)]),
  );
}

/** Formats properties as the JSON of a form. */
export function writtenProperties(values: TemplateProperties): string {
  return JSON.stringify(values, null, 2);
}

/** Merges the reader's changes by property into the stored values; text that is no JSON stays as typed. */
export function mergedJson<T extends { readonly json: string }>(before: T, mine: T, theirs: T): T {
  const [a, b, c] = [before, mine, theirs].map((it) => parseProperties(it.json));
  const json = a && b && c ? writtenProperties(mergedFields(a, b, c)) : mine.json;
  return { ...mergedFields(before, mine, theirs), json };
}

/** Returns the choices of a property; of those with one label, the given one or the first. */
export function listChoices(
  { choices = [], choiceLabels }: Property,
  value: string,
  language: ConsoleLanguage,
): readonly { readonly value: string; readonly label: string }[] {
  const all = choices.map((it) => ({ value: it, label: choiceLabels?.[it]?.[language] ?? it }));
  return all.filter((it) => {
    const same = all.filter(({ label }) => label === it.label);
    return it === (same.find((one) => one.value === value) ?? same[0]);
  });
}

/** Tells whether the choices are yes and no, which a switch shows. */
function isYesNo(choices: readonly { readonly value: string }[]): boolean {
  return choices.length === 2 && /^(y|yes)$/i.test(choices[0]?.value ?? "") &&
    /^(n|no)$/i.test(choices[1]?.value ?? "");
}

/** Input field for a property, as the catalogue describes it. */
export function PropertyField({ property, isFixed, error, value, onChange }: {
  property: Property;
  isFixed: boolean;
  /** Error of the value, shown below the field. */
  error?: string | undefined;
  value: string;
  onChange: (value: string) => void;
}) {
  const language = useLanguage();
  const [label, help] = [property.label[language], property.help[language]];
  const preset = property.choiceLabels?.[property.default ?? ""]?.[language] ??
    property.default ?? property.otherwise?.[language];
  const look = {
    label,
    description: help === label ? undefined : help, // some only repeat the label
    readOnly: isFixed,
    error,
    ...preset !== undefined && { placeholder: preset },
  };
  if (property.choices) {
    const data = listChoices(property, value, language);
    const [yes, no] = data;
    if (isYesNo(data) && yes && no) {
      return (
        <Switch
          label={label}
          description={look.description}
          error={error}
          aria-invalid={error !== undefined}
          disabled={isFixed}
          checked={(value || property.default) === yes.value}
          onChange={(it) => onChange((it.currentTarget.checked ? yes : no).value)}
        />
      );
    }
    return (
      <Select
        {...look}
        clearable
        data={[...data]}
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
        onChange={(it) => onChange(it.currentTarget.value)}
      />
    );
  }
  if (property.type === "cron") {
    const { description } = look;
    return <CronField name={label} {...{ label, description, error, isFixed, value, onChange }} />;
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
