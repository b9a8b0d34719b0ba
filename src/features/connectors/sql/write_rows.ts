import type { QueryDefinition } from "#src/definitions/connectors.ts";
import { readTyped } from "#src/definitions/typed.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import type { NamedPool } from "#src/ports/databases.ts";
import type { Statement } from "#src/ports/pool.ts";
import { boundValue } from "./caller_values.ts";
import { columnTypes } from "./column_types.ts";
import { nameOfColumn } from "./column_names.ts";
import { shown } from "./filter.ts";
import { poolOf } from "./find_query.ts";
import { keyCondition, type QualifiedTable, tableName } from "./rows_by_key.ts";
import {
  type PreparedWrite,
  type WriteAnswer,
  type WriteCall,
  writeInTurn,
  type WriteNeeds,
} from "./run_write.ts";
import type { Shared } from "./run_read.ts";
import { writeStatement } from "./statement.ts";

export const TABLE_VERBS = ["insert", "update", "delete"] as const;
export type TableVerb = (typeof TABLE_VERBS)[number];

type Table = NonNullable<QueryDefinition["table"]>;

export interface RowsCall extends WriteCall {
  readonly verb: TableVerb;
}

/**
 * One row of the table of a query: inserted, or changed or removed by its whole key; `params` are its values by column. Everything
 * is bound, and more than one row is taken back. Throws AppError `invalid` naming the column that is none or that is missing.
 */
export async function writeRows(
  needs: WriteNeeds,
  shared: Shared,
  { verb, ...call }: RowsCall,
): Promise<WriteAnswer> {
  const { table } = call.found.definition;
  if (!table?.[verb]) {
    throw new AppError("wrong_method", say`The table of ${call.found.name} takes no ${verb}`);
  }
  const named = await poolOf(needs, call.found);
  const values = await typedValues(call, { verb, table, named });
  const { dialect } = named.pool;
  return await writeInTurn(needs, shared, call, {
    named,
    prepared: {
      statement: STATEMENTS[verb]({ name: table.name, key: table.key, dialect, values }),
      concerned: concerned({ name: table.name, key: table.key, dialect, values }),
      affects: { max: 1 },
      values: Object.fromEntries([...values].map(([column, { given }]) => [column, given])),
      bound: Object.fromEntries([...values].map(([column, { value }]) => [column, value])),
    },
  });
}

interface Value {
  readonly type: string;
  /** As the database takes it. */
  readonly value: unknown;
  /** As it was sent. */
  readonly given: unknown;
}
type Values = ReadonlyMap<string, Value>;

/** By the column's own name, each held against its type. */
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
      return [column, typed(column, value, said ?? known.get(column))];
    }),
  );
}

function typed(column: string, given: unknown, type: string | undefined): Value {
  if (given === null) return { type: type ?? "string", value: null, given };
  const assumed = type ?? typeOfValue(given);
  const read = readTyped(assumed, given);
  if ("problem" in read) throw wrong(say`${column}: ${shown(given)} ${read.problem}`);
  return { type: assumed, value: boundValue(assumed, read.value), given };
}

/** Where the database tells no type of the column. */
function typeOfValue(value: unknown): string {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "object" ? "json" : "string";
}

/** What may be given, and what must: the whole key for what is there already. */
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
    throw wrong(say`nothing is to be changed: give a column beside the key (${key})`);
  }
  return values;
}

function unknownColumn(name: string, allowed: readonly string[]): AppError {
  const meant = nearest(name, allowed);
  return wrong(
    meant === undefined
      ? say`there is no column ${shown(name)} to write; there are ${allowed}`
      : say`there is no column ${shown(name)} to write; did you mean ${meant}?`,
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

/** The row as it is before and after; undefined where the database makes its key. */
function concerned({ name, key, dialect, values }: Row): PreparedWrite["concerned"] {
  if (key.some((it) => (values.get(it)?.value ?? null) === null)) return undefined;
  const writer = writeStatement(dialect);
  const table = tableName(name, writer);
  return writer.statement(`select * from ${table} where ${keyCondition(key, { values, writer })}`);
}

function wrong(sentence: ReturnType<typeof say>): AppError {
  return new AppError("invalid", sentence);
}
