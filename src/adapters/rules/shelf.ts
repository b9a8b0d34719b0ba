import { messageOf } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import type {
  Manifest,
  ReleaseFiles,
  RuleBook,
  RuleOverride,
  RuleSet,
  RuleSetState,
} from "#src/ports/rule_book.ts";
import { readFiles, readOverrides, readRevision, readRows, type RuleSetRow } from "./rows.ts";
import { buildRuleSet, inState } from "./rule_set.ts";

/** What a process keeps of the registry; replaced whole, never changed. */
export interface Shelf {
  readonly revision: string;
  readonly sets: readonly RuleSet[];
  readonly overrides: readonly RuleOverride[];
  readonly broken: ReturnType<RuleBook["broken"]>;
  /** Installed versions by id, version and digest. */
  readonly known: ReadonlyMap<string, RuleSet>;
}

/** A set as it crosses to a thread, which reads shipped files itself. */
export interface PlainSet {
  readonly manifest: Manifest;
  readonly files: ReleaseFiles | undefined;
  readonly state: RuleSetState;
}

export function shippedShelf(shipped: readonly RuleSet[]): Shelf {
  return { revision: "", sets: shipped, overrides: [], broken: [], known: new Map() };
}

export async function readShelf(db: Db, { shipped, before }: {
  shipped: readonly RuleSet[];
  before: Shelf;
}): Promise<Shelf> {
  const revision = await readRevision(db);
  const rows = await readRows(db);
  const known = new Map<string, RuleSet>();
  const broken: { id: string; version: string; reason: string }[] = [];
  for (const row of rows) {
    if (row.manifest === null) continue;
    const key = `${row.id} ${row.version} ${row.sha256}`;
    try {
      known.set(key, before.known.get(key) ?? await load(db, row, row.manifest));
    } catch (error) {
      broken.push({ id: row.id, version: row.version, reason: messageOf(error) });
    }
  }
  const sets = placed(rows, { shipped, known });
  return { revision, sets, overrides: await readOverrides(db), broken, known };
}

export function toPlain(sets: readonly RuleSet[]): PlainSet[] {
  return sets.map(({ manifest, from, files, ...rest }) => {
    const { model: _model, schema: _schema, ...state } = rest;
    return { manifest, files: from === "shipped" ? undefined : files(), state };
  });
}

/** Keeps what is already compiled in this thread. */
export function fromPlain(plain: readonly PlainSet[], before: readonly RuleSet[]): RuleSet[] {
  return plain.flatMap(({ manifest, files, state }) => {
    const from = files === undefined ? "shipped" : "installed";
    const same = before.find((it) => it.from === from && isSame(it, manifest));
    if (same !== undefined) return [inState(same, state)];
    return files === undefined ? [] : [inState(buildRuleSet(manifest, files), state)];
  });
}

async function load(db: Db, { id, version }: RuleSetRow, manifest: Manifest): Promise<RuleSet> {
  return buildRuleSet(manifest, await readFiles(db, id, version));
}

/** An installed version stands in for a shipped one of the same name; a row without files only dates a shipped one. */
function placed(
  rows: readonly RuleSetRow[],
  { shipped, known }: { shipped: readonly RuleSet[]; known: ReadonlyMap<string, RuleSet> },
): RuleSet[] {
  const sets = rows.flatMap((row) => {
    const set = known.get(`${row.id} ${row.version} ${row.sha256}`) ??
      (row.manifest === null ? shipped.find((it) => isNamed(it, row)) : undefined);
    return set === undefined ? [] : [inState(set, stateOf(row, set.manifest))];
  });
  const others = shipped.filter((set) => !rows.some((row) => isNamed(set, row)));
  return [...others, ...sets];
}

function stateOf(row: RuleSetRow, manifest: Manifest): RuleSetState {
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
