import { Buffer } from "node:buffer";
import type { Deps } from "#src/deps.ts";
import type { QueryDefinition } from "#src/definitions/connectors.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import type { Column, Dialect, PoolRow } from "#src/ports/pool.ts";
import type { StatementWriter } from "./statement.ts";
import { formatShort } from "./filter.ts";

const COUNTS = ["none", "estimated", "exact"] as const;
export type Count = (typeof COUNTS)[number];

/** Paging options of a call, unparsed. */
export interface PagingOptions {
  readonly limit?: unknown;
  readonly offset?: unknown;
  readonly after?: unknown;
  readonly sort?: unknown;
  readonly q?: unknown;
  readonly count?: unknown;
}

export interface QuerySortKey {
  readonly column: string;
  readonly descending: boolean;
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly sort: readonly QuerySortKey[];
  /** Pages follow each other by the values of `sort`, which are unique together. */
  readonly byKey: boolean;
  /** The values of the row the page begins after. */
  readonly after: readonly unknown[] | undefined;
  readonly filter: unknown;
  readonly count: Count;
}

interface Context {
  readonly definition: QueryDefinition;
  /** `erp:orders` */
  readonly name: string;
  readonly pageRows: number;
  readonly maxRows: number;
  readonly vault: Deps["vault"];
}

/** Parses the paging options. Throws AppError `invalid` naming the wrong one. Lowers a limit above the query's own. */
export function parsePaging(asked: PagingOptions, context: Context): Page {
  const { definition, pageRows, maxRows } = context;
  const byKey = definition.page?.mode === "keyset" && definition.page.key !== undefined;
  const sort = getSort(asked.sort, definition, byKey);
  const after = asked.after === undefined
    ? undefined
    : parseCursor(asked.after, { ...context, sort });
  if (after && asked.offset !== undefined) throw wrong(say`after: cannot be combined with offset`);
  if (after && !byKey) throw wrong(say`after: not supported by the query; use offset`);
  return {
    limit: Math.min(wholeNumber("limit", asked.limit, pageRows), maxRows),
    offset: wholeNumber("offset", asked.offset, 0),
    sort,
    byKey,
    after,
    filter: getFilter(asked.q),
    count: chooseCount(asked.count, definition),
  };
}

function wholeNumber(name: string, given: unknown, fallback: number): number {
  if (given === undefined) return fallback;
  const isWhole = typeof given === "number" || typeof given === "string" && /^\d{1,9}$/.test(given);
  const number = Number(given);
  if (isWhole && Number.isInteger(number) && number >= 0 && number <= 1e9) return number;
  throw wrong(say`${name}: a whole number from 0 on is expected, not ${formatShort(given)}`);
}

/**
 * Returns the caller's sort order, else the query's own. Paging by key appends the key, so that each row has a unique
 * cursor.
 */
function getSort(
  given: unknown,
  definition: QueryDefinition,
  byKey: boolean,
): readonly QuerySortKey[] {
  const { allow = [], default: own = [] } = definition.sort ?? {};
  const asked = given === undefined ? undefined : getNames(given).map(getKey);
  for (const { column } of asked ?? []) {
    if (allow.includes(column)) continue;
    const meant = nearest(column, allow);
    throw wrong(
      !allow.length
        ? say`sort: the query lists no column to sort by`
        : meant === undefined
        ? say`sort: there is no column ${formatShort(column)} to sort by; there are ${
          allow.join(", ")
        }`
        : say`sort: there is no column ${formatShort(column)} to sort by; did you mean ${meant}?`,
    );
  }
  const keys = asked ?? own.map(getKey);
  if (!byKey) return keys;
  const direction = new Map(own.map(getKey).map((it) => [it.column, it.descending]));
  const rest = (definition.page?.key ?? []).filter((it) =>
    !keys.some(({ column }) => column === it)
  )
    .map((column) => ({ column, descending: direction.get(column) ?? false }));
  return [...keys, ...rest];
}

function getNames(given: unknown): string[] {
  const list = Array.isArray(given) ? given : [given];
  if (list.some((it) => typeof it !== "string")) {
    throw wrong(say`sort: names of columns are expected, not ${formatShort(given)}`);
  }
  return (list as string[]).flatMap((it) => it.split(",")).map((it) => it.trim()).filter(Boolean);
}

function getKey(name: string): QuerySortKey {
  return name.startsWith("-")
    ? { column: name.slice(1), descending: true }
    : { column: name, descending: false };
}

