import { Box, SimpleGrid } from "@mantine/core";
import type { components } from "../../../api/schema.d.ts";
import { type ConsoleLanguage, useLanguage } from "../../../i18n/language.ts";
import { isPlainNumber, plainNumber } from "../../../components/number_text.ts";
import { formatCell, type Look } from "../cells.tsx";
import type { Lookups } from "../labels.ts";
import { ValueField } from "../value_field.tsx";
import type { APPS } from "../words.ts";
import { holds, type ScreenRow } from "./view.ts";

export type Field = components["schemas"]["DialogField"];
type Operation = components["schemas"]["DialogOperation"];
/** Purpose of a dialog. */
export type Mode = "read" | "create" | "update";

/** Values of a record as the texts of its fields. */
export type RecordDraft = Readonly<Record<string, string>>;

export function fieldText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.join(",");
  if (typeof value === "number") return plainNumber(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns true if the operation accepts the field and the definition allows editing. */
export function isWritable(
  { field, readonly }: Field,
  mode: Mode,
  operation: Operation | undefined,
): boolean {
  if (mode === "read" || !operation || !Object.hasOwn(operation.params, field)) return false;
  return typeof readonly === "object" ? readonly.on !== mode : readonly !== true;
}

/** Returns the error of a value in the reader's language; undefined for a valid one. */
export function mistakeIn(
  { field, required, min, max, input, type }: Field,
  value: string,
  operation: Operation | undefined,
  words: typeof APPS.en,
): string | undefined {
  const { [field]: param } = operation?.params ?? {};
  if (value === "") {
    const isNeeded = required || param?.required && param.default === undefined;
    return isNeeded ? words.required : undefined;
  }
  const isNumber = input === "number";
  const isRead = isPlainNumber(value) && (type !== "integer" || Number.isInteger(Number(value)));
  if (isNumber && !isRead) return words.number;
  const before = (a: string, b: string | number) =>
    isNumber ? Number(a) < Number(b) : a < String(b);
  for (const least of [min, param?.min]) {
    if (least !== undefined && before(value, least)) return words.least(String(least));
  }
  for (const most of [max, param?.max]) {
    const isMore = most !== undefined &&
      (isNumber ? Number(value) > Number(most) : value > String(most));
    if (isMore) return words.most(String(most));
  }
  if (param?.min_length !== undefined && value.length < param.min_length) {
    return words.shortest(param.min_length);
  }
  if (param?.max_length !== undefined && value.length > param.max_length) {
    return words.longest(param.max_length);
  }
  const { pattern } = param ?? {};
  return pattern !== undefined && !fits(pattern, value) ? words.pattern(pattern) : undefined;
}

/** Tests a pattern. A pattern that the browser cannot compile is left to the API. */
function fits(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true;
  }
}

/** Returns a value as text, for a conflict shown next to its field. */
export function formatField(
  { type, lookup }: Field,
  value: string,
  { look, lookups, ...around }: {
    look: Look | undefined;
    lookups: Lookups;
    language: ConsoleLanguage;
    row: ScreenRow;
  },
): string {
  const { values } = (lookup === undefined ? undefined : lookups[lookup]) ?? {};
  return values?.find((it) => String(it.value) === value)?.label ??
    formatCell(value, { ...type !== undefined && { type }, ...look }, around);
}

/** Returns a number or time in the reader's language; undefined if the field formats it itself. */
function formatInput(
  { field, input, type, lookup }: Field,
  value: string | undefined,
  language: ConsoleLanguage,
  { look, row }: { look: Look | undefined; row: ScreenRow },
): string | undefined {
  const isShown = ["number", "date", "datetime"].includes(input) && lookup === undefined;
  if (!isShown || value !== fieldText(row[field])) return undefined;
  return formatCell(row[field], { ...type !== undefined && { type }, ...look }, { language, row });
}

/** Fields of a tab. */
export function DialogFields(
  { fields, mode, operation, lookups, looks, values, row, mistakes, isLocked, onChange }: {
    fields: readonly Field[];
    mode: Mode;
    operation: Operation | undefined;
    lookups: Lookups;
    /** Grid formats by field, for read-only values. */
    looks: ReadonlyMap<string, Look>;
    values: RecordDraft;
    row: ScreenRow;
    mistakes: Readonly<Record<string, string>>;
    /** True while nothing can be changed. */
    isLocked: boolean;
    onChange: (field: string, value: string) => void;
  },
) {
  const language = useLanguage();
  const visible = fields.filter(({ visible_when: when }) =>
    !when || holds(when, { ...row, ...values })
  );
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" py="sm">
      {visible.map((it) => {
        const { field, label, input, lookup, width = "full", help, description } = it;
        const isFree = isWritable(it, mode, operation) && !isLocked;
        const typed = input === "number" && it.type === "integer" ? "integer" : input;
        const { [field]: param } = operation?.params ?? {};
        const shown = isFree
          ? undefined
          : formatInput(it, values[field], language, { look: looks.get(field), row });
        const depends = lookup === undefined ? undefined : lookups[lookup]?.depends_on;
        return (
          <Box key={field} className={width === "half" ? undefined : "ps-full"} data-field={field}>
            <ValueField
              label={label}
              input={shown === undefined ? typed : "text"}
              lookup={lookup}
              lookups={lookups}
              choices={param?.enum}
              given={Object.fromEntries(
                Object.entries(depends ?? {}).flatMap(([param, from]) =>
                  values[from] ? [[param, values[from]]] : []
                ),
              )}
              description={help ?? description}
              error={mistakes[field]}
              required={isFree && (it.required === true || param?.required === true)}
              readOnly={!isFree}
              step={it.step}
              rows={it.rows}
              placeholder={isFree ? undefined : "–"}
              value={shown ?? values[field] ?? ""}
              onChange={(value) =>
                onChange(field, value)}
            />
          </Box>
        );
      })}
    </SimpleGrid>
  );
}
