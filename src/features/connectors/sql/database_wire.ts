import type { TypeName } from "#src/http/database_answers.ts";
import { numbered } from "#src/http/database_answers.ts";
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
 * Rows in the family's words: columns in capitals, as its clients read them from any database, numbers as numbers where a double
 * holds them exactly and as text where it does not.
 */
export function databaseRows({ items, metadata }: WireRows, offset: number) {
  const names = namesOf(metadata.map(({ name }) => name));
  const columns = metadata.map(({ name, type }) => ({
    name,
    heading: names.get(name) ?? name,
    type: TYPES[type] ?? "UNKNOWN" as const,
  }));
  const rows = items.map((item) =>
    Object.fromEntries(
      columns.map(({ name, heading, type }) => [heading, valueOf(item[name], type)]),
    )
  );
  return {
    items: numbered(rows, offset),
    metadata: columns.map(({ heading: name, type }) => ({ name, type })),
  };
}

/** Two columns that differ in nothing but capitals keep their names. */
function namesOf(names: readonly string[]): ReadonlyMap<string, string> {
  const count = new Map<string, number>();
  for (const name of names) count.set(name.toUpperCase(), (count.get(name.toUpperCase()) ?? 0) + 1);
  return new Map(
    names.map((name) => [name, count.get(name.toUpperCase()) === 1 ? name.toUpperCase() : name]),
  );
}

function valueOf(value: unknown, type: TypeName): unknown {
  if (typeof value !== "string" || type !== "int" && type !== "float") return value ?? null;
  const number = Number(value);
  const digits = value.replace(/^[-+]?0*\.?0*|[eE].*$/g, "").replace(".", "").length;
  return value.trim() && Number.isFinite(number) && digits <= EXACT_DIGITS ? number : value;
}

interface Facts {
  /** What the family's clients read of a call that failed while the database worked, beside the sentence. */
  readonly item?: Readonly<Record<string, unknown>>;
  readonly page: Readonly<Record<string, unknown>>;
}

/** Mistakes of a call are told in a sentence; what failed is no fault of the call and has a shape of its own. */
const FAULTS = ["refused", "misconfigured", "conflict", "overdue", "unavailable"];

/** A failure as the family tells it: 500 where the statement failed, else what every family answers. */
export function dataFailure(error: unknown, { item = {}, page }: Facts): unknown {
  if (!(error instanceof AppError) || !FAULTS.includes(error.code)) return error;
  const { code, sentence, details, retryAfter } = error;
  const message = { items: [{ message: sentence, ...item }], status: "error", ...page };
  return new AppError(code === "refused" ? "misconfigured" : code, sentence, {
    cause: error,
    details: { ...details, message },
    ...retryAfter !== undefined && { retryAfter },
  });
}
