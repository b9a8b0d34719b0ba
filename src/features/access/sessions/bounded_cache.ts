export interface BoundedCache<V> {
  /** What is kept, or what `read` finds, asked once for all who wait. A failure is kept by nobody. */
  get(key: string, read: () => Promise<V>): Promise<V>;
  clear(): void;
}

/** Values for `ms` milliseconds, at most `limit` of them. */
export function boundedCache<V>({ ms, limit }: { ms: number; limit: number }): BoundedCache<V> {
  const entries = new Map<string, { value: Promise<V>; until: number }>();
  return {
    get(key, read) {
      const now = performance.now();
      const kept = entries.get(key);
      if (kept && kept.until > now) return kept.value;
      if (entries.size >= limit) entries.clear();
      const value = read();
      const entry = { value, until: now + ms };
      entries.set(key, entry);
      value.catch(() => entries.get(key) === entry && entries.delete(key));
      return value;
    },
    clear: () => entries.clear(),
  };
}
