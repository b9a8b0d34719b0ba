import { LRUCache } from "lru-cache";
import { readingCode } from "#src/definitions/codes.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import type { Reader } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { humanised, type Localiser, localiserOf } from "#src/definitions/localiser.ts";
import type { LocalText } from "#src/definitions/words.ts";
import { type Revised, revised } from "./revised.ts";

type Dictionary = Definitions["dictionary"];
type Lookup = NonNullable<Dictionary["lookups"]>[string];
type Column = NonNullable<Dictionary["columns"]>[string];

const NUMBERS = new Set(["integer", "number", "decimal"]);

/**
 * Columns, lookups and shared texts in one language. A lookup that reads a query the caller may not run is not there, and
 * no column names it.
 */
export function showDictionary(snapshot: Snapshot, { languages, may }: Reader): Revised {
  const localiser = localiserOf(snapshot, languages);
  const dictionary: Dictionary = snapshot.section("dictionary") ?? { version: 1 };
  const hidden = Object.entries(dictionary.lookups ?? {})
    .filter(([, it]) => it.type === "query" && !may(readingCode(it))).map(([name]) => name);
  const known = answersOf(snapshot);
  const key = [localiser.language, ...hidden].join("\n");
  const answer = known.get(key) ?? written(dictionary, { localiser, hidden });
  known.set(key, answer);
  return answer;
}

/** Of one snapshot: it never changes, so what was written for one reader serves the next of the same rights. */
const answers = new WeakMap<Snapshot, LRUCache<string, Revised>>();

function answersOf(snapshot: Snapshot): LRUCache<string, Revised> {
  const known = answers.get(snapshot) ?? new LRUCache<string, Revised>({ max: 50 });
  answers.set(snapshot, known);
  return known;
}

function written(
  { columns = {}, lookups = {}, labels = {} }: Dictionary,
  { localiser, hidden }: { localiser: Localiser; hidden: readonly string[] },
): Revised {
  const { language, text } = localiser;
  const isShown = (lookup: string) => Object.hasOwn(lookups, lookup) && !hidden.includes(lookup);
  return revised(language, {
    columns: mapped(columns, (column, key) => shownColumn(column, { key, text, isShown })),
    lookups: mapped(
      Object.fromEntries(Object.entries(lookups).filter(([name]) => isShown(name))),
      (lookup) => shownLookup(lookup, localiser),
    ),
    labels: mapped(labels, (label) => text(label)),
  });
}

/** How a column is named and written, in the language of its reader. */
export interface ShownColumn {
  readonly label: string;
  readonly short: string;
  readonly description?: string | undefined;
  readonly type?: string | undefined;
  /** Options of `Intl` in snake_case. */
  readonly format?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly align: "start" | "center" | "end";
  readonly width: number | "auto";
  readonly lookup?: string | undefined;
}

function shownColumn(
  { label, short, description, type, format, align, width, lookup }: Column,
  { key, text, isShown }: {
    key: string;
    text: Localiser["text"];
    isShown: (lookup: string) => boolean;
  },
): ShownColumn {
  const shown = text(label) ?? humanised(key);
  return {
    label: shown,
    short: text(short) ?? shown,
    description: text(description),
    type,
    format,
    align: align ?? (type !== undefined && NUMBERS.has(type) ? "end" : "start"),
    width: width ?? "auto",
    lookup: lookup !== undefined && isShown(lookup) ? lookup : undefined,
  };
}

/** A column of a query, as far as the query says it. */
export interface QueryColumn {
  readonly name: string;
  readonly type?: string | undefined;
  readonly own?: {
    readonly dictionary?: string | undefined;
    readonly label?: LocalText | undefined;
  } | undefined;
}

/** What a column of a query is called and how it looks: by the query, else by the dictionary's column of that name. */
export function describeColumn(
  snapshot: Snapshot,
  { name, type, own = {} }: QueryColumn,
  { localiser, may }: { localiser: Localiser; may: Reader["may"] },
): ShownColumn {
  const { columns = {} }: Partial<Dictionary> = snapshot.section("dictionary") ?? {};
  const key = own.dictionary ?? name;
  const known: Column = Object.hasOwn(columns, key) ? columns[key] ?? {} : {};
  const column = {
    ...known,
    ...own.label !== undefined && { label: own.label, short: undefined },
    ...type !== undefined && { type },
  } as Column;
  const isShown = (lookup: string) => readableLookup(snapshot, lookup, may) !== undefined;
  return shownColumn(column, { key, text: localiser.text, isShown });
}

/** A lookup there is and whose query, if it reads one, the caller may run. */
export function readableLookup(
  snapshot: Snapshot,
  name: string,
  may: Reader["may"],
): Lookup | undefined {
  const { lookups = {} }: Partial<Dictionary> = snapshot.section("dictionary") ?? {};
  const lookup = Object.hasOwn(lookups, name) ? lookups[name] : undefined;
  return lookup?.type === "query" && !may(readingCode(lookup)) ? undefined : lookup;
}

/** Every lookup that is named in a value as its `lookup`, as the dictionary tells it. */
export function lookupsIn(
  value: unknown,
  snapshot: Snapshot,
  { localiser, may }: { localiser: Localiser; may: Reader["may"] },
) {
  const names = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { lookup } = value as { lookup?: unknown };
    if (typeof lookup === "string") names.add(lookup);
    Object.values(value).forEach(look);
  };
  look(value);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const lookup = readableLookup(snapshot, name, may);
      return lookup ? [[name, shownLookup(lookup, localiser)]] : [];
    }),
  );
}

function shownLookup(lookup: Lookup, localiser: Localiser) {
  return lookup.type === "static" ? { type: lookup.type, values: valuesOf(lookup, localiser) } : {
    type: lookup.type,
    search: lookup.search,
    depends_on: lookup.depends_on,
    limit: lookup.limit,
  };
}

/** One value of a list of the dictionary, in the language of its reader. */
export interface LookupValue {
  readonly value: string | number | boolean;
  readonly label: string;
  readonly color?: string | undefined;
  readonly icon?: string | undefined;
  /** False: not offered any more, still shown where it is stored. */
  readonly active: boolean;
}

/** In their order: by `order` where it is given, else as they are written. */
export function valuesOf(
  { values }: Extract<Lookup, { type: "static" }>,
  { text }: Localiser,
): LookupValue[] {
  return [...values].sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .map(({ value, label, color, icon, active = true }) => ({
      value,
      label: text(label) ?? String(value),
      color,
      icon,
      active,
    }));
}

function mapped<V, T>(
  map: Readonly<Record<string, V>>,
  change: (value: V, key: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
}
