import { readTyped } from "#src/definitions/typed.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import type { StatementWriter } from "./statement.ts";
import { boundValue } from "./caller_values.ts";
import {
  type PatternPosition,
  writeGlob,
  writeLike,
  writeRegex,
  writeUnligatured,
} from "./text_pattern.ts";

const MAX_DEPTH = 5;
const MAX_LEAVES = 50;
const MAX_VALUES = 1_000;

/** Columns a filter may name, with their types as far as they are known. */
export type Filterable = ReadonlyMap<string, string | undefined>;

/**
 * Converts a filter to a condition: `[{"status":{"=":"open"}},{"or":[…]}]`, where all entries must match. Looks up and
 * quotes its columns and binds its values. Throws AppError `invalid` naming the unknown column or operator.
 */
export function buildCondition(
  filter: unknown,
  { columns, writer }: { columns: Filterable; writer: StatementWriter },
): string | undefined {
  const compiler = { columns, writer, leaves: 0 };
  const list = Array.isArray(filter) ? filter : [filter];
  const all = list.map((it) => condition(compiler, it, 1));
  return all.length ? all.join(" and ") : undefined;
}

interface Compiler {
  readonly columns: Filterable;
  readonly writer: StatementWriter;
  leaves: number;
}

function condition(compiler: Compiler, given: unknown, depth: number): string {
  if (depth > MAX_DEPTH) {
    throw wrong(say`conditions stand in each other at most ${MAX_DEPTH} times`);
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw wrong(say`a condition {"column": {"=": value}} is expected, not ${formatShort(given)}`);
  }
  const parts = Object.entries(given).map(([key, inner]) => {
    if (key === "and" || key === "or") return many(compiler, { word: key, inner, depth });
    if (key === "not") return `not (${condition(compiler, inner, depth + 1)})`;
    return ofColumn(compiler, key, inner);
  });
  if (!parts.length) throw wrong(say`a condition names a column`);
  return `(${parts.join(" and ")})`;
}

function many(
  compiler: Compiler,
  { word, inner, depth }: { word: "and" | "or"; inner: unknown; depth: number },
): string {
  if (!Array.isArray(inner) || !inner.length) throw wrong(say`${word} takes a list of conditions`);
  return `(${inner.map((it) => condition(compiler, it, depth + 1)).join(` ${word} `)})`;
}

function ofColumn(compiler: Compiler, name: string, given: unknown): string {
  const { columns, writer } = compiler;
  if (!columns.has(name)) {
    const meant = nearest(name, columns.keys());
    throw wrong(
      !columns.size
        ? say`the query lists no column to filter by`
        : meant === undefined
        ? say`there is no column ${formatShort(name)} to filter by; there are ${
          [...columns.keys()].join(", ")
        }`
        : say`there is no column ${formatShort(name)} to filter by; did you mean ${meant}?`,
    );
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw wrong(say`${name}: an operator is expected, such as {"=": ${formatShort(given)}}`);
  }
  const parts = Object.entries(given).map(([word, value]) => {
    if (++compiler.leaves > MAX_LEAVES) throw wrong(say`at most ${MAX_LEAVES} conditions`);
    const meant = Object.hasOwn(ALIASES, word) ? ALIASES[word] ?? word : word;
    const operator = Object.hasOwn(OPERATORS, meant) ? OPERATORS[meant] : undefined;
    if (!operator) {
      throw wrong(
        say`${name}: there is no operator ${formatShort(word)}; there are ${
          Object.keys(OPERATORS)
        }`,
      );
    }
    const type = columns.get(name);
    return operator({ name, column: `q.${writer.column(name)}`, type, writer }, value);
  });
  if (!parts.length) throw wrong(say`${name}: an operator is expected`);
  return parts.join(" and ");
}

interface Subject {
  readonly name: string;
  readonly column: string;
  readonly type: string | undefined;
  readonly writer: StatementWriter;
}
type Operator = (subject: Subject, value: unknown) => string;

const ALIASES: Readonly<Record<string, string>> = {
  "eq": "=",
  "ne": "!=",
  "<>": "!=",
  "lt": "<",
  "lte": "<=",
  "gt": ">",
  "gte": ">=",
  "null": "is_null",
};

const createComparison = (sign: string): Operator => (it, value) =>
  `${it.column} ${sign} ${oneValue(it, value)}`;
const createLike = (sign: "like" | "ilike" | "not like"): Operator => (it, value) =>
  matching(it, text(it, value), sign);
const createSearch = (position: PatternPosition): Operator => (it, value) =>
  finding(it, text(it, value), position);

