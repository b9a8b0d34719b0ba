import { isForEverybody, type Readers } from "#src/domain/job/readers.ts";
import { AppError } from "#src/kernel/errors.ts";
import { Sentence } from "#src/kernel/i18n/sentence.ts";

const HIDDEN = "…";
/** Shorter texts occur in any sentence by chance: they are compared as a whole. */
const MIN_LENGTH = 3;

interface Given {
  /** Readers of the values that the step's expressions read. */
  readonly readers: Readers;
  /** Definition of the step; its own texts are not confidential. */
  readonly definition: unknown;
  /** The definition with its expressions filled in; absent, every value of the sentence is hidden. */
  readonly filled?: unknown;
}

/** Removes row values from an error if they are restricted, because `jobs:read` shows errors of all runs. */
export function withoutRowValues(error: unknown, { readers, definition, filled }: Given): unknown {
  if (!(error instanceof AppError) || isForEverybody(readers)) return error;
  const own = new Set(getLeaves(definition));
  const hidden = filled === undefined ? undefined : getLeaves(filled).filter((it) => !own.has(it));
  return new AppError(error.code, withholdFrom(error.sentence, hidden), {
    cause: error,
    details: error.details,
    ...error.retryAfter !== undefined && { retryAfter: error.retryAfter },
  });
}

function withholdFrom({ key, values }: Sentence, hidden: readonly string[] | undefined): Sentence {
  const show = (value: unknown): unknown => {
    if (value instanceof Sentence) return withholdFrom(value, hidden);
    if (Array.isArray(value)) return value.map(show);
    const text = String(value);
    const isHidden = hidden === undefined ||
      hidden.some((it) => text === it || it.length >= MIN_LENGTH && text.includes(it));
    return isHidden ? HIDDEN : value;
  };
  return new Sentence(key, values.map(show));
}

function getLeaves(value: unknown): string[] {
  if (value === null || value === undefined || typeof value === "boolean") return [];
  if (typeof value !== "object") return [String(value)].filter((it) => it !== "");
  return Object.values(value).flatMap(getLeaves);
}
