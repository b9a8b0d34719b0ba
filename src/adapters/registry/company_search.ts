import { LRUCache } from "lru-cache";
import { readCapped } from "#src/kernel/capped_body.ts";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Registry, RegistryAnswer, RegistryQuery } from "#src/ports/registry.ts";
import { readRetryAfter } from "../http/retry_after.ts";

interface RegistrySettings {
  /** Up to the search itself, e.g. `https://recherche-entreprises.api.gouv.fr`. */
  readonly baseUrl: string;
  /** Default 8000. */
  readonly timeoutMs?: number;
  /** The registry's own limit is 7. */
  readonly requestsPerSecond?: number;
  /** Time in ms that an answer is cached; default 60000. */
  readonly cacheMs?: number;
}

const CACHED = 200;
const MAX_QUEUE_MS = 5000;
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Searches the national company register and passes its two fields through. The requests per second are limited,
 * and answers are cached shortly.
 */
export function registryClient(settings: RegistrySettings): Registry {
  const cache = new LRUCache<string, RegistryAnswer>({
    max: CACHED,
    ttl: settings.cacheMs ?? 60_000,
    ttlResolution: 0,
  });
  const waitForTurn = rateLimiter(settings.requestsPerSecond ?? 7);
  return {
    async search(query, context = {}) {
      const url = searchUrl(settings, query);
      const kept = cache.get(url);
      if (kept) return kept;
      await waitForTurn(context.signal);
      const answer = await ask(settings, url, context.signal);
      cache.set(url, answer);
      return answer;
    },
  };
}

function searchUrl(settings: RegistrySettings, query: RegistryQuery): string {
  const q = query.q.trim();
  if (q === "" || q.length > 300) {
    throw new AppError(
      "invalid",
      say`A search text of 1 to 300 characters is needed, not ${q.length}`,
    );
  }
  const page = Math.max(1, Math.trunc(query.page ?? 1));
  const perPage = Math.min(25, Math.max(1, Math.trunc(query.perPage ?? 10)));
  const parameters = new URLSearchParams({ q, page: String(page), per_page: String(perPage) });
  return `${settings.baseUrl.replace(/\/+$/, "")}/search?${parameters}`;
}

/** Lets callers through evenly; who would wait too long is sent away. */
function rateLimiter(perSecond: number): (signal?: AbortSignal) => Promise<void> {
  const gap = 1000 / perSecond;
  let next = 0;
  return async (signal) => {
    const now = performance.now();
    const wait = Math.max(0, next - now);
    if (wait > MAX_QUEUE_MS) {
      throw new AppError("throttled", say`Too many registry searches at once`, {
        retryAfter: Math.ceil(wait / 1000),
      });
    }
    next = Math.max(now, next) + gap;
    await delay(wait, signal);
  };
}

async function ask(
  settings: RegistrySettings,
  url: string,
  signal: AbortSignal | undefined,
): Promise<RegistryAnswer> {
  const limits = [AbortSignal.timeout(settings.timeoutMs ?? 8000), ...(signal ? [signal] : [])];
  let response: Response;
  let bytes: Uint8Array | undefined;
  try {
    response = await fetch(url, {
      headers: { accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.any(limits),
    });
    bytes = await readCapped(response, MAX_BYTES);
  } catch (cause) {
    throw new AppError("upstream", say`The company registry did not answer`, { cause });
  }
  return readAnswer(response, bytes);
}

function readAnswer(response: Response, bytes: Uint8Array | undefined): RegistryAnswer {
  const { status } = response;
  if (status === 429) {
    const retryAfter = readRetryAfter(response.headers) || 1;
    throw new AppError("throttled", say`The company registry asks for a pause`, { retryAfter });
  }
  const body = bytes && parse(bytes);
  const { results, total_results, erreur } = body ?? {};
  if (status === 400) {
    const why = typeof erreur === "string" ? erreur.slice(0, 300) : "no reason given";
    throw new AppError("invalid", say`The company registry refuses the search: ${why}`);
  }
  if (status !== 200 || !Array.isArray(results)) {
    throw new AppError(
      "upstream",
      say`The company registry answered HTTP ${status} without results`,
    );
  }
  return {
    results,
    total_results: typeof total_results === "number" ? total_results : results.length,
  };
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
