import { Box } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { useWords } from "../../i18n/language.ts";
import type { Lookups } from "./labels.ts";
import { FoldedFields } from "../../components/folded_fields.tsx";
import { inputFor, ValueField } from "./value_field.tsx";
import { APPS } from "./words.ts";

type Param = components["schemas"]["ShownParam"];
type ParamMap = Readonly<Record<string, Param>>;
const PAUSE_MS = 400;
/** Focused field for typing, as opposed to choosing. */
const WRITING = "input:focus:not([aria-haspopup])";

/** Returns the parameters from the address, or their defaults. */
export function useParams(params: ParamMap): Record<string, unknown> {
  const [address] = useSearchParams();
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, { type, default: preset }]) => {
      const text = address.get(name);
      if (text === null) return preset === undefined || preset === null ? [] : [[name, preset]];
      return [[name, type.startsWith("array<") ? text.split(",") : text]];
    }),
  );
}

/** Fields for the parameters of a dashboard or a chart, stored in the address. */
export function Params({ params, lookups }: { params: ParamMap; lookups: Lookups }) {
  const words = useWords(APPS);
  const [address] = useSearchParams();
  const names = Object.keys(params);
  const set = names.filter((it) => address.has(it)).length;
  if (names.length === 0) return null;
  return (
    <FoldedFields label={words.parameters} set={set} count={names.length}>
      {Object.entries(params).map(([name, param]) => (
        <ParamField key={name} name={name} param={param} lookups={lookups} />
      ))}
    </FoldedFields>
  );
}

function ParamField({ name, param, lookups }: { name: string; param: Param; lookups: Lookups }) {
  const words = useWords(APPS);
  const [address, setAddress] = useSearchParams();
  const { type, label, description, default: preset, lookup, enum: choices, values, input } = param;
  const kept = address.get(name) ?? (preset === undefined || preset === null ? "" : String(preset));
  const [value, setValue] = useState(kept);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Do not restore the default while the reader clears the field to type another value.
    const isEmptied = value === "" && box.current?.querySelector(WRITING) !== null;
    if (!isEmptied) setValue(kept);
  }, [kept]);
  const later = useDebouncedCallback((value: string) =>
    setAddress((before) => {
      const after = new URLSearchParams(before);
      if (value && value !== String(preset ?? "")) after.set(name, value);
      else after.delete(name);
      return after;
    }), PAUSE_MS);
  const isMany = input === "multiselect" || type.startsWith("array<");
  return (
    <Box ref={box} onBlur={() => value === "" && setValue(kept)}>
      <ValueField
        label={label}
        description={description}
        input={inputFor(type, {
          isMany: isMany && (lookup ?? values ?? choices) !== undefined,
          lookup,
        })}
        lookup={lookup}
        lookups={lookups}
        choices={choices ?? values}
        value={value}
        min={param.min}
        max={param.max}
        size="xs"
        unchosen={words.any}
        onChange={(it) => {
          setValue(it);
          later(it);
        }}
      />
    </Box>
  );
}
