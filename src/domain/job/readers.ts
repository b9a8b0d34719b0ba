/**
 * What tells callers apart beside their permissions, as it was: `claims.<name>` or `user.<field>` that a query binds,
 * `role.<name>` where its rows depend on who has it.
 */
export type Trait = readonly [name: string, value: unknown];

/** Who may see a value: whoever holds these permissions and has these traits. */
export interface Readers {
  readonly needs: readonly string[];
  readonly traits: readonly Trait[];
}

export const EVERYBODY: Readers = { needs: [], traits: [] };

/** Who may see what was made of several values. */
export function allOf(readers: readonly Readers[]): Readers {
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

/** The same value of a trait; lists are the same in any order. */
export function isSameTrait(a: unknown, b: unknown): boolean {
  const text = (it: unknown) => JSON.stringify(Array.isArray(it) ? it.map(String).sort() : it);
  return text(a ?? null) === text(b ?? null);
}
