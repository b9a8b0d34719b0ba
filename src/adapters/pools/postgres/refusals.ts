import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { COLLISION, type KnownRefusal, overdue, RefusedStatement } from "#src/ports/pool.ts";

const KNOWN: Readonly<Record<string, KnownRefusal>> = {
  "25006": ["misconfigured", say`The read query tried to write`],
  "40001": COLLISION,
  "40P01": COLLISION,
  "42501": ["refused", say`The database role of the pool may not do this`],
  "23505": ["conflict", say`A row with these values exists already`],
  "23502": ["refused", say`A value is missing that the database asks for`],
  "23503": [
    "refused",
    say`A referenced row is missing or would be deleted`,
  ],
  "23514": ["refused", say`The values do not meet a condition of the database`],
  "55000": ["unavailable", say`The database is not in a state that allows this; try again later`],
  "55P03": ["conflict", say`The row is in use by another statement; try again`],
};

/**
 * Converts a failed statement into an error for the caller; it carries the database's own words, but not the
 * statement.
 */
export function toAppError(
  error: unknown,
  { late, timeoutMs }: { late: boolean; timeoutMs: number },
): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (late || code === "57014") return overdue(timeoutMs, error);
  const text = error instanceof Error ? error.message : "";
  const known = KNOWN[code];
  if (known || /^[0-9A-Z]{5}$/.test(code) && !/^(08|53|57)/.test(code)) {
    const position = Number((error as { position?: unknown }).position) || undefined;
    return new RefusedStatement({ code, text, position, known }, { cause: error });
  }
  return new AppError("unavailable", say`The connection to the database was lost`, {
    cause: error,
    retryAfter: 1,
  });
}
