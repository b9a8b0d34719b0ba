import type { QueryDefinition } from "#src/definitions/connectors.ts";
import { readTyped } from "#src/definitions/typed.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import type { NamedPool } from "#src/ports/databases.ts";
import type { Statement } from "#src/ports/pool.ts";
import { boundValue } from "./caller_values.ts";
import { columnTypes } from "./column_types.ts";
import { nameOfColumn } from "./column_names.ts";
import { formatShort } from "./filter.ts";
import { usePool } from "./find_query.ts";
import { keyCondition, type QualifiedTable, tableName } from "./rows_by_key.ts";
import {
  type PreparedWrite,
  type WriteAnswer,
  type WriteCall,
  type WriteDeps,
  writeWithSlot,
} from "./run_write.ts";
import type { QueryState } from "./run_read.ts";
import { writeStatement } from "./statement.ts";

const TABLE_VERBS = ["insert", "update", "delete"] as const;
export type TableVerb = (typeof TABLE_VERBS)[number];

type Table = NonNullable<QueryDefinition["table"]>;

export interface RowsCall extends WriteCall {
  readonly verb: TableVerb;
}

/**
 * Inserts, updates or deletes one row in the table of a query, identified by its whole key. `params` are its values by
 * column, all bound; a change of more than one row rolls back. Throws AppError `invalid` naming the unknown or missing
 * column.
 */
export async function writeRows(
  deps: WriteDeps,
  shared: QueryState,
  { verb, ...call }: RowsCall,
): Promise<WriteAnswer> {
  const { table } = call.found.definition;
  if (!table?.[verb]) {
    throw new AppError("wrong_method", say`The table of ${call.found.name} takes no ${verb}`);
  }
  const named = await usePool(deps, call.found);
  const values = await typedValues(call, { verb, table, named });
  const { dialect } = named.pool;
  return await writeWithSlot(deps, shared, call, {
    named,
    prepared: {
      statement: STATEMENTS[verb]({ name: table.name, key: table.key, dialect, values }),
      concerned: buildReadBack({ name: table.name, key: table.key, dialect, values }),
      affects: { max: 1 },
      values: Object.fromEntries([...values].map(([column, { given }]) => [column, given])),
      bound: Object.fromEntries([...values].map(([column, { value }]) => [column, value])),
    },
  });
}

interface Value {
  readonly type: string;
  /** Value as the database takes it. */
  readonly value: unknown;
  /** Value as the caller sent it. */
  readonly given: unknown;
}
type Values = ReadonlyMap<string, Value>;

/** Returns the values by actual column name, each checked against its type. */
async function typedValues(
  { found, params, signal }: WriteCall,
  { verb, table, named }: { verb: TableVerb; table: Table; named: NamedPool },
): Promise<Values> {
  const given = namedValues(params, { verb, table });
  const known = await columnTypes(named, table.name, signal);
  const { columns: own = {} } = found.definition;
  return new Map(
    [...given].map(([column, value]) => {
      const said = Object.hasOwn(own, column) ? own[column]?.type : undefined;
      return [column, toTyped(column, value, said ?? known.get(column))];
    }),
  );
}

function toTyped(column: string, given: unknown, type: string | undefined): Value {
  if (given === null) return { type: type ?? "string", value: null, given };
  const assumed = type ?? typeOfValue(given);
  const read = readTyped(assumed, given);
  if ("problem" in read) throw wrong(say`${column}: ${formatShort(given)} ${read.problem}`);
  return { type: assumed, value: boundValue(assumed, read.value), given };
}

/** Returns the type of a value whose column type is unknown. */
function typeOfValue(value: unknown): string {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "object" ? "json" : "string";
}

/** Checks which columns may and must have values: an existing row needs its whole key. */
function namedValues(
  params: Readonly<Record<string, unknown>>,
  { verb, table: { key, columns } }: { verb: TableVerb; table: Table },
): Map<string, unknown> {
  const allowed = verb === "insert"
    ? columns
    : verb === "delete"
    ? key
    : [...new Set([...key, ...columns])];
  const values = new Map<string, unknown>();
  for (const [name, value] of Object.entries(params)) {
    const column = nameOfColumn(name, allowed);
    if (column === undefined) throw unknownColumn(name, allowed);
    if (values.has(column)) throw wrong(say`${column} is given twice`);
    values.set(column, value);
  }
  if (verb === "insert") return values;
  const missing = key.find((it) => (values.get(it) ?? null) === null);
  if (missing !== undefined) {
    throw wrong(
      say`${missing}: a row is known by its whole key (${key}), and no part of it is empty`,
    );
  }
  if (verb === "update" && values.size === key.length) {
    throw wrong(say`nothing to change: give a column besides the key (${key})`);
  }
  return values;
}

function unknownColumn(name: string, allowed: readonly string[]): AppError {
  const meant = nearest(name, allowed);
  return wrong(
    meant === undefined
      ? say`there is no column ${formatShort(name)} to write; there are ${allowed}`
      : say`there is no column ${formatShort(name)} to write; did you mean ${meant}?`,
  );
}

interface Row extends QualifiedTable {
  readonly key: readonly string[];
  readonly values: Values;
}

const STATEMENTS: Readonly<Record<TableVerb, (row: Row) => Statement>> = {
  insert({ name, dialect, values }) {
    const writer = writeStatement(dialect);
    const columns = [...values.keys()].map((it) => writer.column(it));
    const places = [...values.values()].map(({ value, type }) => writer.place(value, { type }));
    return writer.statement(
      `insert into ${tableName(name, writer)} (${columns.join(", ")}) values (${
        places.join(", ")
      })`,
    );
  },
  update({ name, key, dialect, values }) {
    const writer = writeStatement(dialect);
    const changes = [...values].filter(([column]) => !key.includes(column))
      .map(([column, { value, type }]) =>
        `${writer.column(column)} = ${writer.place(value, { type })}`
      );
    const table = tableName(name, writer);
    return writer.statement(
      `update ${table} set ${changes.join(", ")} where ${keyCondition(key, { values, writer })}`,
    );
  },
  delete({ name, key, dialect, values }) {
    const writer = writeStatement(dialect);
    const table = tableName(name, writer);
    return writer.statement(`delete from ${table} where ${keyCondition(key, { values, writer })}`);
  },
};

/** Returns the row before and after the write; undefined when the database generates its key. */
function buildReadBack({ name, key, dialect, values }: Row): PreparedWrite["concerned"] {
  if (key.some((it) => (values.get(it)?.value ?? null) === null)) return undefined;
  const writer = writeStatement(dialect);
  const table = tableName(name, writer);
  return writer.statement(`select * from ${table} where ${keyCondition(key, { values, writer })}`);
}

function wrong(sentence: ReturnType<typeof say>): AppError {
  return new AppError("invalid", sentence);
}
