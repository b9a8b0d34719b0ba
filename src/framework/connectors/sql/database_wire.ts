import type { TypeName } from "#src/http/database_answers.ts";
import { numberRows } from "#src/http/database_answers.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { WireRows } from "./answer.ts";

const TYPES: Readonly<Record<string, TypeName>> = {
  string: "str",
  uuid: "str",
  time: "str",
  integer: "int",
  number: "float",
  decimal: "float",
  boolean: "bool",
  date: "date",
  datetime: "datetime",
  binary: "bytes",
};

/** Digits a double holds, whatever the number. */
const EXACT_DIGITS = 15;

/**
 * Returns rows in the format of the database family. Its clients expect column names in capitals from any database.
 * Numbers are sent as numbers if a double is exact, else as text.
 */
export function databaseRows({ items, metadata }: WireRows, offset: number) {
  const names = getNames(metadata.map(({ name }) => name));
  const columns = metadata.map(({ name, type }) => ({
    name,
    heading: names.get(name) ?? name,
    type: TYPES[type] ?? "UNKNOWN" as const,
  }));
  const rows = items.map((item) =>
    Object.fromEntries(
      columns.map(({ name, heading, type }) => [heading, getValue(item[name], type)]),
    )
  );
  return {
    items: numberRows(rows, offset),
    metadata: columns.map(({ heading: name, type }) => ({ name, type })),
  };
}

/** Columns that differ only in case keep their names. */
function getNames(names: readonly string[]): ReadonlyMap<string, string> {
  const count = new Map<string, number>();
  for (const name of names) count.set(name.toUpperCase(), (count.get(name.toUpperCase()) ?? 0) + 1);
  return new Map(
    names.map((name) => [name, count.get(name.toUpperCase()) === 1 ? name.toUpperCase() : name]),
  );
}

function getValue(value: unknown, type: TypeName): unknown {
  if (typeof value !== "string" || type !== "int" && type !== "float") return value ?? null;
  const number = Number(value);
  const digits = value.replace(/^[-+]?0*\.?0*|[eE].*$/g, "").replace(".", "").length;
  return value.trim() && Number.isFinite(number) && digits <= EXACT_DIGITS ? number : value;
}

interface Facts {
  /** Details of a failed call, sent to the family's clients next to the sentence, when the database worked. */
  readonly item?: Readonly<Record<string, unknown>>;
  readonly page: Readonly<Record<string, unknown>>;
}

/** Codes of mistakes in a call, which are reported in a sentence. Other failures have their own format. */
const FAULTS = ["refused", "misconfigured", "conflict", "overdue", "unavailable"];

/** Returns a failure in the family's format: 500 for a failed statement, else the usual answer. */
export function dataFailure(error: unknown, { item = {}, page }: Facts): unknown {
  if (!(error instanceof AppError) || !FAULTS.includes(error.code)) return error;
  const { code, sentence, details, reason, retryAfter } = error;
  const message = { items: [{ message: sentence, ...item }], status: "error", ...page };
  return new AppError(code === "refused" ? "misconfigured" : code, sentence, {
    cause: error,
    details: { ...details, message },
    reason,
    ...retryAfter !== undefined && { retryAfter },
  });
}
