import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

const dialect = new PgDialect({ casing: "snake_case" });

/**
 * Renders a constant part of statements once, because rendering a list's columns at each call costs more than its query.
 * Throws if the part has a parameter.
 */
export function constantSql<T>(part: SQL<T>): SQL<T> {
  const { sql: text, params } = dialect.sqlToQuery(part);
  if (params.length) throw new Error(`A part written once holds a value: ${text}`);
  return sql.raw(text) as SQL<T>;
}
