import { AppError, toMessage } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import {
  LimitExceeded,
  type RuleBook,
  type RuleOverride,
  type RuleSet,
  type RuleSetState,
} from "#src/ports/rule_book.ts";
import type { Manifest, ReleaseFiles } from "#src/ports/rule_manifest.ts";
import { readFiles, readOverrides, readRevisions, readRows, type RuleSetRow } from "./rows.ts";
import { inState, newRuleSet } from "./rule_set.ts";

/** Registry state that a process caches; replaced as a whole, never changed. */
export interface RegistrySnapshot {
  /** Revision of each rule set that is not merely shipped. */
  readonly revisions: ReadonlyMap<string, string>;
  /** False while inactive versions are still to be read. */
  readonly complete: boolean;
  readonly sets: readonly RuleSet[];
  readonly overrides: readonly RuleOverride[];
  readonly broken: ReturnType<RuleBook["broken"]>;
  /** Installed versions by id, version and digest, or the reason why one is unusable. */
  readonly known: ReadonlyMap<string, RuleSet | Error>;
}

/** A set as it crosses to a process, which reads shipped files itself. */
export interface PlainSet {
  readonly manifest: Manifest;
  readonly files: ReleaseFiles | undefined;
  readonly state: RuleSetState;
}

/** Returns the state before the registry was read: only the shipped sets. */
export function shippedSnapshot(shipped: readonly RuleSet[]): RegistrySnapshot {
  return {
    revisions: new Map(),
    complete: false,
    sets: shipped,
    overrides: [],
    broken: [],
    known: new Map(),
  };
}

/** Compiles an installed set, here or elsewhere; rejects if it is unusable. */
export type Check = (manifest: Manifest, files: ReleaseFiles) => Promise<RuleSet>;

interface Reading {
  readonly shipped: readonly RuleSet[];
  readonly before: RegistrySnapshot;
  readonly check: Check;
  /** True to skip versions that are never chosen by date, unless they are known already. */
  readonly activeOnly?: boolean | undefined;
}

/** Reads the registry; versions known from `before` are not compiled again. */
export async function readSnapshot(db: Db, reading: Reading): Promise<RegistrySnapshot> {
  const { shipped, before, activeOnly = false } = reading;
  const revisions = await readRevisions(db);
  const rows = await readRows(db);
  const wanted = rows.filter((row) => row.active || !activeOnly || before.known.has(getKey(row)));
  const complete = wanted.length === rows.length;
  const found = await Promise.all(wanted.map((row) => load(db, row, reading)));
  const known = new Map(found.flat().map(({ key, set }) => [key, set]));
  const broken = rows.flatMap((row) => {
    const set = known.get(getKey(row));
    return set instanceof Error ? [{ id: row.id, version: row.version, reason: set.message }] : [];
  });
  const sets = combineSets(rows, { shipped, known });
  return { revisions, complete, sets, overrides: await readOverrides(db), broken, known };
}

/** Sets as data, for another process. */
export function toPlain(sets: readonly RuleSet[]): PlainSet[] {
  return sets.map(({ manifest, from, files, ...rest }) => {
    const { model: _model, schema: _schema, ready: _ready, isIsolated: _, ...state } = rest;
    return { manifest, files: from === "shipped" ? undefined : files(), state };
  });
}

/** Reuses sets that this process has already compiled; others are compiled on first use. */
export function fromPlain(plain: readonly PlainSet[], before: readonly RuleSet[]): RuleSet[] {
  return plain.flatMap(({ manifest, files, state }) => {
    const from = files === undefined ? "shipped" : "installed";
    const same = before.find((it) => it.from === from && isSame(it, manifest));
    if (same !== undefined) return [inState(same, state)];
    return files === undefined ? [] : [newRuleSet(manifest, { files: () => files, from, state })];
  });
}

/** Nothing for a row without files, which only dates a shipped set. */
async function load(
  db: Db,
  row: RuleSetRow,
  { before, check }: Reading,
): Promise<{ key: string; set: RuleSet | Error }[]> {
  const { id, version, manifest } = row;
  if (manifest === null) return [];
  const key = getKey(row);
  const known = before.known.get(key);
  if (known !== undefined && !mayPass(known)) return [{ key, set: known }];
  try {
    return [{ key, set: await check(manifest, await readFiles(db, id, version)) }];
  } catch (error) {
    return [{ key, set: new Error(toMessage(error), { cause: error }) }];
  }
}

/** Checks whether the compilation failed for reasons outside the set. */
function mayPass(known: RuleSet | Error): boolean {
  const cause = known instanceof Error ? known.cause : undefined;
  return known instanceof Error && !(cause instanceof LimitExceeded) &&
    !(cause instanceof AppError && cause.code === "refused");
}

function getKey({ id, version, sha256 }: RuleSetRow): string {
  return `${id} ${version} ${sha256}`;
}

/**
 * Combines the rows with the shipped sets. An installed version replaces a shipped one of the same name; a row
 * without files only dates a shipped one.
 */
function combineSets(
  rows: readonly RuleSetRow[],
  { shipped, known }: {
    shipped: readonly RuleSet[];
    known: ReadonlyMap<string, RuleSet | Error>;
  },
): RuleSet[] {
  const sets = rows.flatMap((row) => {
    const set = known.get(getKey(row)) ??
      (row.manifest === null ? shipped.find((it) => isNamed(it, row)) : undefined);
    return set === undefined || set instanceof Error
      ? []
      : [inState(set, getState(row, set.manifest))];
  });
  const others = shipped.filter((set) => !rows.some((row) => isNamed(set, row)));
  return [...others, ...sets];
}

function getState(row: RuleSetRow, manifest: Manifest): RuleSetState {
  return {
    effectiveFrom: row.effectiveFrom ?? manifest.effectiveFrom ?? "",
    activatedAt: row.activatedAt ?? undefined,
    activatedBy: row.activatedBy ?? undefined,
    active: row.active,
    ...(row.manifest === null
      ? {}
      : { installedBy: row.installedBy, installedAt: row.installedAt }),
  };
}

function isNamed({ manifest }: RuleSet, row: { id: string; version: string }): boolean {
  return manifest.id === row.id && manifest.version === row.version;
}

function isSame({ manifest }: RuleSet, other: Manifest): boolean {
  return JSON.stringify(manifest) === JSON.stringify(other);
}
