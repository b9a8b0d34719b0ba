import {
  keepPreviousData,
  MutationCache,
  type Query,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "./client.ts";
import { ApiProblem } from "./problem.ts";
import type { paths } from "./schema.d.ts";

/** API path with a GET operation. */
export type Read = {
  [P in keyof paths]: paths[P] extends { get: { responses: unknown } } ? P : never;
}[keyof paths];
type Answer<P extends Read> = paths[P] extends
  { get: { responses: { 200: { content: { "application/json": infer Body } } } } } ? Body
  : unknown;

/** Parameters of a GET call: path, query and headers. */
export interface QueryInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, string>>;
}

interface ReadOptions<A = unknown> {
  /** False delays the call. */
  readonly when?: boolean;
  /** Keeps the previous answer until the next one arrives, for the pages of a list. */
  readonly keep?: boolean;
  /** Polling interval in milliseconds, in addition to live events. A function receives the last answer. */
  readonly everyMs?: number | ((last: A | undefined) => number | false);
}

/**
 * Reads a path of the API, caches the answer, and reads it again after a related live event. The cache key
 * begins with the path, so `queryClient.invalidateQueries({ queryKey: ["/api/invoices"] })` covers that path
 * and those below it.
 */
export function useRead<P extends Read>(
  path: P,
  given: QueryInput = {},
  { when = true, keep = false, everyMs }: ReadOptions<Answer<P>> = {},
) {
  return useQuery<Answer<P>, ApiProblem>({
    queryKey: [path, given],
    queryFn: ({ signal }) => readPath(path, given, signal),
    enabled: when,
    ...keep && { placeholderData: keepPreviousData },
    ...everyMs !== undefined && {
      refetchInterval: typeof everyMs === "number" ? everyMs : ({ state }) => everyMs(state.data),
    },
  });
}

/** Reads like `useRead` and also returns the version tag for `if-match`. */
export function useTagged<P extends Read>(
  path: P,
  given: QueryInput,
  { when = true }: Pick<ReadOptions, "when"> = {},
) {
  return useQuery<{ readonly body: Answer<P>; readonly etag: string }, ApiProblem>({
    queryKey: [path, given, "tagged"],
    async queryFn({ signal }) {
      const { data, response } = await get(path, given, signal);
      return { body: data as Answer<P>, etag: readEtag(response) };
    },
    enabled: when,
  });
}

/** Returns the ETag of an answer. */
export function readEtag({ headers }: Response): string {
  return headers.get("etag") ?? "";
}

/** Reads a path once, outside of React. */
export async function readPath<P extends Read>(
  path: P,
  given: QueryInput = {},
  signal?: AbortSignal,
): Promise<Answer<P>> {
  const { data } = await get(path, given, signal);
  return data as Answer<P>;
}

function get(path: Read, given: QueryInput, signal?: AbortSignal) {
  // TypeScript cannot infer the parameters from a path in a variable.
  const ask = api.GET as (
    path: string,
    init: object,
  ) => Promise<{ data: unknown; response: Response }>;
  return ask(path, { params: given, ...signal && { signal } })
    .catch((error: unknown) => Promise.reject(isNoName(error, given) ? nothingThere() : error));
}

/**
 * Returns true if the API rejected a path parameter as malformed, such as an id that is no UUID. The record
 * cannot exist.
 */
function isNoName(error: unknown, { path = {} }: QueryInput): boolean {
  if (!(error instanceof ApiProblem && (error.status === 400 || error.status === 422))) {
    return false;
  }
  return Object.keys(path).some((name) => new RegExp(`^${name}\\s*:`).test(error.message));
}

const nothingThere = () => new ApiProblem("", { status: 404 });

/**
 * Returns a mutation that reads all paths in `touches` again afterwards. A second call with equal input, such
 * as a double click, joins the running one. A failure after its component was removed is reported by a toast,
 * where `isMissed`.
 */
