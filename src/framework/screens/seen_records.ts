import { readingCode } from "#src/definitions/codes.ts";
import {
  collectTraits,
  type QueryState,
  type ReadDeps,
  runRead,
} from "#src/framework/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Actor } from "#src/ports/access.ts";
import { type FoundScreen, requireScreen, type ScreenName } from "./require_screen.ts";
import type { LockedRecord } from "./locks/mod.ts";
import { readRecord } from "./read_record.ts";

type Key = LockedRecord["key"];

/**
 * Returns true when the rows of a screen depend on the reader. Then not all its readers may see the key of a record.
 */
export function isOfReader({ source }: Pick<FoundScreen, "source">): boolean {
  return collectTraits(source.definition).length > 0;
}

/** Returns the result of `isOfReader` for a screen by name; true when the screen no longer exists. */
export function mayHideRecords(snapshot: Snapshot, name: ScreenName): boolean {
  try {
    return isOfReader(requireScreen(snapshot, name));
  } catch {
    return true;
  }
}

/** Limit of filter conditions and rows per query. */
const AT_ONCE = 50;

/**
 * Returns those records that the reader finds in the screen's grid. Returns undefined when the grid needs parameters
 * chosen by a reader. Throws the pool's errors.
 */
export async function recordsSeen(
  deps: ReadDeps,
  shared: QueryState,
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
    const { value: { items } } = await runRead(deps, shared, {
      ...call,
      asked: { limit: AT_ONCE, q },
    });
    for (const row of items) {
      const given = Object.fromEntries(key.map((name) => [name, row[name]]));
      seen.add(encodeKey((await readRecord(deps, found, given)).key));
    }
  }
  return seen;
}

/**
 * Returns true when a user may be notified of a record: the grid shows it, shows equal rows to all, or cannot be
 * queried.
 */
export async function mayNotify(
  deps: ReadDeps,
  shared: QueryState,
  { found, key, actor, errorId }: {
    found: FoundScreen;
    key: Key;
    actor: Actor;
    errorId: string;
  },
): Promise<boolean> {
  if (!isOfReader(found)) return true;
  if (actor.permissions.grantOf(readingCode(found.definition.source)) === undefined) return false;
  const seen = await recordsSeen(deps, shared, { found, keys: [key], actor, errorId });
  return seen === undefined || seen.size > 0;
}

/** Returns true when an error names the holder of a record. */
export function namesHolder(error: unknown): boolean {
  return error instanceof AppError && error.details?.["holder"] !== undefined;
}

/** Equal where the records are. */
export function encodeKey(key: Key): string {
  return JSON.stringify(Object.entries(key).sort(([one], [other]) => one < other ? -1 : 1));
}
