import { AppError } from "#src/kernel/errors.ts";
import { problemOfShape } from "#src/kernel/json_shape.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

/** Largest nesting depth of a body. */
const DEPTH = 64;
/** Default limit of the number of values in a body. */
export const DEFAULT_VALUES = 50_000;

/** Refuses a body that is far more expensive than its size suggests, before it is parsed. Throws AppError `invalid`. */
export function checkShape(bytes: Uint8Array, values: number): void {
  const problem = problemOfShape(bytes, { depth: DEPTH, values });
  if (problem) throw new AppError("invalid", say`The body ${problem}`);
}
