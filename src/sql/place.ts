import { type SQL, sql } from "drizzle-orm";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { List } from "./hits.ts";
import { isNullable, sqlOf, typeOf } from "./sort_key.ts";

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
  if (place.some((it, i) => it === null && (i > 0 || !isNullable(keys[i])))) throw noPlace();
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

/** Of the rows of one part, with or without a value of the first key, those that follow the place. */
export function isBehind({ keys, sortDir }: List, place: Place): SQL {
  const from = place[0] === null ? 1 : 0;
  const left = keys.slice(from).map((key) => sql`${sqlOf(key)}`);
  const right = keys.slice(from).map((key, i) => sql`${place[from + i]}::${sql.raw(typeOf(key))}`);
  const sign = sql.raw(sortDir === "asc" ? ">" : "<");
  return sql`(${sql.join(left, sql`, `)}) ${sign} (${sql.join(right, sql`, `)})`;
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
