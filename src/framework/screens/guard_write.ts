import type { Deps } from "#src/deps.ts";
import { readTyped } from "#src/definitions/typed.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import {
  findQuery,
  type GuardedWrite,
  type QueryState,
  type ReadDeps,
  runRead,
  type WriteGuard,
} from "#src/framework/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { type FoundScreen, requireScreen, type ScreenName } from "./require_screen.ts";
import { lockSettings } from "./lock_settings.ts";
import { whileHeld } from "./locks/mod.ts";
import { readRecord } from "./read_record.ts";
import { mayNotify, namesHolder } from "./seen_records.ts";

type GuardWriteDeps = ReadDeps & Pick<Deps, "db">;

/**
 * Checks writes from a screen's dialog: no other user edits the record, and it has the version the caller has seen.
 * Throws AppError `conflict` otherwise.
 */
export function recordGuard(deps: GuardWriteDeps, shared: QueryState): WriteGuard {
  return async (write, work) => {
    const screens = screensWriting(write);
    const next = async (at: number): Promise<Awaited<ReturnType<typeof work>>> => {
      const found = screens[at];
      if (!found) return await work();
      return await guardWork(deps, shared, { write, found, work: () => next(at + 1) });
    };
    return await next(0);
  };
}

interface Guarding<T> {
  readonly write: GuardedWrite;
  readonly found: FoundScreen;
  readonly work: () => Promise<T>;
}

async function guardWork<T>(
  deps: GuardWriteDeps,
  shared: QueryState,
  { write, found, work }: Guarding<T>,
): Promise<T> {
  const { key = [] } = found.definition;
  const given = Object.fromEntries(key.map((it) => [it, write.params[it]]));
  const record = await readRecord(deps, found, given);
  const { actor, errorId, ms } = write;
  return await whileHeld(deps, record, {
    actor,
    ms,
    work: async () => {
      await checkVersion(deps, shared, { write, found });
      return await work();
    },
  }).catch(async (error) => {
    const asked = { found, key: record.key, actor, errorId };
    if (!namesHolder(error) || await mayNotify(deps, shared, asked)) throw error;
    throw new AppError("conflict", say`The record no longer exists`);
  });
}

/** Checks the version of the record when the write passes one. */
async function checkVersion(
  deps: GuardWriteDeps,
  shared: QueryState,
  { write, found }: Omit<Guarding<unknown>, "work">,
): Promise<void> {
  const { version_field: field } = found.definition;
  if (field === undefined || !Object.hasOwn(write.found.definition.params ?? {}, field)) return;
  const given = write.params[field];
  if (given === undefined || given === null) {
    throw new AppError("invalid", say`${field} is missing`);
  }
  const row = await currentRow(deps, shared, { write, found });
  if (!row) throw new AppError("conflict", say`The record no longer exists`);
  if (!Object.hasOwn(row, field)) {
    const sentence =
      say`The screen ${`${found.app}/${found.screen}`} reads no column ${field}, the version of its records`;
    throw new AppError("misconfigured", sentence);
  }
  const type = write.found.definition.params?.[field]?.type ?? "string";
  if (normalizeValue(type, row[field]) === normalizeValue(type, given)) return;
  throw new AppError(
    "conflict",
    say`The record was changed meanwhile: ${field} is ${String(row[field])}, not ${
      String(given).slice(0, 60)
    }`,
  );
}

function normalizeValue(type: string, value: unknown): string {
  const read = readTyped(type, value);
  return JSON.stringify("value" in read ? read.value : value);
}

/** Reads the row with the dialog's query, else as a row of the grid; never from the cache. */
async function currentRow(
  deps: GuardWriteDeps,
  shared: QueryState,
  { write: { params, actor, errorId }, found }: Omit<Guarding<unknown>, "work">,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { snapshot, definition: { dialog, source: { connector }, key = [] }, source } = found;
  const read = dialog?.read && findQuery(snapshot, { connector, query: dialog.read.query });
  const declared = read?.definition.params ?? {};
  const values = Object.fromEntries(key.map((it) => [it, params[it]]));
  const call = { actor, errorId, isAuthor: false, anew: true };
  const { value: { items } } = await runRead(deps, shared, {
    ...call,
    found: read ?? source,
    params: read
      ? Object.fromEntries(Object.entries(values).filter(([it]) => Object.hasOwn(declared, it)))
      : {},
    asked: read ? { limit: 1 } : { limit: 1, q: key.map((it) => ({ [it]: { "=": values[it] } })) },
  });
  return items[0];
}

type Screens = Definitions["screens"];

/** Screens by the query they write with: `erp:update_order`. */
const writers = new WeakMap<Screens, ReadonlyMap<string, readonly ScreenName[]>>();

/**
 * Returns the screens with records whose dialog changes or deletes one by this query. Their fixed order prevents
 * deadlocks between writes.
 */
function screensWriting({ found: { snapshot, name } }: GuardedWrite): readonly FoundScreen[] {
  const section = snapshot.section("screens");
  if (!section) return [];
  const known = writers.get(section) ?? getWriters(section);
  writers.set(section, known);
  return (known.get(name) ?? []).map((it) => requireScreen(snapshot, it));
}

function getWriters({ screens }: Screens): ReadonlyMap<string, readonly ScreenName[]> {
  const known = new Map<string, ScreenName[]>();
  for (const [app, ofApp] of Object.entries(screens)) {
    for (const [screen, definition] of Object.entries(ofApp)) {
      const { source, dialog, key, version_field } = definition;
      if (!key || !lockSettings(definition) && version_field === undefined) continue;
      const queries = [dialog?.update?.query, dialog?.delete?.query].filter((it) =>
        it !== undefined
      );
      for (const query of new Set(queries)) {
        const name = `${source.connector}:${query}`;
        known.set(name, [...known.get(name) ?? [], { app, screen }]);
      }
    }
  }
  return known;
}
