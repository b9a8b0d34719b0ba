import type { RuleBook } from "#src/ports/rule_book.ts";
import { buildRuleSet } from "./rule_set.ts";
import { SHIPPED_FOLDER, shippedSets } from "./shipped.ts";
import { unzipRelease, zipRelease } from "./zip.ts";

export const tools = { build: buildRuleSet, unzip: unzipRelease, zip: zipRelease };

/** The sets of the product alone, compiled when they are first used: for the command line and for threads. */
export function shippedRuleBook(folder: string = SHIPPED_FOLDER): RuleBook {
  const sets = shippedSets(folder);
  return {
    ...tools,
    sets: () => sets,
    overrides: () => [],
    broken: () => [],
    reload: () => Promise.resolve(),
    run: () => Promise.resolve(),
  };
}
