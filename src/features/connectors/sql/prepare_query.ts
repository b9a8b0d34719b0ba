import type { QueryDefinition, SqlConnectorDefinition } from "#src/definitions/connectors.ts";
import { partsOf, type QueryPart } from "#src/domain/connector/mod.ts";
import { milliseconds } from "#src/kernel/units.ts";
import type { NamedPool } from "#src/ports/databases.ts";
import type { Column, Dialect } from "#src/ports/pool.ts";
import type { StatementWriter } from "./statement.ts";

/** A named query, read once. */
export interface PreparedQuery {
  readonly parts: readonly QueryPart[];
  /** Types of columns by name: those the definition says, and those the database told last. */
  readonly types: Map<string, string>;
}

const prepared = new WeakMap<QueryDefinition, Map<Dialect, PreparedQuery>>();

export function prepareQuery(definition: QueryDefinition, dialect: Dialect): PreparedQuery {
  const known = prepared.get(definition) ?? new Map<Dialect, PreparedQuery>();
  prepared.set(definition, known);
  const found = known.get(dialect) ?? {
    parts: partsOf(definition.sql, dialect),
    types: new Map(
      Object.entries(definition.columns ?? {}).flatMap(([name, { type }]) =>
        type ? [[name, type]] : []
      ),
    ),
  };
  known.set(dialect, found);
  return found;
}

/** What the database says of its columns is what later filters are held to. */
export function learn({ types }: PreparedQuery, columns: readonly Column[]): void {
  for (const { name, type } of columns) if (!types.has(name)) types.set(name, type);
}

export type Values = ReadonlyMap<string, { readonly type: string; readonly value: unknown }>;

/** The query's own text with the values of a call in their places; a clause stands only where all its values are given. */
export function textOf(
  parts: readonly QueryPart[],
  { values, writer }: { values: Values; writer: StatementWriter },
): string {
  const isGiven = (part: QueryPart) =>
    !("param" in part) || (values.get(part.param)?.value ?? null) !== null;
  return parts.map((part) => {
    if ("text" in part) return part.text;
    if ("clause" in part) {
      return part.clause.every(isGiven) ? textOf(part.clause, { values, writer }) : "";
    }
    return placeOf(part.param, { values, writer });
  }).join("");
}

/** A list is one value where the database knows lists, else as many as it holds: `in (:ids)`. */
function placeOf(
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

/** A query may lower what its connector and its pool allow, and never raise it; `most` takes the place of a page's rows. */
export function limitsOf(
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
