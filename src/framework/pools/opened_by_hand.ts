import type { Deps } from "#src/deps.ts";
import { type PoolState, readPoolStates, writePoolState } from "./store.ts";

export const CLOSED = "pool.closed";

/** Time during which another process may still use a closed pool. */
const KNOWN_MS = 1_000;

interface OpenedByHand {
  /** Returns the last manual action on it; undefined without one. */
  state(name: string, options?: { readonly anew?: boolean }): Promise<PoolState | undefined>;
  open(name: string, by: string): Promise<void>;
  /** Tells every process. */
  close(name: string, by: string): Promise<void>;
}

/**
 * Manages manually opened and closed pools, the same for all processes. `from` identifies this process in
 * announcements.
 */
export function openedByHand(
  { db, live }: Pick<Deps, "db" | "live">,
  from: string,
): OpenedByHand {
  let known: { states: Promise<ReadonlyMap<string, PoolState>>; until: number } | undefined;
  const states = () => {
    const now = performance.now();
    if (!known || known.until < now) {
      known = { states: readPoolStates(db), until: now + KNOWN_MS };
      known.states.catch(() => known = undefined);
    }
    return known.states;
  };
  return {
    async state(name, { anew = false } = {}) {
      if (anew) known = undefined;
      return (await states()).get(name);
    },
    async open(name, by) {
      await writePoolState(db, { name, state: "open", by });
      known = undefined;
    },
    async close(name, by) {
      await db.transaction(async (tx) => {
        await writePoolState(tx, { name, state: "closed", by });
        await live.publish(tx, {
          topic: "pools",
          type: CLOSED,
          permission: "settings:pools",
          data: { pool: name, from },
        });
      });
      known = undefined;
    },
  };
}
