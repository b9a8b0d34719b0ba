import { Autocomplete, Button, Select, TextInput } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { defineWords, useWords } from "../i18n/language.ts";
import { afterPress } from "./after_press.ts";
import { DateField } from "./dates/date_field.tsx";
import { parseDate } from "./dates/day_text.ts";
import { FoldedFields } from "./folded_fields.tsx";
import { readPage } from "./read_page.ts";

const WORDS = defineWords({
  en: { filters: "Filters", clear: "Clear" },
  fr: { filters: "Filtres", clear: "Effacer" },
});

/** Most choices of a plain field; a field with more is searched by letters. */
const MANY = 8;
/** Most suggestions shown at once. */
const MAX_SUGGESTED = 20;
/** Pause in typing after which a text searches. */
const PAUSE_MS = 400;

export interface SearchField {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "date";
  /** Text of the empty field. */
  readonly placeholder?: string;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** Known values of a text, which takes others as well. */
  readonly suggestions?: readonly string[];
}

/**
 * Filters of a list. They are stored in the address, so that a search can be bookmarked and shared. Choices and
 * complete days search at once, a text when typing pauses. One step back undoes all that was typed into a field.
 */
export function SearchForm({ fields }: { fields: readonly SearchField[] }) {
  const words = useWords(WORDS);
  const [params, setParams] = useSearchParams();
  const said = Object.fromEntries(fields.map((it) => [it.name, formatShown(it, params)]));
  const [draft, setDraft] = useState<Record<string, string>>(said);
  /** Counts resets: a new key clears date fields, whose invalid input is not part of this state. */
  const [clearings, setClearings] = useState(0);
  const address = JSON.stringify(said);
  const [followed, setFollowed] = useState(address);
  if (address !== followed) { // searched, or navigated to another search
    setFollowed(address);
    if (fields.some(({ name }) => (draft[name] ?? "") !== said[name])) {
      setDraft(said);
      setClearings(clearings + 1);
    }
  }
  /** Search that waits for a pause in typing. */
  const waiting = useRef<
    { readonly timer: ReturnType<typeof setTimeout>; readonly run: () => void }
  >(undefined);
  /** Field whose typing has a step in the history since it got the focus. */
  const typedInto = useRef<string>(undefined);
  const stopWaiting = () => {
    clearTimeout(waiting.current?.timer);
    waiting.current = undefined;
  };
  useEffect(() => stopWaiting, [address]);
  const search = (values: Readonly<Record<string, string>>, typed?: string) => {
    stopWaiting();
    const isKept = (key: string) => key !== "page" && !fields.some(({ name }) => name === key);
    const others = [...params].filter(([key]) => isKept(key));
    const next = new URLSearchParams([
      ...others,
      ...Object.entries(values).filter(([, it]) => it !== ""),
    ]);
    // The same search again would need one more step back.
    if (String(next) === String(params)) return;
    setParams(next, { replace: typed !== undefined && typed === typedInto.current });
    typedInto.current = typed;
  };
  const latest = useRef(search);
  latest.current = search;
  const type = (name: string, value: string, isText: boolean) => {
    const typed = { ...draft, [name]: value };
    setDraft(typed);
    if (!isText || value === "") return search(typed, name);
    stopWaiting();
    const run = () => latest.current(typed, name);
    waiting.current = { run, timer: setTimeout(run, PAUSE_MS) };
  };
  const leave = () =>
    afterPress(() => {
      waiting.current?.run();
      typedInto.current = undefined;
    });
  const count = Object.values(said).filter(Boolean).length;
  return (
    <FoldedFields
      label={words.filters}
      count={fields.length}
      set={count}
    >
      {fields.map((it) => (
        <FilterInput
          // The cleared field is a new one.
          key={it.type === "date" ? `${it.name} ${clearings}` : it.name}
          field={it}
          value={draft[it.name] ?? ""}
          onType={(value) => type(it.name, value, it.type !== "date")}
          onChoose={(value) => {
            const chosen = { ...draft, [it.name]: value };
            setDraft(chosen);
            search(chosen);
          }}
          onEnter={() => waiting.current?.run()}
          onLeave={leave}
        />
      ))}
      <Button
        size="xs"
        variant="default"
        // Fields keep their width when it appears.
        style={{ visibility: count > 0 ? "visible" : "hidden" }}
        onClick={() => {
          setDraft({});
          setClearings(clearings + 1);
          setParams({});
        }}
      >
        {words.clear}
      </Button>
    </FoldedFields>
  );
}

function FilterInput(
  { field, value, onType, onChoose, onEnter, onLeave }: {
    field: SearchField;
    value: string;
    onType: (value: string) => void;
    onChoose: (value: string) => void;
    onEnter: () => void;
    onLeave: () => void;
  },
) {
  const { label, type, placeholder, choices, suggestions } = field;
  const hint = placeholder && { placeholder };
  const look = { label, size: "xs", flex: "1 1 140px", maw: 240, ...hint };
  if (choices) {
    return (
      <Select
        {...look}
        clearable
        searchable={choices.length > MANY}
        data={[...choices]}
        value={value || null}
        onChange={(it) => onChoose(it ?? "")}
      />
    );
  }
  if (type === "date") {
    return <DateField {...look} value={value} onChange={onType} onBlur={onLeave} />;
  }
  const onKeyDown = (it: KeyboardEvent) => it.key === "Enter" && onEnter();
  const typed = { ...look, value, onBlur: onLeave, onKeyDown };
  return suggestions
    ? (
      <Autocomplete
        {...typed}
        data={[...suggestions]}
        limit={MAX_SUGGESTED}
        openOnFocus={false}
        onChange={onType}
      />
    )
    : <TextInput {...typed} onChange={(it) => onType(it.currentTarget.value)} />;
}

/** Returns the value from the address; a choice field ignores unknown values. */
function formatShown({ name, choices }: SearchField, address: URLSearchParams): string {
  const value = address.get(name) ?? "";
  return choices && !choices.some((it) => it.value === value) ? "" : value;
}

/** Returns the filter value; an invalid day is shown but does not filter. */
function getFilter(field: SearchField, address: URLSearchParams): string {
  const shown = formatShown(field, address);
  return field.type === "date" ? parseDate("day", shown, true) ?? "" : shown;
}

/** Returns the filters and the page from the address as a query. */
export function useSearched(fields: readonly SearchField[]) {
  const [params, setParams] = useSearchParams();
  const filter = Object.fromEntries(fields.flatMap((it) => {
    const value = getFilter(it, params);
    return value ? [[it.name, value]] : [];
  }));
  const page = readPage(params);
  const onPage = (next: number) => setParams({ ...filter, page: String(next) });
  return { filter, page, onPage };
}
