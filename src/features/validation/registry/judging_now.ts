import type { Deps } from "#src/deps.ts";
import type { Actor } from "#src/ports/access.ts";
import { currentSets } from "../judging/choose_sets.ts";
import { dayOf } from "../judging/severity.ts";

/** Who changes rules, as the audit and the registry keep it. */
export type Author = Pick<Actor, "username" | "address" | "audited">;

/** The version of a set that judges today, for the audit; undefined where none does. */
export function judging(
  { clock, rules }: Pick<Deps, "clock" | "rules">,
  id: string,
): { version: string; effectiveFrom: string } | undefined {
  const versions = rules.sets().filter((it) => it.manifest.id === id);
  const [current] = currentSets(versions, dayOf(clock.now()));
  return current && { version: current.manifest.version, effectiveFrom: current.effectiveFrom };
}
