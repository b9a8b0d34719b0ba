import { AppError } from "./errors.ts";
import type { Sentence } from "./sentences/sentence.ts";

/** Of one kind of work a process does one thing at a time; whoever comes meanwhile is told, by AppError `throttled`. */
export function oneAtATime(busyWith: Sentence): <T>(work: () => Promise<T>) => Promise<T> {
  let isBusy = false;
  return async (work) => {
    if (isBusy) throw new AppError("throttled", busyWith, { retryAfter: 5 });
    isBusy = true;
    try {
      return await work();
    } finally {
      isBusy = false;
    }
  };
}
