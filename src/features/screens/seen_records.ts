import { readingCode } from "#src/definitions/codes.ts";
import { type ReadNeeds, runRead, type Shared, traitsOf } from "#src/features/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Actor } from "#src/ports/access.ts";
import { findScreen, type FoundScreen, type ScreenName } from "./find_screen.ts";
import type { LockedRecord } from "./locks/mod.ts";
import { recordOf } from "./record_of.ts";

type Key = LockedRecord["key"];

/** Whether who reads decides which rows a screen shows. Then what a record is called is not for all who may open the screen. */
export function isOfReader({ source }: Pick<FoundScreen, "source">): boolean {
  return traitsOf(source.definition).length > 0;
}

/** As `isOfReader`, of a screen by its name; true of one that is there no more. */
export function mayHideRecords(snapshot: Snapshot, name: ScreenName): boolean {
  try {
    return isOfReader(findScreen(snapshot, name));
  } catch {
    return true;
  }
}

/** Conditions of a filter, and rows, that are asked for at once. */
const AT_ONCE = 50;

/**
 * Those of the records that the reader finds in the screen's grid; undefined where the grid cannot be asked without parameters
 * that a reader chooses. Throws what a pool throws.
 */
export async function recordsSeen(
  needs: ReadNeeds,
  shared: Shared,
  { found, keys, actor, errorId }: {
    found: FoundScreen;
    keys: readonly Key[];
    actor: Actor;
    errorId: string;
  },
): Promise<ReadonlySet<string> | undefined> {
  const { definition: { key = [] }, source } = found;
  const { cache: _, page: __, ...definition } = source.definition;
  const chosen = Object.values(definition.params ?? {}).some((it) =>
    it.required && it.from === undefined && it.default === undefined
  );
  if (chosen) return undefined;
  const asking = { ...source, definition: { ...definition, filter: key } };
  const seen = new Set<string>();
  const most = Math.max(1, Math.floor(AT_ONCE / (key.length + 2)));
  for (let at = 0; at < keys.length; at += most) {
    const some = keys.slice(at, at + most);
    const q = [{
      or: some.map((it) => ({ and: key.map((name) => ({ [name]: { "=": it[name] } })) })),
    }];
    const call = { actor, errorId, isAuthor: false, found: asking, params: {}, anew: true };
    const { value: { items } } = await runRead(needs, shared, {
      ...call,
      asked: { limit: AT_ONCE, q },
    });
    for (const row of items) {
      const given = Object.fromEntries(key.map((name) => [name, row[name]]));
      seen.add(nameOf((await recordOf(needs, found, given)).key));
    }
  }
  return seen;
}

/** Whether somebody may hear of a record: they find it in the grid, or the grid shows the same rows to all, or cannot be asked. */
export async function mayHearOf(
  needs: ReadNeeds,
  shared: Shared,
  { found, key, actor, errorId }: {
    found: FoundScreen;
    key: Key;
    actor: Actor;
    errorId: string;
  },
): Promise<boolean> {
  if (!isOfReader(found)) return true;
  if (actor.permissions.grantOf(readingCode(found.definition.source)) === undefined) return false;
  const seen = await recordsSeen(needs, shared, { found, keys: [key], actor, errorId });
  return seen === undefined || seen.size > 0;
}

/** Whether an error names who holds a record. */
export function namesHolder(error: unknown): boolean {
  return error instanceof AppError && error.details?.["holder"] !== undefined;
}

/** Equal where the records are. */
export function nameOf(key: Key): string {
  return JSON.stringify(Object.entries(key).sort(([one], [other]) => one < other ? -1 : 1));
}
