interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Turns work on several items into work on one. All items of one turn of the event loop are processed together,
 * later ones separately. `work` resolves to a result for each, in their order; if it throws, all fail.
 */
export function batchWork<In, Out>(
  work: (items: readonly In[]) => Promise<readonly Out[]>,
): (item: In) => Promise<Out> {
  let waiting: Waiting<In, Out>[] = [];

  async function begin(): Promise<void> {
    const group = waiting;
    waiting = [];
    try {
      const results = await work(group.map((it) => it.item));
      group.forEach((it, at) => it.resolve(results[at] as Out));
    } catch (error) {
      for (const it of group) it.reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (!waiting.length) setTimeout(() => void begin());
      waiting.push({ item, resolve, reject });
    });
}

/** Returns the result for a key and removes it, so that a second request for the same key gets none. */
export function takeFrom<Key, Found>(found: Map<Key, Found>, key: Key): Found | undefined {
  const it = found.get(key);
  found.delete(key);
  return it;
}