function getFilter(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given);
  } catch {
    throw wrong(say`q: is no JSON: ${formatShort(given)}`);
  }
}

function chooseCount(given: unknown, definition: QueryDefinition): Count {
  if (given === undefined) return definition.page?.count ?? "none";
  const found = COUNTS.find((it) => it === given);
  if (!found) throw wrong(say`count: one of ${COUNTS} is expected, not ${formatShort(given)}`);
  return found;
}

type Order = Pick<Context, "name" | "vault"> & { readonly sort: readonly QuerySortKey[] };

/** Returns the context that seals a cursor; a cursor of another query or order does not open. */
function getBinding({ name, sort }: Order): string {
  return `place in ${name} ${JSON.stringify(sort)}`;
}

/**
 * Returns the cursor after a row, for `after` of the next call. It is encrypted, because it contains values of the row.
 */
export function createCursor(
  row: PoolRow,
  columns: readonly Column[],
  order: Order,
): string | undefined {
  const places = order.sort.map(({ column }) => columns.findIndex((it) => it.name === column));
  const values = places.map((at) => row[at]);
  if (places.includes(-1) || values.includes(null)) return undefined;
  const text = JSON.stringify(values.map((it) => it instanceof Uint8Array ? null : it));
  return Buffer.from(order.vault.seal(text, getBinding(order))).toString("base64url");
}

function parseCursor(given: unknown, order: Order): readonly unknown[] {
  try {
    const sealed = Buffer.from(String(given), "base64url").toString();
    return JSON.parse(order.vault.open(sealed, getBinding(order)));
  } catch {
    throw wrong(say`after: is no place of this query in this order; take it from next`);
  }
}

/** Returns the condition for rows after a cursor; `types` contains the known column types. */
export function behind(
  { sort, after }: Pick<Page, "sort" | "after">,
  { writer, types }: { writer: StatementWriter; types: ReadonlyMap<string, string> },
): string | undefined {
  if (!after) return undefined;
  const columns = sort.map(({ column }) => `q.${writer.column(column)}`);
  const place = (at: number) => {
    const type = types.get(sort[at]?.column ?? "");
    return writer.place(after[at], { name: `after[${at}]`, ...type !== undefined && { type } });
  };
  const isOneWay = sort.every((it) => it.descending === sort[0]?.descending);
  if (isOneWay && ["postgres", "sqlite"].includes(writer.dialect)) { // an index is read from there on
    const sign = sort[0]?.descending ? "<" : ">";
    return `(${columns.join(", ")}) ${sign} (${sort.map((_, at) => place(at)).join(", ")})`;
  }
  const steps = sort.map(({ descending }, at) => {
    const same = columns.slice(0, at).map((column, before) => `${column} = ${place(before)}`);
    return `(${[...same, `${columns[at]} ${descending ? "<" : ">"} ${place(at)}`].join(" and ")})`;
  });
  return `(${steps.join(" or ")})`;
}

/** Reads one row more than the page, to detect further pages. */
export function writePaging({ sort, limit, offset }: Page, writer: StatementWriter): string {
  const keys = sort.map(({ column, descending }) =>
    `q.${writer.column(column)}${descending ? " desc" : ""}`
  );
  const order = keys.length ? ` order by ${keys.join(", ")}` : "";
  return `${order}${LIMITED[writer.dialect]({ order, limit: limit + 1, offset, writer })}`;
}

interface Limited {
  readonly order: string;
  readonly limit: number;
  readonly offset: number;
  readonly writer: StatementWriter;
}

/** MySQL rejects bound doubles here, and SQL Server needs an order. */
const LIMITED: Readonly<Record<Dialect, (it: Limited) => string>> = {
  postgres: writeLimit,
  sqlite: writeLimit,
  mysql: ({ limit, offset }) => ` limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`,
  mssql: ({ order, limit, offset }) =>
    `${order ? "" : " order by (select null)"} offset ${Math.trunc(offset)} rows fetch next ${
      Math.trunc(limit)
    } rows only`,
  oracle: ({ limit, offset }) =>
    ` offset ${Math.trunc(offset)} rows fetch next ${Math.trunc(limit)} rows only`,
};

function writeLimit({ limit, offset, writer }: Limited): string {
  return ` limit ${writer.place(limit)}${offset ? ` offset ${writer.place(offset)}` : ""}`;
}

function wrong(sentence: ReturnType<typeof say>): AppError {
  return new AppError("invalid", sentence);
}
