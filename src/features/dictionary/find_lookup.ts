import { localiserOf } from "#src/definitions/localiser.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { type QueryReader, readingCall, runRead } from "#src/features/connectors/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { folded } from "#src/kernel/text.ts";
import type { Reader } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import { type LookupValue, readableLookup, valuesOf } from "./show_dictionary.ts";

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
  /** These and no others. */
  readonly values?: readonly string[] | undefined;
  readonly limit: number;
  /** As many as the query gives at once, and not as many as the lookup offers. */
  readonly isWhole?: boolean;
  readonly offset: number;
  /** What it depends on: values of other fields, by the name of the parameter. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** Who asks for a lookup, and how its query is run. */
export interface LookupReader {
  readonly reader: Reader;
  readonly query: QueryReader;
}

/**
 * Values of a lookup, page by page. Throws AppError `not_found`, also for a lookup whose query the caller may not run, `invalid`
 * for what it does not depend on, and what running its query throws.
 */
export async function findLookup(
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
    ? pageOf(valuesOf(lookup, localiserOf(snapshot, reader.languages)), wanted)
    : await asked(snapshot, { lookup, wanted, query });
  return { name, ...found };
}

type Found = Omit<LookupPage, "name">;

function pageOf(all: readonly LookupValue[], { term, values, limit, offset }: Wanted): Found {
  const part = folded(term ?? "").trim();
  const found = all.filter((it) =>
    (folded(it.label).includes(part) || folded(String(it.value)).includes(part)) &&
    values?.includes(String(it.value)) !== false
  );
  return { items: found.slice(offset, offset + limit), has_more: found.length > offset + limit };
}

/**
 * The rows of its query: what people typed goes into the parameter it names, or stands in what they read or in its code. By these two
 * columns a lookup finds, whatever else the query lets be filtered.
 */
async function asked(
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
  const { needs, shared, caller } = query;
  const call = readingCall({ ...caller, snapshot, connector, query: name, params });
  const definition = { ...call.found.definition, filter: [...new Set([value, label])] };
  const answer = await runRead(needs, shared, {
    ...call,
    found: { ...call.found, definition },
    asked: { limit, offset, ...q.length && { q } },
  });
  const { items, hasMore } = answer.value;
  return { items: items.map((row) => valueOf(row, wanted.name, lookup)), has_more: hasMore };
}

function valueOf(
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
const MOST = 10_000;
/** A query may give fewer rows at once than it is asked for. */
const MOST_PAGES = 50;

/** Labels by value, 10,000 at most; of a lookup that cannot be asked now the codes stand for themselves. */
export async function lookupLabels(
  snapshot: Snapshot,
  name: string,
  reader: LookupReader,
): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  for (let [offset, at] = [0, 0]; offset < MOST && at < MOST_PAGES; at++) {
    const wanted = { name, limit: PAGE, isWhole: true, offset, given: {} };
    const page = await findLookup(snapshot, wanted, reader).catch((error) => {
      if (error instanceof AppError) return undefined;
      throw error;
    });
    for (const { value, label } of page?.items ?? []) labels.set(String(value), label);
    if (!page?.has_more) break;
    offset += page.items.length;
  }
  return labels;
}
