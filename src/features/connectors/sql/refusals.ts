import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { RefusedStatement } from "#src/ports/pool.ts";

export interface Caller {
  /** May read the statement, and so what the database says of it. */
  readonly isAuthor: boolean;
  /** Of this call: finds the cause in the log. */
  readonly errorId: string;
}

/** A value that a column does not take (class 22, but for a division by zero), and operators that are none for its type. */
const MISFIT = /^(22(?!012)\w{3}|42883|42804)$/;

/** What a caller is told of a statement that failed: the database's own words go to those only who may read the statement. */
export function errorForCaller(
  { log }: Pick<Deps, "log">,
  error: unknown,
  { query, isAuthor, errorId }: Caller & { query: string },
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
