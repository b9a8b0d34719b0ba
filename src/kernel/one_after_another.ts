import { AppError } from "./errors.ts";
import type { Sentence } from "./sentences/sentence.ts";

/**
 * Of one kind of work a process does one thing after the other, in the order it was asked for, so that all of it together takes no more
 * from everybody else than one. So many wait; whoever comes beyond is told, by AppError `throttled`.
 */
export function oneAfterAnother(
  waiting: number,
  busyWith: Sentence,
): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  return async (work) => {
    if (count > waiting) throw new AppError("throttled", busyWith, { retryAfter: 5 });
    count++;
    const done = last.then(work).finally(() => count--);
    last = done.catch(() => {});
    return await done;
  };
}
