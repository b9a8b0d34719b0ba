import type { RuleBook } from "#src/ports/rule_book.ts";
import { buildRuleSet } from "./rule_set.ts";
import { SHIPPED_FOLDER, shippedSets } from "./shipped.ts";
import { unzipRelease, zipRelease } from "./zip.ts";

/** Operations on releases that every rule book shares. */
export const releaseTools = { build: buildRuleSet, unzip: unzipRelease, zip: zipRelease };

/** Revision of a set without stored data. */
export const AS_SHIPPED = "shipped";

/**
 * Returns the sets of the product alone, compiled when they are first used: for the command line and for threads.
 */
export function shippedRuleBook(folder: string = SHIPPED_FOLDER): RuleBook {
  const sets = shippedSets(folder);
  return {
    ...releaseTools,
    sets: () => sets,
    overrides: () => [],
    broken: () => [],
    revision: () => AS_SHIPPED,
    storedRevision: () => Promise.resolve(AS_SHIPPED),
    reload: () => Promise.resolve(),
    run: () => Promise.resolve(),
  };
}
