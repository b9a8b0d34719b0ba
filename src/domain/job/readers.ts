/**
 * Value that changes a caller's results in addition to permissions, stored as it was. It is `claims.<name>` or
 * `user.<field>` bound by a query, or `role.<name>` when rows depend on that role.
 */
export type Trait = readonly [name: string, value: unknown];

/** Callers who may read a value: they need these permissions and the same traits. */
export interface Readers {
  readonly needs: readonly string[];
  readonly traits: readonly Trait[];
}

export const EVERYBODY: Readers = { needs: [], traits: [] };

/** Returns the readers of a value that was computed from several values. */
export function combineReaders(readers: readonly Readers[]): Readers {
  const traits = new Map(
    readers.flatMap((it) => it.traits).map((it) => [JSON.stringify(it), it] as const),
  );
  return {
    needs: [...new Set(readers.flatMap((it) => it.needs))],
    traits: [...traits.values()],
  };
}

export function isForEverybody({ needs, traits }: Readers): boolean {
  return !needs.length && !traits.length;
}

/** Compares two values of a trait; the order of lists is ignored. */
export function isSameTrait(a: unknown, b: unknown): boolean {
  const text = (it: unknown) => JSON.stringify(Array.isArray(it) ? it.map(String).sort() : it);
  return text(a ?? null) === text(b ?? null);
}
