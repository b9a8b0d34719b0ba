import { MultiSelect, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useRead } from "../api/queries.ts";
import { DateField } from "./dates/date_field.tsx";
import { formatDate, parseDate } from "./dates/day_text.ts";
import { NumberField } from "./number_field.tsx";
import { isPlainNumber, numberText } from "./number_text.ts";
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
  /** Lookup of the dictionary with the allowed values. */
  readonly lookup?: string;
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
        <ChoiceField
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

interface FieldProps {
  readonly name: string;
  readonly param: Param;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Most values of a lookup that a field offers; above, the value is typed. */
const MAX_CHOICES = 1_000;

/** Field that offers the values of the parameter's lookup, if they are readable and few. */
function ChoiceField(props: FieldProps) {
  const { lookup = "" } = props.param;
  const { data } = useRead("/api/dictionary/lookups/{name}", {
    path: { name: lookup },
    query: { limit: MAX_CHOICES },
  }, { when: lookup !== "" });
  const choices = data && !data.has_more
    ? data.items.filter((it) => it.active)
      .map(({ value, label }) => ({ value: String(value), label }))
    : undefined;
  return <ParamField {...props} offered={choices} />;
}

/** Returns functions that write the label and a value of a parameter in the reader's language. */
export function useParamText() {
  const language = useLanguage();
  const words = useWords(WORDS);
  const describe = (text: Text | undefined) =>
    typeof text === "object" ? text[language] ?? Object.values(text)[0] : text;
  const write = (value: unknown, type: string | undefined): string => {
    if (value === true) return words.yes;
    if (value === false) return words.no;
    if (Array.isArray(value)) return value.map((it) => write(it, type)).join(", ");
    if (typeof value === "object" && value !== null) return JSON.stringify(value);
    const { [type ?? ""]: kind } = KINDS;
    const text = String(value ?? "");
    if (kind && parseDate(kind, text)) return formatDate(kind, text);
    return NUMBERS.has(type ?? "") ? numberText(text, language) : text;
  };
  return { describe, write };
}

function ParamField({ name, param, value, onChange, offered }: FieldProps & {
  offered: readonly Choice[] | undefined;
}) {
  const { describe, write: writeTyped } = useParamText();
  const isNumber = NUMBERS.has(param.type);
  const write = (value: unknown) =>
    offered?.find((it) => it.value === String(value))?.label ?? writeTyped(value, param.type);
  const preset = param.default === undefined ? undefined : write(param.default);
  const look = {
    label: describe(param.label) ?? name,
    description: describe(param.description),
    required: param.required === true && preset === undefined,
    ...preset !== undefined && { placeholder: preset },
  };
  const allowed = param.enum ?? (param.type === "boolean" ? [true, false] : undefined);
  const choices = offered ?? allowed?.map((it) => ({ value: String(it), label: write(it) }));
  if (choices && param.type.startsWith("array<")) {
    return (
      <MultiSelect
        {...look}
        data={[...choices]}
        searchable
        hidePickedOptions
        value={value ? value.split(",") : []}
        onChange={(it) => onChange(it.join(","))}
      />
    );
  }
  if (choices) {
    return (
      <Select
        {...look}
        data={[...choices]}
        searchable={choices.length > FEW_CHOICES}
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

/** Most choices that need no search. */
const FEW_CHOICES = 7;

const NUMBERS = new Set(["integer", "number", "decimal"]);
const KINDS: Readonly<Record<string, "day" | "time">> = { date: "day", time: "time" };

/** Returns true while a field for a number shows that its value is unreadable. */
export function hasUnreadable(params: ParamDefinitions, given: ParamInputs): boolean {
  return Object.entries(given).some(([name, it]) => {
    const { type = "" } = params[name] ?? {};
    if (it === "" || !NUMBERS.has(type)) return false;
    return !isPlainNumber(it) || type === "integer" && it.includes(".");
  });
}

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
