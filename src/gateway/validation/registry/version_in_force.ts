import type { Deps } from "#src/deps.ts";
import type { Actor } from "#src/ports/access.ts";
import { currentSets } from "../judging/choose_sets.ts";
import { toFrenchDay } from "../judging/severity.ts";

/** User who changes rules, as stored in the audit and the registry. */
export type Author = Pick<Actor, "username" | "address" | "audited">;

/** Returns the version of a set in force today, for the audit; undefined when none is. */
export function findVersionInForce(
  { clock, rules }: Pick<Deps, "clock" | "rules">,
  id: string,
): { version: string; effectiveFrom: string } | undefined {
  const versions = rules.sets().filter((it) => it.manifest.id === id);
  const [current] = currentSets(versions, toFrenchDay(clock.now()));
  return current && { version: current.manifest.version, effectiveFrom: current.effectiveFrom };
}
