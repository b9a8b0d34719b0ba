/** A worker that makes results of the next items, a few at a time. */
export interface Lane<Item, Made> {
  readonly size: number;
  make(items: readonly Item[]): Promise<readonly Made[]>;
}

/** Batches that are made before the first of them is printed. */
const MAX_AHEAD = 256;

/** Lets each lane take the next items when it is free. Yields the results in the order of the items. */
export async function* inOrder<Item, Made>(
  items: readonly Item[],
  lanes: readonly Lane<Item, Made>[],
): AsyncGenerator<Made> {
  const batches: Promise<readonly Made[]>[] = [];
  const busy = new Map<Lane<Item, Made>, Promise<void>>();
  const made = new Set<Promise<readonly Made[]>>();
  let next = 0;
  while (next < items.length || batches.length > 0) {
    for (const lane of lanes) {
      if (busy.has(lane) || next >= items.length || batches.length >= MAX_AHEAD) continue;
      const batch = lane.make(items.slice(next, next + lane.size));
      next += lane.size;
      batches.push(batch);
      const free = () => {
        made.add(batch);
        busy.delete(lane);
      };
      busy.set(lane, batch.then(free, free)); // a rejection is thrown below, in the order of the items
    }
    const [first] = batches;
    if (first === undefined) continue;
    if (!made.has(first)) await Promise.race(busy.values());
    if (!made.delete(first)) continue;
    batches.shift();
    yield* await first;
  }
}
