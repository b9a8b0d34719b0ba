import { Checkbox, MultiSelect, Select, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useRead } from "../../api/queries.ts";
import { DateField } from "../../components/dates/date_field.tsx";
import { NumberField } from "../../components/number_field.tsx";
import { useWords } from "../../i18n/language.ts";
import type { Lookups } from "./cells.tsx";
import { APPS } from "./words.ts";

interface ValueFieldProps {
  readonly label: string;
  /** text textarea number integer checkbox date datetime time select multiselect lookup */
  readonly input: string;
  /** As text; several of a list separated by commas. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly lookup?: string | undefined;
  readonly lookups?: Lookups;
  /** Values there are, in place of a lookup. */
  readonly choices?: readonly unknown[] | undefined;
  /** What a lookup depends on: values by parameter. */
  readonly given?: Readonly<Record<string, string>>;
  readonly description?: string | undefined;
  readonly error?: string | undefined;
  readonly required?: boolean;
  readonly readOnly?: boolean;
  readonly placeholder?: string | undefined;
  readonly min?: number | string | undefined;
  readonly max?: number | string | undefined;
  readonly step?: number | undefined;
  readonly rows?: number | undefined;
  readonly size?: "xs" | "sm";
}

/** A field for one value, as its type wants it. */
export function ValueField(props: ValueFieldProps) {
  const { input, lookup, lookups = {}, choices, value, onChange, ...more } = props;
  const words = useWords(APPS);
  const look = lookOf(more);
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

function lookOf(
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

/** Of a moment, for a field that knows no zones: in the reader's own time. */
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
  search?: { readonly text: string; readonly onChange: (text: string) => void };
}) {
  const words = useWords(APPS);
  const { value, onChange, readOnly = false } = props;
  const searching = search && {
    searchValue: search.text,
    onSearchChange: search.onChange,
    filter: ({ options }: { options: Choice[] }) => options,
    nothingFoundMessage: words.nothingFound,
  };
  const common = {
    ...lookOf(props),
    searchable: true,
    ...!props.placeholder && value === "" && { placeholder: words.any },
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
const MOST = 50;

/** Values of a lookup: all there are, or those that are searched for. What is no longer offered stays where it is set. */
function LookupField(props: ValueFieldProps) {
  const { lookup: name = "", lookups = {}, value, given = {} } = props;
  const lookup = lookups[name];
  const [text, setText] = useState("");
  const [term] = useDebouncedValue(text, PAUSE_MS);
  const known = new Map(
    (lookup?.values ?? []).filter((it) => it.active || value.split(",").includes(String(it.value)))
      .map((it) => [String(it.value), it.label]),
  );
  const isAsked = lookup?.type === "query";
  const sought = [...known.values()].includes(term) ? "" : term;
  const { data } = useRead("/api/dictionary/lookups/{name}", {
    path: { name },
    query: { limit: lookup?.limit ?? MOST, ...sought && { term: sought }, ...given },
  }, { when: isAsked, keep: true });
  for (const it of data?.items ?? []) known.set(String(it.value), it.label);
  if (value) { for (const it of value.split(",")) if (!known.has(it)) known.set(it, it); }
  const choices = [...known].map(([value, label]) => ({ value, label }));
  return (
    <Chosen
      {...props}
      data={choices}
      {...isAsked && { search: { text, onChange: setText } }}
    />
  );
}

/** The field for values of a type of the settings. */
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
