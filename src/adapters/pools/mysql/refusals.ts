import { AppError, type ErrorCode } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { notReached, overdue, RefusedStatement } from "#src/ports/pool.ts";

const MET: readonly [ErrorCode, Sentence] = [
  "conflict",
  say`The statement met another one; try again`,
];
const MAY_NOT: readonly [ErrorCode, Sentence] = [
  "refused",
  say`The database role of the pool may not do this`,
];
const NOT_THERE: readonly [ErrorCode, Sentence] = [
  "refused",
  say`A row that is referred to is not there, or one that is referred to would go`,
];
const CONDITION: readonly [ErrorCode, Sentence] = [
  "refused",
  say`The values do not meet a condition of the database`,
];

/** By error number of MySQL and MariaDB. */
const KNOWN: Readonly<Record<number, readonly [ErrorCode, Sentence]>> = {
  1044: MAY_NOT,
  1142: MAY_NOT,
  1143: MAY_NOT,
  1227: MAY_NOT,
  1370: MAY_NOT,
  1048: ["refused", say`A value is missing that the database asks for`],
  1062: ["conflict", say`A row with these values exists already`],
  1205: MET,
  1213: MET,
  1451: NOT_THERE,
  1452: NOT_THERE,
  1792: ["misconfigured", say`The read query tried to write`],
  3819: CONDITION,
  4025: CONDITION,
};
const INTERRUPTED = [1317, 1969, 3024];

/** What a failed statement means to a caller; the database's own words go with it, without its text. */
export function refusalOf(
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
  const code = String(errno);
  const text = sqlMessage ?? "";
  const [kind, sentence] = KNOWN[errno] ?? [];
  if (kind && sentence) {
    return new RefusedStatement({ code, text, kind, sentence }, { cause: error });
  }
  return new RefusedStatement({ code, text }, { cause: error });
}
