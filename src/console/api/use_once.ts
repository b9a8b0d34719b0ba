import { useRef } from "react";
import { ApiProblem } from "./problem.ts";

/**
 * Runs a call under an `Idempotency-Key` that stays the same until an answer arrives. A second press, a
 * reopened dialog or a lost answer therefore repeats the same call. `what` distinguishes several calls of one
 * component.
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
      // A rejected call may be changed and sent under a new key. A call without an answer may have arrived
      // and keeps its key.
      if (!(problem instanceof ApiProblem && problem.isOffline)) keys.delete(what);
      throw problem;
    }
  };
}
