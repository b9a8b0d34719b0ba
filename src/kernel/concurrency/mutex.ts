/** Runs the work of a key when all earlier work of that key has ended, whether or not it failed. */
export type Mutex = <T>(work: () => Promise<T>, key?: string) => Promise<T>;

export function newMutex(): Mutex {
  const ends = new Map<string, Promise<unknown>>();
  return async (work, key = "") => {
    const run = (ends.get(key) ?? Promise.resolve()).then(work, work);
    ends.set(key, run);
    try {
      return await run;
    } finally {
      if (ends.get(key) === run) ends.delete(key);
    }
  };
}
