import { AppError } from "#src/kernel/errors.ts";
import { problemOfShape } from "#src/kernel/json_shape.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

const MOST = { depth: 64, values: 50_000 };

/** Refuses a body that costs far more than its bytes, before anything parses it. Throws AppError `invalid`. */
export function checkShape(bytes: Uint8Array): void {
  const problem = problemOfShape(bytes, MOST);
  if (problem) throw new AppError("invalid", say`The body ${problem}`);
}
