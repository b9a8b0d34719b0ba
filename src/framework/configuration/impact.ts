import type { SectionName } from "#src/definitions/sections.ts";
import { findHolders, type Holders } from "#src/platform/access/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { ConfigurationProblem } from "#src/ports/configuration.ts";
import type { Assembled, BrokenReference } from "./assemble.ts";

/** Effects of a change outside its own section. */
export interface ChangeImpact {
  /** References that lead somewhere now and would not any more. */
  readonly broken: readonly BrokenReference[];
  readonly codesGone: readonly string[];
  readonly codesNew: readonly string[];
  /** Permissions that users lose. */
  readonly losses: readonly Holders[];
}

export async function computeImpact(
  db: Db,
  before: Assembled,
  after: Assembled,
): Promise<ChangeImpact> {
  const codesGone = [...before.codes].filter((it) => !after.codes.has(it)).sort();
  return {
    broken: newlyBroken(before, after),
    codesGone,
    codesNew: [...after.codes].filter((it) => !before.codes.has(it)).sort(),
    losses: await findHolders(db, codesGone),
  };
}

export function newlyBroken(before: Assembled, after: Assembled): BrokenReference[] {
  const known = new Set(before.broken.map((it) => it.key));
  return after.broken.filter((it) => !known.has(it.key));
}

/**
 * Returns problems that block a change: all in the changed sections, and new ones in other sections. Existing problems
 * of other sections do not block it.
 */
export function ownProblems(
  { before, after }: { before: Assembled; after: Assembled },
  changed: ReadonlySet<SectionName>,
): ConfigurationProblem[] {
  const known = new Set(before.problems.map(getIdentity));
  return after.problems.filter((it) => changed.has(it.section) || !known.has(getIdentity(it)));
}

function getIdentity({ section, path, sentence }: ConfigurationProblem): string {
  return JSON.stringify([section, path, sentence]);
}
