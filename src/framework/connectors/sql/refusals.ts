import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { RefusedStatement } from "#src/ports/pool.ts";

export interface StatementCaller {
  /** The caller may read the statement, and therefore the database's messages about it. */
  readonly isAuthor: boolean;
  /** Id of this call, which finds the cause in the log. */
  readonly errorId: string;
}

/**
 * Error codes of a value that does not fit its column (class 22, except division by zero), and of an operator its type
 * lacks.
 */
const MISFIT = /^(22(?!012)\w{3}|42883|42804)$/;

/**
 * Returns the error a caller sees for a failed statement. Only users who may read the statement see the database's
 * message.
 */
export function errorForCaller(
  { log }: Pick<Deps, "log">,
  error: unknown,
  { query, isAuthor, errorId }: StatementCaller & { query: string },
): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.code === "misconfigured") {
    log.error("query.misconfigured", { query, errorId, reason: error.message });
    return error;
  }
  if (!(error instanceof RefusedStatement)) return error;
  const { code, databaseCode, databaseText, sentence } = error;
  const isMisfit = MISFIT.test(databaseCode);
  const plain = isMisfit ? say`A value does not fit its column` : sentence;
  if (!isMisfit) log.warn("query.refused", { query, code: databaseCode, errorId });
  return new AppError(
    isMisfit ? "invalid" : code,
    isAuthor ? say`${plain}: ${databaseText}` : plain,
    { cause: error, details: { error_id: errorId } },
  );
}
