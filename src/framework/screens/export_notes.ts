import { lookupLabels, type LookupReader } from "#src/framework/dictionary/mod.ts";
import { inBoth, say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import { formatDays } from "#src/platform/exports/mod.ts";
import { type Around, shownField } from "./around.ts";
import { shownFilters } from "./show_screen.ts";

interface View {
  readonly params: Readonly<Record<string, unknown>>;
  readonly filters?: unknown;
  readonly sort?: readonly string[] | undefined;
}

interface Reader {
  readonly around: Around;
  readonly language: Language;
  readonly lookups: LookupReader;
}

interface Condition {
  readonly field?: string;
  /** Parameter of the query, instead of `field`. */
  readonly param?: string;
  readonly op?: string;
  readonly value: unknown;
}

/** Words between a column and its value. Other operators keep their name. */
const OPERATORS: Readonly<Record<string, Sentence | string>> = {
  "!=": "≠",
  "<=": "≤",
  ">=": "≥",
  not_in: "≠",
  contains: say`contains`,
  starts_with: say`starts with`,
  ends_with: say`ends with`,
};
const EQUAL = new Set(["=", "in", "between"]);

/** Returns the parameters and filters of a view as people read them; undefined without any. */
export async function describeGiven(
  { params, filters = [] }: View,
  reader: Reader,
): Promise<string | undefined> {
  const conditions = Array.isArray(filters) ? filters : [filters];
  const write = (it: Condition) => writePart(it, reader);
  const parts = await Promise.all([
    ...Object.entries(params).map(([param, value]) => write({ param, value })),
    ...conditions.flatMap((it): (string | Promise<string>)[] =>
      readSimple(it)?.map(write) ?? [JSON.stringify(it)]
    ),
  ]);
  return parts.length ? parts.join(" · ") : undefined;
}

/** Returns the order of a view as people read it; undefined for the query's own. */
export function describeOrder(
  { sort }: View,
  { around, language }: Omit<Reader, "lookups">,
): string | undefined {
  return sort?.map((it) => {
    const direction = it.startsWith("-") ? say`descending` : say`ascending`;
    const { label } = shownField(around, it.replace(/^-/, ""));
    return `${label}, ${inBoth(direction)[language]}`;
  }).join(" · ");
}

/** Returns the conditions on columns; undefined when conditions stand in each other, which have no short words. */
function readSimple(given: unknown): Condition[] | undefined {
  const found = Object.entries(Object(given)).map(([field, inner]) => ({ field, inner }));
  if (found.some(({ field }) => ["and", "or", "not"].includes(field))) return undefined;
  return found.flatMap(({ field, inner }) =>
    Object.entries(Object(inner)).map(([op, value]) => ({ field, op, value }))
  );
}

/** Returns the label and lookup of a condition, as its filter of the screen has them. */
function findSubject({ param, field = "" }: Condition, around: Around) {
  const shown = shownFilters(around).find((it) =>
    param === undefined ? "field" in it && it.field === field : "param" in it && it.param === param
  );
  return shown ?? shownField(around, param ?? field);
}

async function writePart(
  condition: Condition,
  { around, language, lookups }: Reader,
): Promise<string> {
  const { op = "=", value } = condition;
  const { label, lookup } = findSubject(condition, around);
  const labels = lookup === undefined
    ? undefined
    : await lookupLabels(around.found.snapshot, lookup, lookups);
  const inLanguage = (it: Sentence) => inBoth(it)[language];
  const write = (it: unknown) => {
    if (typeof it === "boolean") return inLanguage(it ? say`yes` : say`no`);
    if (typeof it === "object") return JSON.stringify(it);
    return labels?.get(String(it)) ?? formatDays(String(it), language);
  };
  const values = Array.isArray(value) ? value.map(write) : [write(value)];
  const colon = language === "fr" ? "\u00a0: " : ": ";
  if (op === "is_null") {
    return `${label}${colon}${inLanguage(value ? say`empty` : say`not empty`)}`;
  }
  if (EQUAL.has(op)) return `${label}${colon}${values.join(op === "between" ? " – " : ", ")}`;
  const word = Object.hasOwn(OPERATORS, op) ? OPERATORS[op] ?? op : op;
  return `${label} ${typeof word === "string" ? word : inLanguage(word)} ${values.join(", ")}`;
}
