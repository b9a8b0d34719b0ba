import { Select, SimpleGrid, TextInput } from "@mantine/core";
import { DateField } from "./dates/date_field.tsx";
import { textOf, valueOf } from "./dates/day_text.ts";
import { NumberField } from "./number_field.tsx";
import { numberText } from "./number_text.ts";
import { defineWords, useLanguage, useWords } from "../i18n/language.ts";

const WORDS = defineWords({
  en: { yes: "Yes", no: "No" },
  fr: { yes: "Oui", no: "Non" },
});

type Text = string | Readonly<Record<string, string>>;

/** A typed parameter as the settings define it. */
export interface Param {
  readonly type: string;
  readonly label?: Text;
  readonly description?: Text;
  readonly required?: boolean;
  readonly default?: unknown;
  /** Taken from the caller: nobody gives it. */
  readonly from?: string;
  readonly enum?: readonly unknown[];
  readonly min?: number | string;
  readonly max?: number | string;
}
export type Params = Readonly<Record<string, Param>>;
/** As typed; what is left empty is left out. */
export type Given = Readonly<Record<string, string>>;

/** Fields for parameters, as their types want them. */
export function ParamFields({ params, given, onChange }: {
  params: Params;
  given: Given;
  onChange: (given: Given) => void;
}) {
  const asked = Object.entries(params).filter(([, it]) => it.from === undefined);
  if (asked.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {asked.map(([name, param]) => (
        <ParamField
          key={name}
          name={name}
          param={param}
          value={given[name] ?? ""}
          onChange={(value) => onChange({ ...given, [name]: value })}
        />
      ))}
    </SimpleGrid>
  );
}

function ParamField({ name, param, value, onChange }: {
  name: string;
  param: Param;
  value: string;
  onChange: (value: string) => void;
}) {
  const language = useLanguage();
  const words = useWords(WORDS);
  const said = (text: Text | undefined) =>
    typeof text === "object" ? text[language] ?? Object.values(text)[0] : text;
  const isNumber = NUMBERS.has(param.type);
  const written = (value: unknown) => {
    if (value === true) return words.yes;
    if (value === false) return words.no;
    return isNumber ? numberText(String(value), language) : String(value);
  };
  const preset = param.default === undefined ? undefined : written(param.default);
  const look = {
    label: said(param.label) ?? name,
    description: said(param.description),
    required: param.required === true && preset === undefined,
    ...preset !== undefined && { placeholder: preset },
  };
  const choices = param.enum ?? (param.type === "boolean" ? [true, false] : undefined);
  if (choices) {
    return (
      <Select
        {...look}
        data={choices.map((it) => ({ value: String(it), label: written(it) }))}
        value={value || null}
        clearable
        onChange={(it) => onChange(it ?? "")}
      />
    );
  }
  if (isNumber) {
    return (
      <NumberField
        {...look}
        value={value}
        mostDecimals={param.type === "integer" ? 0 : undefined}
        onChange={onChange}
      />
    );
  }
  const { [param.type]: kind } = KINDS;
  if (kind) {
    const { placeholder, ...rest } = look;
    const isWritten = valueOf(kind, preset ?? "") && placeholder;
    return (
      <DateField
        {...rest}
        {...isWritten && { placeholder: textOf(kind, isWritten) }}
        kind={kind}
        value={value}
        onChange={onChange}
      />
    );
  }
  return (
    <TextInput
      {...look}
      value={value}
      onChange={(it) => onChange(it.currentTarget.value)}
    />
  );
}

const NUMBERS = new Set(["integer", "number", "decimal"]);
const KINDS: Readonly<Record<string, "day" | "time">> = { date: "day", time: "time" };

/** What a call takes for what was typed: the API reads each by its type. Lists are separated by commas. */
export function valuesOf(params: Params, given: Given): Record<string, string | string[]> {
  const typed = Object.entries(given).filter(([, it]) => it !== "");
  return Object.fromEntries(typed.map(([name, it]) => {
    const isList = params[name]?.type.startsWith("array<") ?? false;
    return [name, isList ? it.split(",").map((part) => part.trim()) : it];
  }));
}
