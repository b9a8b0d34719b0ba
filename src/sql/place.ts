import { type SQL, sql } from "drizzle-orm";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { List } from "./hits.ts";
import { isNullable, type SortKey, sqlOf, typeOf } from "./sort_key.ts";

/** The keys of a row as text, which a list goes on after; null where the row has no value. */
export type Place = readonly (string | null)[];

/** A place as it goes over the wire; `position` is a JSON array of the row's keys as text. */
export function tokenOf({ sortBy, sortDir }: List, position: string): string {
  const text = JSON.stringify([sortBy, sortDir, ...JSON.parse(position)]);
  return Buffer.from(text).toString("base64url");
}

export function placeOf({ sortBy, sortDir, keys, page }: List, after: string): Place {
  if (page.page !== 1) throw new AppError("invalid", say`after: goes without page`);
  const given = parsed(after);
  if (given?.length !== keys.length + 2) throw noPlace();
  const [by, dir, ...place] = given;
  if (place.some((it, i) => it === null && !isNullable(keys[i]))) throw noPlace();
  if (by === sortBy && dir === sortDir) return place;
  throw new AppError(
    "invalid",
    say`after: belongs to the order ${by} ${dir}, not ${sortBy} ${sortDir}`,
  );
}

function parsed(after: string): (string | null)[] | undefined {
  try {
    const given: unknown = JSON.parse(Buffer.from(after, "base64url").toString());
    const isText = (it: unknown) => it === null || typeof it === "string";
    return Array.isArray(given) && given.every(isText) ? given : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Of the rows of one part, with or without a value of the first key, those that follow the place: as ranges of an index, one after
 * the other. A comparison of rows alone would leave out those that lack a value of another key.
 */
export function rangesBehind({ keys, sortDir }: List, place: Place): SQL[] {
  return rangesFrom(place[0] === null ? 1 : 0, { keys, place, isAscending: sortDir === "asc" });
}

interface Behind {
  readonly keys: readonly SortKey[];
  readonly place: Place;
  readonly isAscending: boolean;
}

function rangesFrom(first: number, behind: Behind): SQL[] {
  const { keys, place, isAscending } = behind;
  const mayLack = (i: number) => i > 0 && isNullable(keys[i]);
  const key = keys[first];
  if (!key || !keys.some((_, i) => i >= first && mayLack(i))) return [comparison(first, behind)];
  const value = place[first];
  const is = value === null ? sql`${sqlOf(key)} is null` : sql`${sqlOf(key)} = ${cast(value, key)}`;
  const same = rangesFrom(first + 1, behind).map((range) => sql`${is} and ${range}`);
  // An index has rows that lack a value at its end: before all others where it is read from there.
  if (value === null) return isAscending ? same : [...same, sql`${sqlOf(key)} is not null`];
  const further = sql`${sqlOf(key)} ${sql.raw(isAscending ? ">" : "<")} ${cast(value, key)}`;
  const without = mayLack(first) && isAscending ? [sql`${sqlOf(key)} is null`] : [];
  return [...same, further, ...without];
}

function comparison(first: number, { keys, place, isAscending }: Behind): SQL {
  const left = keys.slice(first).map((key) => sql`${sqlOf(key)}`);
  const right = keys.slice(first).map((key, i) => cast(place[first + i], key));
  const sign = sql.raw(isAscending ? ">" : "<");
  return sql`(${sql.join(left, sql`, `)}) ${sign} (${sql.join(right, sql`, `)})`;
}

function cast(value: string | null | undefined, key: SortKey): SQL {
  return sql`${value}::${sql.raw(typeOf(key))}`;
}

/** A place that somebody wrote himself may hold what no column of that type does. */
export function refusedAs(error: unknown): unknown {
  for (let it: unknown = error; it instanceof Error; it = it.cause) {
    if ("code" in it && /^22/.test(String(it.code))) return noPlace();
  }
  return error;
}

function noPlace(): AppError {
  return new AppError("invalid", say`after: is no place of this list; take it from next`);
}
