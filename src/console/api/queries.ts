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
import { Problem } from "./problem.ts";
import type { paths } from "./schema.d.ts";

/** A path of the API that can be read. */
export type Read = {
  [P in keyof paths]: paths[P] extends { get: { responses: unknown } } ? P : never;
}[keyof paths];
type Answer<P extends Read> = paths[P] extends
  { get: { responses: { 200: { content: { "application/json": infer Body } } } } } ? Body
  : unknown;

/** Parameters of a reading: of the path, of the query, and in headers. */
export interface Given {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, string>>;
}

interface ReadOptions<A = unknown> {
  /** False: not yet. */
  readonly when?: boolean;
  /** Whether the last answer stays until the next one is there, as pages of a list do. */
  readonly keep?: boolean;
  /** Read again so often, in milliseconds, beside what live events say; perhaps by what was answered last. */
  readonly everyMs?: number | ((last: A | undefined) => number);
}

/**
 * What a path of the API answers, kept and read again when a live event concerns it. Its key begins with the path, so that
 * `queryClient.invalidateQueries({ queryKey: ["/api/invoices"] })` concerns exactly what it says.
 */
export function useRead<P extends Read>(
  path: P,
  given: Given = {},
  { when = true, keep = false, everyMs }: ReadOptions<Answer<P>> = {},
) {
  return useQuery<Answer<P>, Problem>({
    queryKey: [path, given],
    queryFn: ({ signal }) => read(path, given, signal),
    enabled: when,
    ...keep && { placeholderData: keepPreviousData },
    ...everyMs !== undefined && {
      refetchInterval: typeof everyMs === "number" ? everyMs : ({ state }) => everyMs(state.data),
    },
  });
}

/** As `useRead`, with the tag of its version, for what is changed by `if-match`. */
export function useTagged<P extends Read>(
  path: P,
  given: Given,
  { when = true }: Pick<ReadOptions, "when"> = {},
) {
  return useQuery<{ readonly body: Answer<P>; readonly etag: string }, Problem>({
    queryKey: [path, given, "tagged"],
    async queryFn({ signal }) {
      const { data, response } = await get(path, given, signal);
      return { body: data as Answer<P>, etag: etagOf(response) };
    },
    enabled: when,
  });
}

/** The tag of what an answer shows or changed. */
export function etagOf({ headers }: Response): string {
  return headers.get("etag") ?? "";
}

/** As `useRead`, once, outside of what is shown. */
export async function read<P extends Read>(
  path: P,
  given: Given = {},
  signal?: AbortSignal,
): Promise<Answer<P>> {
  const { data } = await get(path, given, signal);
  return data as Answer<P>;
}

function get(path: Read, given: Given, signal?: AbortSignal) {
  // The path chooses the parameters; TypeScript cannot follow that through a variable.
  const ask = api.GET as (
    path: string,
    init: object,
  ) => Promise<{ data: unknown; response: Response }>;
  return ask(path, { params: given, ...signal && { signal } })
    .catch((error: unknown) => Promise.reject(isNoName(error, given) ? nothingThere() : error));
}

/** What the address names cannot be the name of anything, as an id that is no UUID: there is no such thing. */
function isNoName(error: unknown, { path = {} }: Given): boolean {
  if (!(error instanceof Problem && (error.status === 400 || error.status === 422))) return false;
  return Object.keys(path).some((name) => new RegExp(`^${name}\\s*:`).test(error.message));
}

const nothingThere = () => new Problem("", { status: 404 });

/**
 * A call that changes something; afterwards what begins with one of `touches` is read again. Asked for twice in the same words, as by two
 * clicks before the button shows that it works, it is one call. What fails once the part of the page that asked is gone is told elsewhere,
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
  return useMutation<Out, Problem, In>({
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

/** Plain values by what they hold, files and the like by being the same. */
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

/** A call that changes nothing, asked for by a button: what was not answered can be asked again without a look at what became of it. */
export function useAsk<In, Out>(
  ask: (input: In) => Promise<Out>,
  touches: readonly string[] = [],
) {
  return useChange(
    async (input: In) => {
      try {
        return await ask(input);
      } catch (error) {
        if (!(error instanceof Problem && error.isOffline)) throw error;
        throw new Problem(error.message, { status: 0, body: { isAsked: true } });
      }
    },
    touches,
    { isMissed: false },
  );
}

/** Reads again whatever was read below these paths; resolves when what is shown of it has been. */
export function readAgain(client: QueryClient, below: readonly string[]): Promise<void> {
  return client.invalidateQueries({ predicate: isBelow(below) });
}

function isBelow(below: readonly string[]) {
  return ({ queryKey: [path] }: Query) =>
    below.some((it) => typeof path === "string" && path.startsWith(it));
}

/**
 * As `readAgain`, of what events tell: what is being read goes on, or a stream of them would end each slow reading before its answer,
 * and is read once more then, for it may have begun before what happened.
 */
export function readInTurn(client: QueryClient, below: readonly string[]): void {
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
  await query.promise?.catch(() => {}); // whoever asked is told
  once.delete(query);
  await client.invalidateQueries({ predicate: (it) => it === query }, { cancelRefetch: false });
}

/**
 * Reads everything again. What has no answer yet is asked anew, for it may wait for a connection that died without a word: by itself
 * the client waits on.
 */
export async function readAllAgain(client: QueryClient): Promise<void> {
  await client.cancelQueries({ predicate: ({ state }) => state.data === undefined });
  void readAgain(client, ["/"]);
}

/** `tell` says what failed of a change that nobody sees any more. */
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
        // What was refused stays refused; what was not reached is asked for again.
        retry: (failures, error) =>
          failures < 2 && error instanceof Problem && (error.isOffline || error.status >= 502),
      },
      mutations: { networkMode: "always" },
    },
  });
}
