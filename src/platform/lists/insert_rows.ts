import { getTableColumns, getTableName, is, SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { AnyPgTable, PgColumn } from "drizzle-orm/pg-core";
import type { Db } from "#src/ports/db.ts";

type RowOf<Table extends AnyPgTable> = Table["$inferInsert"];

interface Further<Table extends AnyPgTable> {
  /** SQL expressions that replace the values of columns; `r` is the given row. */
  readonly computed?: { readonly [Key in keyof RowOf<Table>]?: string };
  /** End of the statement: `on conflict …`, `returning …`. */
  readonly tail?: string;
}

/**
 * Inserts rows in their order, passed as one JSON parameter. The statement does not depend on their number, so it is
 * rendered and planned once. A column that a row does not name takes its default. Bytes and long texts cost more this way
 * than as parameters.
 */
export async function insertRows<Table extends AnyPgTable>(
  tx: Db,
  table: Table,
  rows: readonly RowOf<Table>[],
  { computed = {}, tail = "" }: Further<Table> = {},
): Promise<unknown> {
  const columns = getColumns(table).filter(({ key }) =>
    rows.some((row) => at(row, key) !== undefined)
  );
  const given = rows.map((row) =>
    Object.fromEntries(columns.map((it) => [it.name, plain(it.column, at(row, it.key))]))
  );
  const names = columns.map((it) => `"${it.name}"`).join();
  const [before, after] = once(table, JSON.stringify([names, computed, tail]), () => {
    const selected = columns.map(({ key, name }) =>
      (computed as Record<string, string | undefined>)[key] ?? `r."${name}"`
    );
    const types = columns.map(({ name, column }) => `"${name}" ${column.getSQLType()}`);
    return [
      `insert into ${getTableName(table)} (${names}) select ${selected} from json_to_recordset(`,
      `::json) as r(${types}) ${tail}`,
    ];
  });
  return await tx.execute(sql`${before}${JSON.stringify(given)}${after}`);
}

interface NamedColumn {
  readonly key: string;
  readonly name: string;
  readonly column: PgColumn;
}

const named = new WeakMap<AnyPgTable, readonly NamedColumn[]>();

function getColumns(table: AnyPgTable): readonly NamedColumn[] {
  const known = named.get(table);
  if (known) return known;
  const columns = Object.entries(getTableColumns(table)).map(([key, column]) => ({
    key,
    name: column.keyAsName ? toSnakeCase(column.name) : column.name,
    column: column as PgColumn,
  }));
  named.set(table, columns);
  return columns;
}

function at(row: object, key: string): unknown {
  return (row as Record<string, unknown>)[key];
}

/** Returns a value as the JSON parameter holds it. */
function plain(column: PgColumn, value: unknown): unknown {
  if (value === undefined) return column.hasDefault ? plain(column, getDefault(column)) : null;
  if (value === null) return null;
  if (column.columnType === "PgJsonb" || column.columnType === "PgJson") return value;
  const sent = column.mapToDriverValue(value);
  return typeof sent === "string" ? sent.toWellFormed() : sent; // PostgreSQL rejects JSON with a lone surrogate
}

function getDefault(column: PgColumn): unknown {
  if (column.default === undefined || is(column.default, SQL)) {
    throw new Error(`Only some rows name ${column.name}, whose default the database works out`);
  }
  return column.default;
}

const written = new WeakMap<AnyPgTable, Map<string, readonly [SQL, SQL]>>();

/** Returns the cached parts of the statement before and after the rows; renders them at the first call. */
function once(
  table: AnyPgTable,
  key: string,
  write: () => readonly [string, string],
): readonly [SQL, SQL] {
  const ofTable = written.get(table) ?? new Map<string, readonly [SQL, SQL]>();
  written.set(table, ofTable);
  let parts = ofTable.get(key);
  if (!parts) {
    const [before, after] = write();
    ofTable.set(key, parts = [sql.raw(before), sql.raw(after)]);
  }
  return parts;
}
