import { useRef } from "react";
import { Problem } from "./problem.ts";

/**
 * Has work done once under its `Idempotency-Key`, which stays the same until there is an answer: pressed twice, put away and asked
 * again, or after an answer was lost, it is the same call. `what`: one of several that are asked for by the same part of a page.
 */
export function useOnce() {
  const keys = useRef(new Map<string, string>()).current;
  return async <Out>(what: string, work: (key: string) => Promise<Out>): Promise<Out> => {
    const key = keys.get(what) ?? crypto.randomUUID();
    keys.set(what, key);
    try {
      const done = await work(key);
      keys.delete(what);
      return done;
    } catch (problem) {
      // What was refused may be changed and asked for anew; what got no answer may have arrived.
      if (!(problem instanceof Problem && problem.isOffline)) keys.delete(what);
      throw problem;
    }
  };
}
