import { Checkbox, MultiSelect, Select, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { problemText } from "../../components/notes.tsx";
import { useRead } from "../../api/queries.ts";
import { DateField } from "../../components/dates/date_field.tsx";
import { NumberField } from "../../components/number_field.tsx";
import { useWords } from "../../i18n/language.ts";
import { type Lookups, useLabels } from "./labels.ts";
import { APPS } from "./words.ts";

interface ValueFieldProps {
  readonly label: string;
  /** One of: text textarea number integer checkbox date datetime time select multiselect lookup. */
  readonly input: string;
  /** Value as text; the values of a list are separated by commas. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly lookup?: string | undefined;
  readonly lookups?: Lookups;
  /** Fixed choices instead of a lookup. */
  readonly choices?: readonly unknown[] | undefined;
  /** Parameters of the lookup. */
  readonly given?: Readonly<Record<string, string>>;
  readonly description?: string | undefined;
  readonly error?: string | undefined;
  readonly required?: boolean;
  readonly readOnly?: boolean;
  readonly placeholder?: string | undefined;
  /** Text shown while nothing is chosen. */
  readonly unchosen?: string;
  readonly min?: number | string | undefined;
  readonly max?: number | string | undefined;
  readonly step?: number | undefined;
  readonly rows?: number | undefined;
  readonly size?: "xs" | "sm";
}

/** Field for one value, by its type. */
export function ValueField(props: ValueFieldProps) {
  const { input, lookup, lookups = {}, choices, value, onChange, ...more } = props;
  const words = useWords(APPS);
  const look = getLook(more);
  if (lookup !== undefined && lookups[lookup]) return <LookupField {...props} />;
  if (choices) {
    const data = choices.map((it) => ({ value: String(it), label: String(it) }));
    return <Chosen {...props} data={data} />;
  }
  switch (input) {
    case "checkbox":
      return (
        <Checkbox
          label={look.label}
          description={look.description}
          error={look.error}
          checked={value === "true"}
          {...more.readOnly && { disabled: true }}
          onChange={(it) => onChange(String(it.currentTarget.checked))}
        />
      );
    case "boolean":
      return (
        <Chosen
          {...props}
          data={[{ value: "true", label: words.yes }, { value: "false", label: words.no }]}
        />
      );
    case "number":
    case "integer":
      return (
        <NumberField
          {...look}
          value={value}
          step={more.step}
          mostDecimals={input === "integer" ? 0 : undefined}
          onChange={onChange}
        />
      );
    case "textarea":
      return (
        <Textarea
          {...look}
          rows={more.rows ?? 3}
          autosize={more.rows === undefined}
          minRows={3}
          value={value}
          onChange={(it) => onChange(it.currentTarget.value)}
        />
      );
    case "date":
    case "time":
      return (
        <DateField
          {...look}
          kind={input === "date" ? "day" : "time"}
          value={value}
          onChange={onChange}
        />
      );
    case "datetime":
      return (
        <DateField
          {...look}
          kind="moment"
          value={localMoment(value)}
          onChange={(typed) => onChange(typed && new Date(typed).toISOString())}
        />
      );
    default:
      return (
        <TextInput
          {...look}
          type={TYPES[input] ?? "text"}
          value={value}
          onChange={(it) => onChange(it.currentTarget.value)}
        />
      );
  }
}

const TYPES: Readonly<Record<string, string>> = {
  email: "email",
  url: "url",
};

function getLook(
  { label, description, error, required = false, readOnly = false, placeholder, size = "sm" }: Omit<
    ValueFieldProps,
    "input" | "value" | "onChange"
  >,
) {
  return {
    label,
    description,
    error,
    size,
    readOnly,
    withAsterisk: required,
    "aria-required": required,
    ...placeholder !== undefined && { placeholder },
    ...readOnly && { variant: "filled" },
  };
}

/** Converts a moment into local time for a field without time zones. */
function localMoment(value: string): string {
  const at = new Date(value);
  if (value === "" || Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

function Chosen({ data, search, ...props }: ValueFieldProps & {
  data: readonly Choice[];
  search?: {
    readonly text: string;
    readonly onChange: (text: string) => void;
    /** The choices match the text, so Enter takes the first. */
    readonly isAnswered: boolean;
  };
}) {
  const words = useWords(APPS);
  const { value, onChange, readOnly = false } = props;
  const searching = search && {
    searchValue: search.text,
    onSearchChange: search.onChange,
    selectFirstOptionOnChange: search.isAnswered,
    filter: ({ options }: { options: Choice[] }) => options,
  };
  const common = {
    ...getLook(props),
    searchable: true,
    nothingFoundMessage: words.nothingFound,
    ...!props.placeholder && value === "" && { placeholder: props.unchosen },
    comboboxProps: { position: "bottom-start" as const },
  };
  if (props.input === "multiselect") {
    return (
      <MultiSelect
        {...common}
        {...searching as object}
        data={[...data]}
        hidePickedOptions
        value={value ? value.split(",") : []}
        onChange={(it) => onChange(it.join(","))}
      />
    );
  }
  return (
    <Select
      {...common}
      {...searching as object}
      data={[...data]}
      clearable={!readOnly}
      value={value || null}
      onChange={(it) => onChange(it ?? "")}
    />
  );
}

const PAUSE_MS = 200;
const MAX = 50;

/**
 * Field that offers lookup values, all or those found by a search. A chosen value stays even if it is no
 * longer offered.
 */
function LookupField(props: ValueFieldProps) {
  const { lookup: name = "", lookups = {}, value, given = {} } = props;
  const lookup = lookups[name];
  const chosen = value === "" ? [] : props.input === "multiselect" ? value.split(",") : [value];
  const labels = useLabels(lookups, name, chosen);
  const [text, setText] = useState("");
  const [term] = useDebouncedValue(text, PAUSE_MS);
  const isAsked = lookup?.type === "query";
  // The field also writes the chosen label into its text; that is no search.
  const isSought = text !== "" &&
    chosen.every((it) => text !== it && text !== labels.get(it)?.label);
  const { data, error, isPlaceholderData } = useRead("/api/dictionary/lookups/{name}", {
    path: { name },
    query: { limit: lookup?.limit ?? MAX, ...isSought && term && { term }, ...given },
  }, { when: isAsked, keep: true });
  const offered = (data?.items ?? lookup?.values ?? []).filter((it) => it.active);
  const choices = new Map(offered.map((it) => [String(it.value), it.label]));
  const isShown = !isAsked || !isSought || props.input === "multiselect";
  for (const it of isShown ? chosen : []) {
    choices.set(it, labels.get(it)?.label ?? choices.get(it) ?? it);
  }
  const isAnswered = isSought && text === term && !isPlaceholderData;
  return (
    <Chosen
      {...props}
      error={props.error ?? (error ? problemText(error) : undefined)}
      data={[...choices].map(([value, label]) => ({ value, label }))}
      {...isAsked && { search: { text, onChange: setText, isAnswered } }}
    />
  );
}

/** Returns the field kind for a type of the settings. */
export function inputFor(
  type: string | undefined,
  { isMany = false, lookup }: { isMany?: boolean; lookup?: string | undefined } = {},
): string {
  if (isMany || type?.startsWith("array<")) return lookup === undefined ? "text" : "multiselect";
  if (lookup !== undefined) return "select";
  return INPUTS[type ?? ""] ?? "text";
}

const INPUTS: Readonly<Record<string, string>> = {
  integer: "integer",
  number: "number",
  decimal: "number",
  boolean: "boolean",
  date: "date",
  datetime: "datetime",
  time: "time",
};
