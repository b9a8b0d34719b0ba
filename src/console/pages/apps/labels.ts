import { useQueries } from "@tanstack/react-query";
import type { components } from "../../api/schema.d.ts";
import { readPath } from "../../api/queries.ts";

type Lookup = components["schemas"]["DictionaryLookup"];
type LookupValue = components["schemas"]["LookupValue"];
export type Lookups = Readonly<Record<string, Lookup>>;

const PATH = "/api/dictionary/lookups/{name}";
/** Most values in one call. */
const AT_ONCE = 50;
const FRESH_MS = 60_000;

interface Waiting {
  readonly value: string;
  readonly resolve: (found: LookupValue | null) => void;
  readonly reject: (problem: unknown) => void;
}
const waiting = new Map<string, Waiting[]>();

/** Returns the label of a value. Requests of the same moment, from all cells of a grid, share one call. */
function readLabel(name: string, value: string): Promise<LookupValue | null> {
  return new Promise((resolve, reject) => {
    const together = waiting.get(name) ?? [];
    if (together.length === 0) setTimeout(() => void askTogether(name));
    waiting.set(name, [...together, { value, resolve, reject }]);
  });
}

async function askTogether(name: string): Promise<void> {
  const all = waiting.get(name) ?? [];
  waiting.delete(name);
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE);
    try {
      const query = { value: some.map((it) => it.value), limit: AT_ONCE };
      const { items } = await readPath(PATH, { path: { name }, query });
      for (const { value, resolve } of some) {
        resolve(items.find((it) => String(it.value) === value) ?? null);
      }
    } catch (problem) {
      for (const { reject } of some) reject(problem);
    }
  }
}

/**
 * Returns the labels of lookup values by value. A value that is missing or not loaded yet is its own label.
 */
export function useLabels(
  lookups: Lookups,
  name: string | undefined,
  values: readonly string[],
): ReadonlyMap<string, LookupValue> {
  const lookup = name === undefined ? undefined : lookups[name];
  const asked = name !== undefined && lookup?.type === "query" ? [...new Set(values)] : [];
  const answers = useQueries({
    queries: asked.map((value) => ({
      queryKey: [PATH, name, value],
      queryFn: () => readLabel(name ?? "", value),
      staleTime: FRESH_MS,
    })),
  }).map(({ data }) => data);
  const known = values.map((value) => lookup?.values?.find((it) => String(it.value) === value));
  return new Map([...known, ...answers].flatMap((it) => it ? [[String(it.value), it]] : []));
}
