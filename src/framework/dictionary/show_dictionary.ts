import { LRUCache } from "lru-cache";
import { readingCode } from "#src/definitions/codes.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import type { SettingsReader } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { createLocaliser, humanize, type Localiser } from "#src/definitions/localiser.ts";
import type { LocalText } from "#src/definitions/words.ts";
import { addRevision, type Revised } from "./add_revision.ts";

type Dictionary = Definitions["dictionary"];
type Lookup = NonNullable<Dictionary["lookups"]>[string];
type Column = NonNullable<Dictionary["columns"]>[string];

const NUMBERS = new Set(["integer", "number", "decimal"]);

/**
 * Columns, lookups and shared texts in one language. A lookup that reads a query the caller may not run is not there, and
 * no column names it.
 */
export function showDictionary(snapshot: Snapshot, { languages, may }: SettingsReader): Revised {
  const localiser = createLocaliser(snapshot, languages);
  const dictionary: Dictionary = snapshot.section("dictionary") ?? { version: 1 };
  const hidden = Object.entries(dictionary.lookups ?? {})
    .filter(([, it]) => it.type === "query" && !may(readingCode(it))).map(([name]) => name);
  const known = getAnswers(snapshot);
  const key = [localiser.language, ...hidden].join("\n");
  const answer = known.get(key) ?? writeDictionary(dictionary, { localiser, hidden });
  known.set(key, answer);
  return answer;
}

/** Answers by snapshot. A snapshot never changes, so readers with equal rights share an answer. */
const answers = new WeakMap<Snapshot, LRUCache<string, Revised>>();

function getAnswers(snapshot: Snapshot): LRUCache<string, Revised> {
  const known = answers.get(snapshot) ?? new LRUCache<string, Revised>({ max: 50 });
  answers.set(snapshot, known);
  return known;
}

function writeDictionary(
  { columns = {}, lookups = {}, labels = {} }: Dictionary,
  { localiser, hidden }: { localiser: Localiser; hidden: readonly string[] },
): Revised {
  const { language, text } = localiser;
  const isShown = (lookup: string) => Object.hasOwn(lookups, lookup) && !hidden.includes(lookup);
  return addRevision(language, {
    columns: mapValues(columns, (column, key) => shownColumn(column, { key, text, isShown })),
    lookups: mapValues(
      Object.fromEntries(Object.entries(lookups).filter(([name]) => isShown(name))),
      (lookup) => shownLookup(lookup, localiser),
    ),
    labels: mapValues(labels, (label) => text(label)),
  });
}

/** Label and format of a column in the reader's language. */
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
  const shown = text(label) ?? humanize(key);
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

/** Column of a query, with its own display settings. */
export interface QueryColumn {
  readonly name: string;
  readonly type?: string | undefined;
  readonly own?: {
    readonly dictionary?: string | undefined;
    readonly label?: LocalText | undefined;
  } | undefined;
}

/** Describes a column of a query: by the query's own settings, else by the dictionary's column of that name. */
export function describeColumn(
  snapshot: Snapshot,
  { name, type, own = {} }: QueryColumn,
  { localiser, may }: { localiser: Localiser; may: SettingsReader["may"] },
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

/** Lookup that exists and whose query, if any, the caller may run. */
export function readableLookup(
  snapshot: Snapshot,
  name: string,
  may: SettingsReader["may"],
): Lookup | undefined {
  const { lookups = {} }: Partial<Dictionary> = snapshot.section("dictionary") ?? {};
  const lookup = Object.hasOwn(lookups, name) ? lookups[name] : undefined;
  return lookup?.type === "query" && !may(readingCode(lookup)) ? undefined : lookup;
}

/** Every lookup that is named in a value as its `lookup`, as the dictionary tells it. */
export function lookupsIn(
  value: unknown,
  snapshot: Snapshot,
  { localiser, may }: { localiser: Localiser; may: SettingsReader["may"] },
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
  return lookup.type === "static" ? { type: lookup.type, values: sortValues(lookup, localiser) } : {
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
  /** False for a value that is no longer offered but still shown where it is stored. */
  readonly active: boolean;
}

/** Returns the values sorted by `order` where given, else in the order they are written. */
export function sortValues(
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

function mapValues<V, T>(
  map: Readonly<Record<string, V>>,
  change: (value: V, key: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
}
