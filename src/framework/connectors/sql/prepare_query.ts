import type { QueryDefinition, SqlConnectorDefinition } from "#src/definitions/connectors.ts";
import { getParts, type QueryPart } from "#src/domain/connector/mod.ts";
import { milliseconds } from "#src/kernel/units.ts";
import type { NamedPool } from "#src/ports/databases.ts";
import type { Column, Dialect } from "#src/ports/pool.ts";
import type { StatementWriter } from "./statement.ts";

/** A named query, read once. */
export interface PreparedQuery {
  readonly parts: readonly QueryPart[];
  /** Column types by name: from the definition, and as the database last reported them. */
  readonly types: Map<string, string>;
}

const prepared = new WeakMap<QueryDefinition, Map<Dialect, PreparedQuery>>();

export function prepareQuery(definition: QueryDefinition, dialect: Dialect): PreparedQuery {
  const known = prepared.get(definition) ?? new Map<Dialect, PreparedQuery>();
  prepared.set(definition, known);
  const found = known.get(dialect) ?? {
    parts: getParts(definition.sql, dialect),
    types: new Map(
      Object.entries(definition.columns ?? {}).flatMap(([name, { type }]) =>
        type ? [[name, type]] : []
      ),
    ),
  };
  known.set(dialect, found);
  return found;
}

/** Stores the column types that the database reported; later filters are checked against them. */
export function learn({ types }: PreparedQuery, columns: readonly Column[]): void {
  for (const { name, type } of columns) if (!types.has(name)) types.set(name, type);
}

export type Values = ReadonlyMap<string, { readonly type: string; readonly value: unknown }>;

/**
 * Returns the query's statement with the values of a call; an optional clause is included only if all its values are
 * given.
 */
export function writeQuery(
  parts: readonly QueryPart[],
  { values, writer }: { values: Values; writer: StatementWriter },
): string {
  const isGiven = (part: QueryPart) =>
    !("param" in part) || (values.get(part.param)?.value ?? null) !== null;
  return parts.map((part) => {
    if ("text" in part) return part.text;
    if ("clause" in part) {
      return part.clause.every(isGiven) ? writeQuery(part.clause, { values, writer }) : "";
    }
    return bindPlaceholder(part.param, { values, writer });
  }).join("");
}

/** Binds a list as one value if the database supports arrays, else as one value per item: `in (:ids)`. */
function bindPlaceholder(
  name: string,
  { values, writer }: { values: Values; writer: StatementWriter },
): string {
  const { type, value = null } = values.get(name) ?? { type: "string", value: null };
  if (!Array.isArray(value) || writer.dialect === "postgres") {
    return writer.place(value, { type, name });
  }
  const element = type.replace(/^array<(.+)>$/, "$1");
  return value.length
    ? value.map((it, at) => writer.place(it, { type: element, name: `${name}[${at}]` })).join(", ")
    : "null";
}

export interface QueryLimits {
  readonly timeoutMs: number;
  readonly acquireMs: number;
  readonly pageRows: number;
  readonly maxRows: number;
  readonly maxBytes: number;
}

const PAGE = 50;
const PAGE_MAX = 1_000;

/**
 * Returns the limits of a query, which may be lower than those of its connector and pool but never higher. `most`
 * replaces the row limit of a page.
 */
export function getLimits(
  query: QueryDefinition,
  { defaults = {} }: Pick<SqlConnectorDefinition, "defaults">,
  { limits }: Pick<NamedPool, "limits">,
  most = query.page?.max ?? PAGE_MAX,
): QueryLimits {
  const timeout = query.timeout ?? defaults.timeout;
  const rows = query.max_rows ?? defaults.max_rows ?? limits.maxRows;
  const maxRows = Math.min(most, rows, limits.maxRows);
  return {
    timeoutMs: Math.min(timeout ? milliseconds(timeout) : limits.timeoutMs, limits.timeoutMs),
    acquireMs: limits.acquireMs,
    maxRows,
    pageRows: Math.min(query.page?.default ?? Math.min(PAGE, limits.defaultRows), maxRows),
    maxBytes: limits.maxBytes,
  };
}
