import { useEffect, useRef, useState } from "react";
import { ApiProblem } from "../api/problem.ts";

/** Result of work on several records. */
export interface BatchResult<T> {
  readonly done: readonly T[];
  /** Rejected, or not reached. */
  readonly failed: readonly { readonly record: T; readonly problem: unknown }[];
  /** Not started: the reader stopped the work or left the page, or the product was unreachable. */
  readonly left: readonly T[];
  /** The page of the work was left, so the result is reported elsewhere. */
  readonly isAbandoned: boolean;
}

/** Number of the current record, from 1. */
export interface Progress {
  readonly at: number;
  readonly of: number;
}

/**
 * Processes records one after the other. Stopping finishes the current record first. Leaving the page stops
 * too, since nobody sees the progress any longer.
 */
export function useOneByOne<T>() {
  const [progress, setProgress] = useState<Progress>();
  const [isStopping, setStopping] = useState(false);
  const stopped = useRef(false);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => void (isGone.current = true);
  }, []);
  return {
    progress,
    isStopping,
    stop() {
      stopped.current = true;
      setStopping(true);
    },
    async run(
      records: readonly T[],
      work: (record: T) => Promise<unknown>,
    ): Promise<BatchResult<T>> {
      stopped.current = false;
      const done: T[] = [];
      const failed: { record: T; problem: unknown }[] = [];
      for (const [index, record] of records.entries()) {
        if (stopped.current || isGone.current) break;
        setProgress({ at: index + 1, of: records.length });
        try {
          await work(record);
          done.push(record);
        } catch (problem) {
          failed.push({ record, problem });
          // An unreachable product would fail for every further record.
          if (problem instanceof ApiProblem && problem.isOffline) break;
        }
      }
      setProgress(undefined);
      setStopping(false);
      const left = records.slice(done.length + failed.length);
      return { done, failed, left, isAbandoned: isGone.current };
    },
  };
}
