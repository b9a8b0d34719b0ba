import { type SQL, sql } from "drizzle-orm";
import { AppError } from "#src/kernel/errors.ts";
import type { SortDirection } from "#src/kernel/page.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { findSqlState } from "./error_code.ts";
import { getType, isNullable, type SortKey, toSql } from "./sort_key.ts";

/** The keys of the last row of a page, as text; null where the row has no value. */
export type Cursor = readonly (string | null)[];

interface Ordered {
  readonly keys: readonly SortKey[];
  readonly sortBy: string;
  readonly sortDir: SortDirection;
}

/** Encodes a cursor for the wire; `position` is a JSON array of the row's keys as text. */
export function encodeCursor({ sortBy, sortDir }: Ordered, position: string): string {
  const text = JSON.stringify([sortBy, sortDir, ...JSON.parse(position)]);
  return Buffer.from(text).toString("base64url");
}

export function decodeCursor(
  { sortBy, sortDir, keys, page }: Ordered & { readonly page: { readonly page: number } },
  after: string,
): Cursor {
  if (page.page !== 1) throw new AppError("invalid", say`after: cannot be combined with page`);
  const given = parseCursor(after);
  if (given?.length !== keys.length + 2) throw badCursor();
  const [by, dir, ...cursor] = given;
  if (cursor.some((it, i) => it === null && !isNullable(keys[i]))) throw badCursor();
  if (by === sortBy && dir === sortDir) return cursor;
  throw new AppError(
    "invalid",
    say`after: belongs to the order ${by} ${dir}, not ${sortBy} ${sortDir}`,
  );
}

function parseCursor(after: string): (string | null)[] | undefined {
  try {
    const given: unknown = JSON.parse(Buffer.from(after, "base64url").toString());
    const isText = (it: unknown) => it === null || typeof it === "string";
    return Array.isArray(given) && given.every(isText) ? given : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the conditions of the rows after the cursor, each a range of the index, in order. They cover only the cursor's
 * part: rows with, or rows without, a value of the first key. A single row comparison would omit rows without a value of
 * another key.
 */
export function rangesAfter({ keys, sortDir }: Ordered, cursor: Cursor): SQL[] {
  return rangesFrom(cursor[0] === null ? 1 : 0, { keys, cursor, isAscending: sortDir === "asc" });
}

interface After {
  readonly keys: readonly SortKey[];
  readonly cursor: Cursor;
  readonly isAscending: boolean;
}

function rangesFrom(first: number, after: After): SQL[] {
  const { keys, cursor, isAscending } = after;
  const mayLack = (i: number) => i > 0 && isNullable(keys[i]);
  const key = keys[first];
  if (!key || !keys.some((_, i) => i >= first && mayLack(i))) return [comparison(first, after)];
  const value = cursor[first];
  const is = value === null ? sql`${toSql(key)} is null` : sql`${toSql(key)} = ${cast(value, key)}`;
  const same = rangesFrom(first + 1, after).map((range) => sql`${is} and ${range}`);
  // An index has rows without a value at its end, so a descending read returns them first.
  if (value === null) return isAscending ? same : [...same, sql`${toSql(key)} is not null`];
  const further = sql`${toSql(key)} ${sql.raw(isAscending ? ">" : "<")} ${cast(value, key)}`;
  const without = mayLack(first) && isAscending ? [sql`${toSql(key)} is null`] : [];
  return [...same, further, ...without];
}

function comparison(first: number, { keys, cursor, isAscending }: After): SQL {
  const left = keys.slice(first).map((key) => sql`${toSql(key)}`);
  const right = keys.slice(first).map((key, i) => cast(cursor[first + i], key));
  const sign = sql.raw(isAscending ? ">" : "<");
  return sql`(${sql.join(left, sql`, `)}) ${sign} (${sql.join(right, sql`, `)})`;
}

function cast(value: string | null | undefined, key: SortKey): SQL {
  return sql`${value}::${sql.raw(getType(key))}`;
}

/** Converts a data exception (SQLSTATE 22), which a forged cursor may cause, into an AppError. */
export function refuseBadCursor(error: unknown): unknown {
  return findSqlState(error)?.startsWith("22") ? badCursor() : error;
}

function badCursor(): AppError {
  return new AppError("invalid", say`after: is not a cursor of this list; use the value of next`);
}
