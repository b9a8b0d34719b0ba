/** Lets simultaneous callers of a key share one run. */
export type SingleFlight<T> = (work: () => Promise<T>, key?: string) => Promise<T>;

/** Creates a function that runs the work, or joins the running work of the same key. Results are not cached. */
export function newSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Promise<T>>();
  return (work, key = "") => {
    const known = running.get(key);
    if (known) return known;
    const run = work().finally(() => running.delete(key));
    running.set(key, run);
    return run;
  };
}
