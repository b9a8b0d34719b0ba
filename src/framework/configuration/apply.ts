import type { Deps } from "#src/deps.ts";
import { isSectionName, type SectionName } from "#src/definitions/sections.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import {
  type Change,
  type ChangeDeps,
  type ChangeOutcome,
  changeSections,
  textsAt,
} from "./change_sections.ts";
import { readCurrentRevisions } from "./store.ts";

interface Bundle {
  readonly sections: ReadonlyMap<SectionName, string>;
  /** Sections that are not in the bundle are removed. */
  readonly prune: boolean;
}

/** Changes many sections in one transaction, as a release or a folder of files brings them. */
export async function applyBundle(
  deps: ChangeDeps,
  { sections, prune }: Bundle,
  how: Pick<Change, "by" | "rights" | "note" | "mayReload" | "force" | "dryRun">,
): Promise<ChangeOutcome & { changed: readonly SectionName[] }> {
  const outcome = await changeSections(deps, {
    ...how,
    texts(stored) {
      const gone = prune ? [...stored.keys()].filter((it) => !sections.has(it)) : [];
      return new Map([...gone.map((it) => [it, ""] as const), ...sections]);
    },
  });
  return { ...outcome, changed: [...outcome.tags.keys()] };
}

/** Every section that is there, as it is stored. */
export async function exportSections({ db }: Pick<Deps, "db">): Promise<Map<SectionName, string>> {
  const stored = await textsAt(db, await readCurrentRevisions(db), "stored");
  return new Map([...stored].filter(([, text]) => text.trim()).sort(([a], [b]) => a < b ? -1 : 1));
}

/** Throws AppError `refused` naming the first key that is no name of a section. */
export function parseSections(
  texts: Iterable<readonly [string, string]>,
): Map<SectionName, string> {
  const found = new Map<SectionName, string>();
  for (const [name, text] of texts) {
    if (!isSectionName(name)) {
      throw new AppError("refused", say`There is no section ${name.slice(0, 100)}`);
    }
    found.set(name, text);
  }
  return found;
}
