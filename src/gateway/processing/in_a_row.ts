/** Number of parallel items, and time after which a batch starts no new ones and yields to others. */
const AT_ONCE = 5;
const TURN_MS = 2_000;
/** Duration of continuous work of this process, after which it yields to other work. */
const PAUSE_MS = 10;

/** Works on items from the first on, some side by side; the results of those that were begun. */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = [];
  const begun = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < items.length && (next < 1 || performance.now() - begun < TURN_MS)) {
      const at = next++;
      [results[at]] = await Promise.allSettled([work(items[at] as Item)]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

/**
 * Works on items like `sideBySide`, for work that mostly uses this process's CPU. Starts each item when the one before
 * is done or waits for something external. Uninterrupted repetition of the same work is faster.
 */
export async function inARow<Item, Result>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results: Promise<PromiseSettledResult<Result>>[] = [];
  const open = new Set<Promise<unknown>>();
  const begun = performance.now();
  let paused = begun;
  for (const [at, item] of items.entries()) {
    const now = performance.now();
    if (results.length && now - begun >= TURN_MS) break;
    if (now - paused >= PAUSE_MS) {
      await yieldToOthers();
      paused = performance.now();
    }
    const result = Promise.allSettled([work(item, at)]).then(([it]) => it);
    results.push(result);
    open.add(result);
    void result.then(() => open.delete(result));
    await Promise.race([result, yieldToOthers()]);
    while (open.size >= AT_ONCE) await Promise.race(open);
  }
  return await Promise.all(results);
}

function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
