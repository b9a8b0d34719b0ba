import { is, SQL } from "drizzle-orm";
import {
  type AnyPgColumn,
  getTableConfig,
  type Index,
  IndexedColumn,
  isPgSequence,
  PgDialect,
  PgTable,
} from "drizzle-orm/pg-core";
import * as schema from "#drizzle/schema/mod.ts";

const dialect = new PgDialect({ casing: "snake_case" });
type Config = ReturnType<typeof getTableConfig>;

/** Returns the statements that create the schema of `drizzle/schema`. Only migrations define triggers and functions. */
export function declaredSchema(): string[] {
  const tables = Object.values(schema).filter((it) => is(it, PgTable)).map((it) =>
    getTableConfig(it as PgTable)
  );
  const sequences = Object.values(schema).filter((it) => isPgSequence(it));
  return [
    "create extension if not exists pg_trgm",
    ...sequences.map((it) => `create sequence "${it.seqName}"`),
    ...tables.map(createTable),
    ...tables.flatMap((table) =>
      table.foreignKeys.map((it) => foreignKey(table, it.reference(), it.onDelete))
    ),
    ...tables.flatMap((table) => table.indexes.map((it) => createIndex(table, it))),
  ];
}

/** Converts a column name to snake case, as Drizzle does when it writes SQL. */
export function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}

function createTable({ name, columns, checks, primaryKeys, uniqueConstraints }: Config): string {
  const parts = [
    ...columns.map(column),
    ...checks.map((it) => `check (${write(it.value)})`),
    ...primaryKeys.map((it) => `primary key (${names(it.columns)})`),
    ...uniqueConstraints.map((it) => `unique (${names(it.columns)})`),
  ];
  return `create table "${name}" (${parts.join(", ")})`;
}

function column(it: AnyPgColumn): string {
  const text = [
    `"${snake(it.name)}" ${it.getSQLType()}`,
    it.primary ? "primary key" : "",
    it.isUnique ? "unique" : "",
    it.notNull ? "not null" : "",
    it.default === undefined ? "" : `default ${literal(it.default, it.getSQLType())}`,
  ];
  return text.filter(Boolean).join(" ");
}

function literal(value: unknown, type: string): string {
  if (is(value, SQL)) return write(value);
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  if (type.endsWith("[]") && Array.isArray(value) && !value.length) return "'{}'";
  if (typeof value === "object") return `'${JSON.stringify(value)}'`;
  return String(value);
}

function foreignKey(
  { name }: Config,
  { columns, foreignTable, foreignColumns }: ReturnType<Config["foreignKeys"][number]["reference"]>,
  onDelete = "no action",
): string {
  const target = `"${getTableConfig(foreignTable).name}" (${names(foreignColumns)})`;
  return `alter table "${name}" add foreign key (${
    names(columns)
  }) references ${target} on delete ${onDelete}`;
}

function createIndex({ name }: Config, { config }: Index): string {
  const keys = config.columns.map((it) =>
    is(it, IndexedColumn) ? index(it, config.method) : `(${write(it as SQL)})`
  );
  const where = config.where ? ` where ${write(config.where)}` : "";
  return `create ${config.unique ? "unique " : ""}index ${
    config.name ? `"${config.name}"` : ""
  } on "${name}" using ${config.method ?? "btree"} (${keys.join(", ")})${where}`;
}

function index({ name, indexConfig }: IndexedColumn, method?: string): string {
  const { order = "asc", nulls = "last", opClass } = indexConfig;
  const column = `"${snake(name ?? "")}" ${opClass ?? ""}`;
  return method === "gin" ? column : `${column} ${order} nulls ${nulls}`;
}

function write(expression: SQL): string {
  return dialect.sqlToQuery(expression.inlineParams(), "indexes").sql;
}

function names(columns: readonly { name: string }[]): string {
  return columns.map((it) => `"${snake(it.name)}"`).join(", ");
}
