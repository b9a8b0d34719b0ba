import type { Dialect, Statement } from "#src/ports/pool.ts";

/** Statement under construction: every value is bound and never becomes part of the text. */
export interface StatementWriter {
  readonly dialect: Dialect;
  /** Returns the placeholder of a value. The same name has the same placeholder if the database numbers them. */
  place(value: unknown, options?: { readonly type?: string; readonly name?: string }): string;
  /** The name of a column, quoted. */
  column(name: string): string;
  statement(text: string): Statement;
}

export function writeStatement(dialect: Dialect): StatementWriter {
  const values: unknown[] = [];
  const named = new Map<string, string>();
  const newPlace = (value: unknown, type: string | undefined) => {
    values.push(type === "datetime" ? momentFor(dialect, value) : value);
    return PLACE[dialect](values.length, type);
  };
  return {
    dialect,
    place(value, { type, name } = {}) {
      if (name === undefined || dialect === "mysql") return newPlace(value, type);
      const known = named.get(name) ?? newPlace(value, type);
      named.set(name, known);
      return known;
    },
    column: (name) => quotedName(dialect, name),
    statement: (text) => ({ text, values: [...values] }),
  };
}

const PLACE: Readonly<Record<Dialect, (at: number, type: string | undefined) => string>> = {
  postgres: (at) => `$${at}`,
  sqlite: (at) => `?${at}`,
  mssql: (at) => `@p${at}`,
  // Oracle reads a text as a day or a moment by the session's own format.
  oracle: (at, type) =>
    type === "date"
      ? `to_date(:p${at}, 'YYYY-MM-DD')`
      : type === "datetime"
      ? `to_timestamp_tz(:p${at}, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')`
      : `:p${at}`,
  // Compared with a column of whole numbers, a text becomes a double, which holds no 64 bits.
  mysql: (_, type) =>
    type === "integer"
      ? "cast(? as signed)"
      : type === "decimal"
      ? "cast(? as decimal(65, 30))"
      : "?",
};

/** Formats a time for MySQL and Oracle, which accept only one format: in UTC. */
function momentFor(dialect: Dialect, value: unknown): unknown {
  if (typeof value !== "string" || dialect !== "mysql" && dialect !== "oracle") return value;
  const text = new Date(value).toISOString();
  return dialect === "mysql"
    ? text.replace("T", " ").replace("Z", "")
    : text.replace("Z", "+00:00");
}

function quotedName(dialect: Dialect, name: string): string {
  if (dialect === "mysql") return `\`${name.replaceAll("`", "``")}\``;
  if (dialect === "mssql") return `[${name.replaceAll("]", "]]")}]`;
  return `"${name.replaceAll('"', '""')}"`;
}
