import { Button, Group } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";
import type { components } from "../../../api/schema.d.ts";
import { useWords } from "../../../i18n/language.ts";
import { FoldedFields } from "../../../components/folded_fields.tsx";
import { inputFor, ValueField } from "../value_field.tsx";
import { APPS } from "../words.ts";
import {
  filterName,
  isFilter,
  isList,
  paramName,
  readValue,
  type Screen,
  type ScreenView,
} from "./view.ts";

type Filter = components["schemas"]["GridFilter"];
const PAUSE_MS = 300;
const TEXT_OPERATORS = new Set([
  "contains",
  "starts_with",
  "ends_with",
  "like",
  "ilike",
  "not_like",
]);

/** Filter bar of a screen: each field is a query parameter or a condition on a column. */
export function Filters({ screen, view, given }: {
  screen: Screen;
  view: ScreenView;
  /** Parameters set by the parent, which have no field. */
  given: readonly string[];
}) {
  const words = useWords(APPS);
  /** Counts resets: a new key clears date fields, whose invalid input is no filter. */
  const [clearings, setClearings] = useState(0);
  const { filters } = screen.grid;
  const asked = filters.filter(({ param }) => param === undefined || !given.includes(param));
  const active = [...new Set(view.params.keys())].filter(isFilter);
  if (asked.length === 0 && active.length === 0) return null;
  return (
    <FoldedFields
      label={words.filters}
      set={active.length}
      count={asked.length}
    >
      {asked.map((it) => (
        <FilterField
          key={`${it.param ?? it.field} ${it.op ?? ""} ${clearings}`}
          filter={it}
          screen={screen}
          view={view}
        />
      ))}
      {active.length > 0 && (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => {
            setClearings(clearings + 1);
            view.change(Object.fromEntries(active.map((it) => [it, undefined])));
          }}
        >
          {words.clear}
        </Button>
      )}
    </FoldedFields>
  );
}

function FilterField(
  { filter, screen, view }: { filter: Filter; screen: Screen; view: ScreenView },
) {
  const words = useWords(APPS);
  const { field = "", param, op = "=", label, type } = filter;
  // A part of a text is typed: the choices are whole values.
  const lookup = TEXT_OPERATORS.has(op) ? undefined : filter.lookup;
  const name = param === undefined ? filterName(field, op) : paramName(param);
  const isMany = isList(type, op);
  const input = op === "is_null" ? "boolean" : inputFor(type, { isMany, lookup });
  const [value, setValue] = useKept(view, name, isMany);
  const look = { lookup, lookups: screen.lookups, size: "xs" as const, unchosen: words.any };
  if (op !== "between") {
    return <ValueField {...look} label={label} input={input} value={value} onChange={setValue} />;
  }
  const [from = "", to = ""] = value.split("..");
  const change = (from: string, to: string) => setValue(from || to ? `${from}..${to}` : "");
  // Moments are filtered by day.
  const plain = input === "datetime" ? "date" : input;
  const isDay = plain === "date";
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      <ValueField
        {...look}
        label={isDay ? words.since(label) : words.from(label)}
        input={plain}
        value={from}
        onChange={(it) => change(it, to)}
      />
      <ValueField
        {...look}
        label={isDay ? words.until(label) : words.to(label)}
        input={plain}
        value={to}
        onChange={(it) => change(from, it)}
      />
    </Group>
  );
}

/** Returns a filter value. Input applies when typing pauses; a change of the address replaces it. */
function useKept(view: ScreenView, name: string, isMany: boolean) {
  const shown = readValue(view.params, name, isMany);
  const [value, setValue] = useState(shown);
  const later = useDebouncedCallback(
    (value: string) => view.change({ [name]: value || undefined }),
    PAUSE_MS,
  );
  useEffect(() => setValue(shown), [shown]);
  return [value, (next: string) => {
    setValue(next);
    later(next);
  }] as const;
}
