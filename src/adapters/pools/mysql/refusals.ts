import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import {
  COLLISION,
  type KnownRefusal,
  notReached,
  overdue,
  RefusedStatement,
} from "#src/ports/pool.ts";

const MAY_NOT: KnownRefusal = [
  "refused",
  say`The database role of the pool may not do this`,
];
const NOT_THERE: KnownRefusal = [
  "refused",
  say`A referenced row is missing or would be deleted`,
];
const CONDITION: KnownRefusal = [
  "refused",
  say`The values do not meet a condition of the database`,
];

/** Refusals by error number of MySQL and MariaDB. */
const KNOWN: Readonly<Record<number, KnownRefusal>> = {
  1044: MAY_NOT,
  1142: MAY_NOT,
  1143: MAY_NOT,
  1227: MAY_NOT,
  1370: MAY_NOT,
  1048: ["refused", say`A value is missing that the database asks for`],
  1062: ["conflict", say`A row with these values exists already`],
  1205: COLLISION,
  1213: COLLISION,
  1451: NOT_THERE,
  1452: NOT_THERE,
  1792: ["misconfigured", say`The read query tried to write`],
  3819: CONDITION,
  4025: CONDITION,
};
const INTERRUPTED = [1317, 1969, 3024];

/**
 * Converts a failed statement into an error for the caller; it carries the database's own words, but not the
 * statement.
 */
export function toAppError(
  error: unknown,
  { late, timeoutMs }: { late: boolean; timeoutMs: number },
): AppError {
  if (error instanceof AppError) return error;
  const { errno = 0, sqlState, sqlMessage } = error as {
    errno?: number;
    sqlState?: string;
    sqlMessage?: string;
  };
  if (late || INTERRUPTED.includes(errno)) return overdue(timeoutMs, error);
  if (sqlState === undefined) return notReached(error);
  const given = { code: String(errno), text: sqlMessage ?? "" };
  return new RefusedStatement({ ...given, known: KNOWN[errno] }, { cause: error });
}