const OPERATORS: Readonly<Record<string, Operator>> = {
  "=": createComparison("="),
  "!=": (it, value) => differs(it, oneValue(it, value)),
  "<": createComparison("<"),
  "<=": createComparison("<="),
  ">": createComparison(">"),
  ">=": createComparison(">="),
  between(it, value) {
    if (!Array.isArray(value) || value.length !== 2) {
      throw wrong(say`${it.name}: between takes two values`);
    }
    return `${it.column} between ${oneValue(it, value[0])} and ${oneValue(it, value[1])}`;
  },
  in: (it, value) => among(it, value),
  not_in: (it, value) => `not (${among(it, value)})`,
  like: createLike("like"),
  ilike: createLike("ilike"),
  not_like: createLike("not like"),
  contains: createSearch("anywhere"),
  starts_with: createSearch("start"),
  ends_with: createSearch("end"),
  is_null(it, value) {
    if (typeof value !== "boolean") throw wrong(say`${it.name}: is_null takes true or false`);
    return `${it.column} is ${value ? "" : "not "}null`;
  },
};

function oneValue({ name, type, writer }: Subject, value: unknown): string {
  if (value === null) throw wrong(say`${name}: use is_null to find null`);
  return writer.place(toTyped(name, comparable(type, value), value), {
    ...type !== undefined && { type },
  });
}

function toTyped(name: string, type: string, value: unknown): unknown {
  const read = readTyped(type, value);
  if ("problem" in read) throw wrong(say`${name}: ${formatShort(value)} ${read.problem}`);
  return boundValue(type, read.value);
}

/** Returns the type to compare with. The database checks values of columns with an unknown type. */
function comparable(type: string | undefined, value: unknown): string {
  if (type !== undefined && type !== "json" && !type.startsWith("array<")) return type;
  return typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "string";
}

function differs({ column, writer }: Subject, place: string): string {
  if (writer.dialect === "postgres") return `${column} is distinct from ${place}`;
  if (writer.dialect === "sqlite") return `${column} is not ${place}`;
  if (writer.dialect === "mysql") return `not (${column} <=> ${place})`;
  return `(${column} <> ${place} or ${column} is null)`;
}

function among(it: Subject, value: unknown): string {
  if (!Array.isArray(value)) throw wrong(say`${it.name}: a list is expected`);
  if (value.length > MAX_VALUES) {
    throw wrong(say`${it.name}: at most ${MAX_VALUES} values are expected`);
  }
  if (!value.length) return "1 = 0";
  if (it.writer.dialect !== "postgres") {
    return `${it.column} in (${value.map((each) => oneValue(it, each)).join(", ")})`;
  }
  const values = value.map((each) => {
    if (each === null) throw wrong(say`${it.name}: use is_null to find null`);
    return toTyped(it.name, comparable(it.type, each), each);
  });
  return `${it.column} = any(${it.writer.place(values)})`;
}

function text({ name }: Subject, value: unknown): string {
  if (typeof value === "string") return String(toTyped(name, "string", value));
  throw wrong(say`${name}: a text is expected, not ${formatShort(value)}`);
}

/**
 * Finds a text literally, without regard to case, accents and ligatures. MySQL ignores accents by its collation; SQL Server and Oracle
 * ignore case only.
 */
function finding(it: Subject, value: string, position: PatternPosition): string {
  const { dialect, place } = it.writer;
  const words = `cast(${it.column} as ${TEXT[dialect]})`;
  if (dialect === "postgres") return `${words} ~* ${place(writeRegex(value, position))}`;
  if (dialect === "sqlite") {
    return `${writeUnligatured(words)} glob ${place(writeGlob(value, position))}`;
  }
  const escape = dialect === "mysql" ? "'\\\\'" : "'\\'";
  return `${matching(it, writeLike(value, position), "ilike")} escape ${escape}`;
}

/** Columns of other types are compared as they are written. */
function matching(
  { column, writer }: Subject,
  pattern: string,
  sign: "like" | "ilike" | "not like",
) {
  const { dialect } = writer;
  const words = `cast(${column} as ${TEXT[dialect]})`;
  if (sign !== "ilike" || dialect === "postgres") {
    return `${words} ${sign} ${writer.place(pattern)}`;
  }
  return `lower(${words}) like ${writer.place(pattern.toLowerCase())}`;
}

const TEXT = {
  postgres: "text",
  sqlite: "text",
  mysql: "char",
  mssql: "nvarchar(max)",
  oracle: "varchar2(4000)",
} as const;

function wrong(sentence: ReturnType<typeof say>): AppError {
  return new AppError("invalid", say`q: ${sentence}`);
}

/** A value in a sentence, short. */
export function formatShort(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 60);
}
