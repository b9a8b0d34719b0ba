import { useEffect, useRef, useState } from "react";
import { Problem } from "../api/problem.ts";

/** What became of several records. */
export interface Outcome<T> {
  readonly done: readonly T[];
  /** Refused, or not reached. */
  readonly failed: readonly { readonly record: T; readonly problem: unknown }[];
  /** Not begun: the reader stopped it or left the page, or the product was not reached. */
  readonly left: readonly T[];
  /** The page it was begun on is gone: it is to be told elsewhere. */
  readonly isAbandoned: boolean;
}

/** The one that is worked on, from 1. */
export interface Progress {
  readonly at: number;
  readonly of: number;
}

/**
 * Does something to one record after the other. Stopping lets the one that has begun end; leaving the page stops as well, for nobody
 * sees any more how far it is.
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
    async run(records: readonly T[], work: (record: T) => Promise<unknown>): Promise<Outcome<T>> {
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
          // Nobody is asked in vain for each of them.
          if (problem instanceof Problem && problem.isOffline) break;
        }
      }
      setProgress(undefined);
      setStopping(false);
      const left = records.slice(done.length + failed.length);
      return { done, failed, left, isAbandoned: isGone.current };
    },
  };
}
