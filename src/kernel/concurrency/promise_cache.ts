import { LRUCache } from "lru-cache";

export interface PromiseCache<V> {
  /** Returns the cached value, or reads it once for all waiting callers. Failures are not cached. */
  get(key: string, read: () => Promise<V>): Promise<V>;
  clear(): void;
}

/** Caches values for `ms` milliseconds, by default without end, at most `limit` of them: those longest unused go first. */
export function newPromiseCache<V>(
  { ms = 0, limit = 1_000 }: { ms?: number; limit?: number } = {},
): PromiseCache<V> {
  const entries = new LRUCache<string, Promise<V>>({ max: limit, ttl: ms, ttlResolution: 0 });
  return {
    get(key, read) {
      const known = entries.get(key);
      if (known) return known;
      const value = read();
      entries.set(key, value);
      value.catch(() => entries.peek(key) === value && entries.delete(key));
      return value;
    },
    clear: () => entries.clear(),
  };
}