export function useChange<In, Out>(
  work: (input: In) => Promise<Out>,
  touches: readonly string[] = [],
  { isMissed = true }: { isMissed?: boolean } = {},
) {
  const client = useQueryClient();
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => void (isGone.current = true);
  }, []);
  const underWay = useRef<{ input: In; answer: Promise<Out> }[]>([]);
  return useMutation<Out, ApiProblem, In>({
    mutationFn: (input) => {
      const begun = underWay.current.find((it) => isSame(it.input, input));
      if (begun) return begun.answer;
      const answer = work(input).finally(() => {
        underWay.current = underWay.current.filter((it) => it.answer !== answer);
      });
      underWay.current.push({ input, answer });
      return answer;
    },
    onSettled: () => void readAgain(client, touches),
    meta: { isUntold: () => isMissed && isGone.current },
  });
}

/** Compares plain values by content, and files and other objects by identity. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other)) return false;
  const names = Object.keys(one);
  return Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((it) => Object.hasOwn(other, it) && isSame(one[it], other[it]));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return Array.isArray(value) ||
    typeof value === "object" && value !== null &&
      Object.getPrototypeOf(value) === Object.prototype;
}

/** Returns a call that changes nothing, for a button. After a lost answer it can simply be repeated. */
export function useAsk<In, Out>(
  ask: (input: In) => Promise<Out>,
  touches: readonly string[] = [],
) {
  return useChange(
    async (input: In) => {
      try {
        return await ask(input);
      } catch (error) {
        if (!(error instanceof ApiProblem && error.isOffline)) throw error;
        throw new ApiProblem(error.message, { status: 0, body: { isAsked: true } });
      }
    },
    touches,
    { isMissed: false },
  );
}

/** Reads everything below these paths again. Resolves when all visible answers are up to date. */
export function readAgain(client: QueryClient, below: readonly string[]): Promise<void> {
  return client.invalidateQueries({ predicate: isBelow(below) });
}

function isBelow(below: readonly string[]) {
  return ({ queryKey: [path] }: Query) =>
    below.some((it) => typeof path === "string" && path.startsWith(it));
}

/**
 * Reads these paths again after a live event. A running read finishes first and is then repeated, since it
 * may predate the event. Aborting it would starve slow reads.
 */
export function readSequentially(client: QueryClient, below: readonly string[]): void {
  const underWay = client.getQueryCache()
    .findAll({ predicate: isBelow(below), fetchStatus: "fetching" });
  void client.invalidateQueries({
    predicate: (it) => isBelow(below)(it) && !underWay.includes(it),
  });
  for (const it of underWay) void readOnceMore(client, it);
}

const once = new WeakSet<Query>();

async function readOnceMore(client: QueryClient, query: Query): Promise<void> {
  if (once.has(query)) return;
  once.add(query);
  await query.promise?.catch(() => {}); // the component that reads reports the failure
  once.delete(query);
  await client.invalidateQueries({ predicate: (it) => it === query }, { cancelRefetch: false });
}

/**
 * Reads everything again. Aborts reads without an answer first: they may hang on a dead connection, and the
 * client would keep waiting.
 */
export async function readAllAgain(client: QueryClient): Promise<void> {
  await client.cancelQueries({ predicate: ({ state }) => state.data === undefined });
  void readAgain(client, ["/"]);
}

/** Creates the query client. `tell` reports failures of changes whose component is gone. */
export function newQueryClient(tell: (problem: unknown) => void): QueryClient {
  return new QueryClient({
    mutationCache: new MutationCache({
      onError: (problem, _input, _before, { meta }) => {
        const isUntold = meta?.["isUntold"];
        if (typeof isUntold === "function" && isUntold()) tell(problem);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        networkMode: "always",
        // Retry unreachable products, but not calls that the API rejected.
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiProblem && (error.isOffline || error.status >= 502),
      },
      mutations: { networkMode: "always" },
    },
  });
}
