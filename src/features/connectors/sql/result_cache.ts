import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Deps } from "#src/deps.ts";
import type { QueryDefinition } from "#src/definitions/connectors.ts";
import { RELOADED } from "#src/features/configuration/mod.ts";
import { milliseconds } from "#src/kernel/units.ts";
import type { Pool, Statement } from "#src/ports/pool.ts";

const MOST_BYTES = 64 * 1024 * 1024;
const LARGEST = 1024 * 1024;

export const INVALIDATED = "query.invalidated";

export interface Kept<T> {
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
  /** Asks the database though an answer is kept. */
  readonly anew: boolean;
  ask(): Promise<T>;
}

/**
 * Answers of queries that ask for it, in this process: of calls that ask for the same at once one asks the database, and within
 * `stale` an old answer is given while it is asked for anew. In every process a write drops what it names, and a change or
 * reload of connectors or pools all.
 */
export interface ResultCache {
  get<T extends object>(request: CacheRequest<T>): Promise<Kept<T>>;
  drop(query: string): void;
}

/** A cache in the memory of this process; what any process drops from one is dropped from all. */
export function resultCache(
  { clock, live, log }: Pick<Deps, "clock" | "live" | "log">,
): ResultCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ size }) => Math.max(1, size),
  });
  const asking = new Map<string, Promise<object>>();
  /** Counts drops, so that an answer from before one is not kept after it. */
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
    const known = asking.get(key) as Promise<T> | undefined;
    if (known) return known;
    const seen = drops;
    const answer = ask().then((value) => {
      const size = JSON.stringify(value).length;
      if (size <= LARGEST && seen === drops) entries.set(key, { query, value, size, at: now() });
      return value;
    }).finally(() => asking.delete(key));
    asking.set(key, answer);
    return answer;
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

/** A reload that changed nothing was asked for to have everything anew. */
function concernsAnswers(data: unknown): boolean {
  const { changed = [] } = data as { changed?: readonly string[] };
  return !changed.length || changed.some((it) => it === "connectors" || it === "pools");
}

const pools = new WeakMap<Pool, number>();
let lastPool = 0;

/** By all that makes an answer what it is; the values of the caller are among those of the statement. */
export function keyOf(
  { query, definition, pool, statement, more }: {
    query: string;
    definition: QueryDefinition;
    pool: Pool;
    statement: Statement;
    more: unknown;
  },
): string {
  const number = pools.get(pool) ?? ++lastPool;
  pools.set(pool, number);
  const parts = [query, definition, number, statement.text, statement.values, more];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}
