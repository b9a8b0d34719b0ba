import { LRUCache } from "lru-cache";

interface BoundedCache<V> {
  /** Returns the cached value, or reads it once for all waiting callers. Failures are not cached. */
  get(key: string, read: () => Promise<V>): Promise<V>;
  clear(): void;
}

/** Values for `ms` milliseconds, at most `limit` of them: those longest unused go first. */
export function boundedCache<V>({ ms, limit }: { ms: number; limit: number }): BoundedCache<V> {
  const entries = new LRUCache<string, Promise<V>>({ max: limit, ttl: ms, ttlResolution: 0 });
  return {
    get(key, read) {
      const kept = entries.get(key);
      if (kept) return kept;
      const value = read();
      entries.set(key, value);
      value.catch(() => entries.peek(key) === value && entries.delete(key));
      return value;
    },
    clear: () => entries.clear(),
  };
}
