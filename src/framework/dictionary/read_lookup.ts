import { createLocaliser } from "#src/definitions/localiser.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { type QueryReader, readingCall, runRead } from "#src/framework/connectors/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { foldText } from "#src/kernel/text.ts";
import type { SettingsReader } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { type LookupValue, readableLookup, sortValues } from "./show_dictionary.ts";

type Lookup = NonNullable<Definitions["dictionary"]["lookups"]>[string];
type QueryLookup = Extract<Lookup, { type: "query" }>;

export interface LookupPage {
  readonly name: string;
  readonly items: readonly LookupValue[];
  readonly has_more: boolean;
}

interface Wanted {
  readonly name: string;
  /** A part of the label or the value, whatever its case and accents. */
  readonly term?: string | undefined;
  /** Restriction to these values. */
  readonly values?: readonly string[] | undefined;
  readonly limit: number;
  /** True to return as many values as the query allows, instead of the lookup's own limit. */
  readonly isWhole?: boolean;
  readonly offset: number;
  /** Values of other fields on which it depends, by parameter name. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** Reader of a lookup, and the runner of its query. */
export interface LookupReader {
  readonly reader: SettingsReader;
  readonly query: QueryReader;
}

/**
 * Returns values of a lookup, page by page. Throws AppError `not_found`, also for a lookup whose query the caller may
 * not run. Throws `invalid` for values the lookup does not depend on, and the errors of its query.
 */
export async function readLookup(
  snapshot: Snapshot,
  wanted: Wanted,
  { reader, query }: LookupReader,
): Promise<LookupPage> {
  const { name, given } = wanted;
  const lookup = readableLookup(snapshot, name, reader.may);
  if (!lookup) throw notFound("Lookup", name);
  const known = lookup.type === "query" ? Object.keys(lookup.depends_on ?? {}) : [];
  const stray = Object.keys(given).find((it) => !known.includes(it));
  if (stray !== undefined) {
    throw new AppError("invalid", say`The lookup ${name} does not depend on ${stray}`);
  }
  const found = lookup.type === "static"
    ? getPage(sortValues(lookup, createLocaliser(snapshot, reader.languages)), wanted)
    : await queryLookup(snapshot, { lookup, wanted, query });
  return { name, ...found };
}

type Found = Omit<LookupPage, "name">;

function getPage(all: readonly LookupValue[], { term, values, limit, offset }: Wanted): Found {
  const part = foldText(term ?? "").trim();
  const found = all.filter((it) =>
    (foldText(it.label).includes(part) || foldText(String(it.value)).includes(part)) &&
    values?.includes(String(it.value)) !== false
  );
  return { items: found.slice(offset, offset + limit), has_more: found.length > offset + limit };
}

/**
 * Returns rows of the lookup's query. The search text fills the parameter the lookup names, or must occur in the label
 * or code. Only these two columns are searched, whatever else the query allows to filter.
 */
async function queryLookup(
  snapshot: Snapshot,
  { lookup, wanted, query }: { lookup: QueryLookup; wanted: Wanted; query: QueryReader },
): Promise<Found> {
  const { connector, query: name, value, label, search } = lookup;
  const { term, values, given, offset, isWhole = false } = wanted;
  const limit = Math.min(wanted.limit, isWhole || values ? Infinity : lookup.limit ?? Infinity);
  const sought = term !== undefined && term.trim() !== "" ? term : undefined;
  const params = { ...given, ...sought !== undefined && search && { [search]: sought } };
  const contains = { contains: sought };
  const q = [
    ...values ? [{ [value]: { in: [...values] } }] : [],
    ...sought !== undefined && !search
      ? [{ or: [{ [label]: contains }, { [value]: contains }] }]
      : [],
  ];
  const { deps, shared, caller } = query;
  const call = readingCall({ ...caller, snapshot, connector, query: name, params });
  const definition = { ...call.found.definition, filter: [...new Set([value, label])] };
  const answer = await runRead(deps, shared, {
    ...call,
    found: { ...call.found, definition },
    asked: { limit, offset, ...q.length && { q } },
  });
  const { items, hasMore } = answer.value;
  return { items: items.map((row) => getValue(row, wanted.name, lookup)), has_more: hasMore };
}

function getValue(
  row: Readonly<Record<string, unknown>>,
  name: string,
  lookup: QueryLookup,
): LookupValue {
  for (const column of [lookup.value, lookup.label]) {
    if (!Object.hasOwn(row, column)) {
      const sentence = say`The query of the lookup ${name} answers no column ${column}`;
      throw new AppError("misconfigured", sentence);
    }
  }
  const value = row[lookup.value];
  const isScalar = ["string", "number", "boolean"].includes(typeof value);
  return {
    value: isScalar ? value as string : String(value),
    label: String(row[lookup.label] ?? value),
    active: true,
  };
}

const PAGE = 1_000;
const MAX = 10_000;
/** Limit of pages, because a query may return fewer rows than requested. */
const MAX_PAGES = 50;

/** Returns labels by value, at most 10,000. When a lookup is unavailable, its codes are shown instead. */
export async function lookupLabels(
  snapshot: Snapshot,
  name: string,
  reader: LookupReader,
): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  for (let [offset, at] = [0, 0]; offset < MAX && at < MAX_PAGES; at++) {
    const wanted = { name, limit: PAGE, isWhole: true, offset, given: {} };
    const page = await readLookup(snapshot, wanted, reader).catch((error) => {
      if (error instanceof AppError) return undefined;
      throw error;
    });
    for (const { value, label } of page?.items ?? []) labels.set(String(value), label);
    if (!page?.has_more) break;
    offset += page.items.length;
  }
  return labels;
}
