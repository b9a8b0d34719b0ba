import type { SectionName } from "#src/definitions/sections.ts";
import { type Holders, holdersOf } from "#src/features/access/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { Problem } from "#src/ports/configuration.ts";
import type { Assembled, Broken } from "./assemble.ts";

/** What a change does beyond its own section. */
export interface Impact {
  /** References that lead somewhere now and would not any more. */
  readonly broken: readonly Broken[];
  readonly codesGone: readonly string[];
  readonly codesNew: readonly string[];
  /** Who loses what. */
  readonly losses: readonly Holders[];
}

export async function impactOf(db: Db, before: Assembled, after: Assembled): Promise<Impact> {
  const codesGone = [...before.codes].filter((it) => !after.codes.has(it)).sort();
  return {
    broken: newlyBroken(before, after),
    codesGone,
    codesNew: [...after.codes].filter((it) => !before.codes.has(it)).sort(),
    losses: await holdersOf(db, codesGone),
  };
}

export function newlyBroken(before: Assembled, after: Assembled): Broken[] {
  const known = new Set(before.broken.map((it) => it.key));
  return after.broken.filter((it) => !known.has(it.key));
}

/**
 * Problems that keep a change from being made: all of the sections that change, and new ones of others. What others
 * had before does not.
 */
export function ownProblems(
  { before, after }: { before: Assembled; after: Assembled },
  changed: ReadonlySet<SectionName>,
): Problem[] {
  const known = new Set(before.problems.map(identityOf));
  return after.problems.filter((it) => changed.has(it.section) || !known.has(identityOf(it)));
}

function identityOf({ section, path, sentence }: Problem): string {
  return JSON.stringify([section, path, sentence]);
}
