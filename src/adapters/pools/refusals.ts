import { AppError, type ErrorCode } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";

const KNOWN: Readonly<Record<string, readonly [ErrorCode, Sentence]>> = {
  "25006": ["refused", say`The read query tried to write`],
  "40001": ["conflict", say`The statement met another one; try again`],
  "40P01": ["conflict", say`The statement met another one; try again`],
  "42501": ["refused", say`The database role of the pool may not do this`],
  "23505": ["conflict", say`A row with these values exists already`],
  "57014": ["upstream", say`The statement took too long`],
};

/** What a failed statement means to a caller; the database's own words for a faulty statement, without its text. */
export function refusalOf(
  error: unknown,
  { late, timeoutMs }: { late: boolean; timeoutMs: number },
): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (late || code === "57014") {
    return new AppError("upstream", say`The statement took longer than ${timeoutMs / 1000} s`, {
      cause: error,
      details: { timeout: true },
    });
  }
  const known = KNOWN[code];
  if (known) return new AppError(known[0], known[1], { cause: error });
  if (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith("08") && !code.startsWith("57")) {
    const sentence = error instanceof Error ? error.message.slice(0, 300) : "";
    return new AppError("refused", say`The database refuses the statement (${code}): ${sentence}`, {
      cause: error,
    });
  }
  return new AppError("unavailable", say`The connection to the database was lost`, {
    cause: error,
  });
}
