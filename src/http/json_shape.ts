import { AppError } from "#src/kernel/errors.ts";
import { problemOfShape } from "#src/kernel/json_shape.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

/** Levels of any body. */
const DEPTH = 64;
/** Values of a body whose route says nothing else. */
export const DEFAULT_VALUES = 50_000;

/** Refuses a body that costs far more than its bytes, before anything parses it. Throws AppError `invalid`. */
export function checkShape(bytes: Uint8Array, values: number): void {
  const problem = problemOfShape(bytes, { depth: DEPTH, values });
  if (problem) throw new AppError("invalid", say`The body ${problem}`);
}
