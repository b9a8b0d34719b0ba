import { newSingleFlight } from "#src/kernel/concurrency/single_flight.ts";
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Deps } from "#src/deps.ts";
import type { QueryDefinition } from "#src/definitions/connectors.ts";
import { RELOADED } from "#src/framework/configuration/mod.ts";
import { milliseconds } from "#src/kernel/units.ts";
import type { DatabasePool, Statement } from "#src/ports/pool.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_SIZE = 1024 * 1024;

export const INVALIDATED = "query.invalidated";

export interface CachedResult<T> {
  readonly value: T;
  readonly age: number;
  readonly how: "hit" | "miss" | "stale";
}

interface Entry {
  readonly query: string;
  readonly value: object;
  readonly size: number;
  readonly at: number;
}

export interface CacheRequest<T extends object> {
  readonly query: string;
  readonly cache: NonNullable<QueryDefinition["cache"]>;
  readonly key: string;
  /** True to query the database in spite of a cached answer. */
  readonly anew: boolean;
  ask(): Promise<T>;
}

/**
 * Answers of queries with a cache setting, in the memory of this process. Equal calls at the same time share one
 * database query. Within `stale`, the old answer is returned while it is refreshed. A write drops the queries it names
 * in every process; a change or reload of connectors or pools drops all.
 */
export interface ResultCache {
  get<T extends object>(request: CacheRequest<T>): Promise<CachedResult<T>>;
  drop(query: string): void;
}

/** Creates a cache in the memory of this process; drops of any process apply to all. */
export function resultCache(
  { clock, live, log }: Pick<Deps, "clock" | "live" | "log">,
): ResultCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ size }) => Math.max(1, size),
  });
  const share = newSingleFlight<object>();
  /** Number of drops, so that an answer read before a drop is not cached after it. */
  let drops = 0;
  const drop = (query: string) => {
    drops++;
    for (const [key, entry] of entries.entries()) if (entry.query === query) entries.delete(key);
  };
  live.subscribe(({ type, data }) => {
    if (type === INVALIDATED) drop(String((data as { query?: unknown }).query));
    if (type !== RELOADED || !concernsAnswers(data)) return;
    drops++;
    entries.clear();
  });
  const now = () => clock.now().getTime();
  const askOnce = <T extends object>({ query, key, ask }: CacheRequest<T>): Promise<T> => {
    const seen = drops;
    return share(async () => {
      const value = await ask();
      const size = JSON.stringify(value).length;
      if (size <= MAX_SIZE && seen === drops) entries.set(key, { query, value, size, at: now() });
      return value;
    }, key) as Promise<T>;
  };
  return {
    drop,
    async get<T extends object>(request: CacheRequest<T>) {
      const { cache } = request;
      const entry = request.anew ? undefined : entries.get(request.key);
      const age = entry ? now() - entry.at : 0;
      const ttl = milliseconds(cache.ttl);
      const stale = cache.stale ? milliseconds(cache.stale) : 0;
      if (entry && age <= ttl) return { value: entry.value as T, age, how: "hit" };
      if (entry && age <= ttl + stale) {
        askOnce(request).catch((error) =>
          log.warn("query.refresh.failed", { query: request.query, error })
        );
        return { value: entry.value as T, age, how: "stale" };
      }
      return { value: await askOnce(request), age: 0, how: "miss" };
    },
  };
}

/** A reload without changes is a request to refresh everything. */
function concernsAnswers(data: unknown): boolean {
  const { changed = [] } = data as { changed?: readonly string[] };
  return !changed.length || changed.some((it) => it === "connectors" || it === "pools");
}

const pools = new WeakMap<DatabasePool, number>();
let lastPool = 0;

/** Returns a key of all inputs of the answer; the statement's values include those of the caller. */
export function computeKey(
  { query, definition, pool, statement, more }: {
    query: string;
    definition: QueryDefinition;
    pool: DatabasePool;
    statement: Statement;
    more: unknown;
  },
): string {
  const number = pools.get(pool) ?? ++lastPool;
  pools.set(pool, number);
  const parts = [query, definition, number, statement.text, statement.values, more];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}
