interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Work on one thing, made of work on several: what is asked for in one turn of the event loop is done together, what comes
 * later by itself. `work` resolves to a result for each, in their order; where it throws, all have failed.
 */
export function gathered<In, Out>(
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

/** What was found for one of a group, given once: of two who asked for the same the second has nothing. */
export function takeFrom<Key, Found>(found: Map<Key, Found>, key: Key): Found | undefined {
  const it = found.get(key);
  found.delete(key);
  return it;
}
