import { AppError, type ErrorCode } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";

interface WrongPropertyOptions extends ErrorOptions {
  readonly code?: ErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Returns the error about one property. Its message begins with the property; forms show `why` at the field. */
export function createPropertyError(
  property: string,
  why: Sentence,
  { code = "refused", details, ...options }: WrongPropertyOptions = {},
): AppError {
  return new AppError(code, say`${property}: ${why}`, {
    ...options,
    details: { ...details, fields: { [property]: why } },
  });
}
