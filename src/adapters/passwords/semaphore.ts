/** Lets a few calls work at once and a few more wait; beyond that it refuses at once. */
export function semaphore(
  { atOnce, waiting, refuse }: { atOnce: number; waiting: number; refuse: () => Error },
): <T>(work: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = [];
  let busy = 0;
  return async (work) => {
    if (busy < atOnce) busy++;
    else if (line.length >= waiting) throw refuse();
    else await new Promise<void>((resolve) => line.push(resolve)); // whoever leaves hands over its place
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else busy--;
    }
  };
}
