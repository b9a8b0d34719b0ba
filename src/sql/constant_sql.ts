import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

const dialect = new PgDialect({ casing: "snake_case" });

/**
 * A part of statements that never changes, written once: writing the columns of a list anew for each call costs more than
 * asking for them. Throws where the part holds a value.
 */
export function constantSql<T>(part: SQL<T>): SQL<T> {
  const { sql: text, params } = dialect.sqlToQuery(part);
  if (params.length) throw new Error(`A part written once holds a value: ${text}`);
  return sql.raw(text) as SQL<T>;
}
