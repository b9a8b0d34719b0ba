import { useQueries } from "@tanstack/react-query";
import type { components } from "../../api/schema.d.ts";
import { read } from "../../api/queries.ts";

type Lookup = components["schemas"]["DictionaryLookup"];
type LookupValue = components["schemas"]["LookupValue"];
export type Lookups = Readonly<Record<string, Lookup>>;

const PATH = "/api/dictionary/lookups/{name}";
/** Values that one call asks for at most. */
const AT_ONCE = 50;
const FRESH_MS = 60_000;

interface Waiting {
  readonly value: string;
  readonly resolve: (found: LookupValue | null) => void;
  readonly reject: (problem: unknown) => void;
}
const waiting = new Map<string, Waiting[]>();

/** What one value is called; what is asked for in one moment, by all cells of a grid, is one call. */
function labelOf(name: string, value: string): Promise<LookupValue | null> {
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
      const { items } = await read(PATH, { path: { name }, query });
      for (const { value, resolve } of some) {
        resolve(items.find((it) => String(it.value) === value) ?? null);
      }
    } catch (problem) {
      for (const { reject } of some) reject(problem);
    }
  }
}

/** What values of a lookup are called, by the value; one that is not there any more, or not yet, stands for itself. */
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
      queryFn: () => labelOf(name ?? "", value),
      staleTime: FRESH_MS,
    })),
  }).map(({ data }) => data);
  const known = values.map((value) => lookup?.values?.find((it) => String(it.value) === value));
  return new Map([...known, ...answers].flatMap((it) => it ? [[String(it.value), it]] : []));
}
