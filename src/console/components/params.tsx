import { Select, SimpleGrid, TextInput } from "@mantine/core";
import { DateField } from "./dates/date_field.tsx";
import { formatDate, parseDate } from "./dates/day_text.ts";
import { NumberField } from "./number_field.tsx";
import { numberText } from "./number_text.ts";
import { defineWords, useLanguage, useWords } from "../i18n/language.ts";

const WORDS = defineWords({
  en: { yes: "Yes", no: "No" },
  fr: { yes: "Oui", no: "Non" },
});

type Text = string | Readonly<Record<string, string>>;

/** Typed parameter defined in the settings. */
export interface Param {
  readonly type: string;
  readonly label?: Text;
  readonly description?: Text;
  readonly required?: boolean;
  readonly default?: unknown;
  /** The caller supplies the value, so there is no field. */
  readonly from?: string;
  readonly enum?: readonly unknown[];
  readonly min?: number | string;
  readonly max?: number | string;
}
export type ParamDefinitions = Readonly<Record<string, Param>>;
/** Input texts; empty ones are omitted. */
export type ParamInputs = Readonly<Record<string, string>>;

/** Input fields for parameters, by type. */
export function ParamFields({ params, given, onChange }: {
  params: ParamDefinitions;
  given: ParamInputs;
  onChange: (given: ParamInputs) => void;
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
  const describe = (text: Text | undefined) =>
    typeof text === "object" ? text[language] ?? Object.values(text)[0] : text;
  const isNumber = NUMBERS.has(param.type);
  const write = (value: unknown) => {
    if (value === true) return words.yes;
    if (value === false) return words.no;
    return isNumber ? numberText(String(value), language) : String(value);
  };
  const preset = param.default === undefined ? undefined : write(param.default);
  const look = {
    label: describe(param.label) ?? name,
    description: describe(param.description),
    required: param.required === true && preset === undefined,
    ...preset !== undefined && { placeholder: preset },
  };
  const choices = param.enum ?? (param.type === "boolean" ? [true, false] : undefined);
  if (choices) {
    return (
      <Select
        {...look}
        data={choices.map((it) => ({ value: String(it), label: write(it) }))}
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
    const isWritten = parseDate(kind, preset ?? "") && placeholder;
    return (
      <DateField
        {...rest}
        {...isWritten && { placeholder: formatDate(kind, isWritten) }}
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

/**
 * Converts input into arguments of a call; the API parses each by its type. Lists are separated by commas.
 */
export function toArguments(
  params: ParamDefinitions,
  given: ParamInputs,
): Record<string, string | string[]> {
  const typed = Object.entries(given).filter(([, it]) => it !== "");
  return Object.fromEntries(typed.map(([name, it]) => {
    const isList = params[name]?.type.startsWith("array<") ?? false;
    return [name, isList ? it.split(",").map((part) => part.trim()) : it];
  }));
}
