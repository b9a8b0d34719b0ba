import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import { type Db, isLacking, isLocked } from "#src/ports/db.ts";
import type { DatabaseSchema } from "#src/ports/schema.ts";
import {
  countRows,
  stopWrites,
  type StoredColumn,
  storedColumns,
  waitBriefly,
} from "./schema_store.ts";

type ChangeSchemaDeps = Pick<Deps, "clock" | "db"> & { readonly schema: DatabaseSchema };

/** Applies missing migrations, all or none. Resolves to the versions applied. */
export async function upgrade(deps: ChangeSchemaDeps, by: Actor): Promise<readonly string[]> {
  return await changing(deps, async (tx) => {
    const applied = await deps.schema.up(tx);
    if (!applied.length) return applied;
    await deps.schema.seed(tx); // a recreated table is empty
    const event = "schema.upgraded";
    await recordAudit({ ...deps, db: tx }, { actor: by, event, after: { applied } });
    return applied;
  });
}

/**
 * Returns the missing part of the schema after a statement failed on a missing object; undefined when nothing is
 * missing.
 */
export async function schemaLack(
  { db, schema }: Pick<ChangeSchemaDeps, "db" | "schema">,
  error: Error,
): Promise<Sentence | undefined> {
  if (!isLacking(error)) return;
  const { pending } = await schema.state(db);
  if (!pending.length) return;
  const missing = pending.map(({ version }) => version);
  return say`The database has an older schema (${missing} missing); bring it up to date (POST /api/setup/upgrade, deno task migrate) or start the version of the product it belongs to`;
}

/** Data lost by a downgrade: a table, a column, or rows of a remaining table. */
export interface Loss {
  readonly table: string;
  readonly column?: string;
  readonly rows: number;
}

/** Table that records changes of the schema. */
const AUDIT = "audit_log";

/** Target of a downgrade, and its user. */
export interface Downgrade {
  /** The version to go back to, which stays; "0000" leaves nothing. */
  readonly target: string;
  readonly force: boolean;
  readonly by: Actor;
  /** True to allow a version before the audit exists, which leaves no trace in the database. */
  readonly behindAudit?: boolean;
}

/**
 * Reverts every version above the target, all or none, and resolves to them. Locks the database against writes, so that
 * the counted losses are exact. Without `force`, throws AppError `conflict` with `losses` and changes nothing when data
 * would be lost.
 */
export async function downgrade(
  deps: ChangeSchemaDeps,
  { target, force, by, behindAudit = false }: Downgrade,
): Promise<readonly string[]> {
  const version = target.padStart(4, "0");
  return await changing(deps, async (tx) => {
    await deps.schema.hold(tx);
    await checkTarget(deps, tx, version);
    await stopWrites(tx);
    const { losses, left } = await readTrial(deps, tx, version);
    if (losses.length && !force) throw wouldLose(version, losses);
    if (!left.has(AUDIT) && !behindAudit) {
      throw new AppError(
        "conflict",
        say`Version ${version} has no audit to record this; only ${`cli migrate down ${version} --force`} goes back so far`,
      );
    }
    if (left.has(AUDIT)) {
      const event = "schema.downgraded";
      const after = { version, losses };
      await recordAudit({ ...deps, db: tx }, { actor: by, event, target: version, after });
    }
    return await deps.schema.down(tx, version);
  });
}

async function checkTarget({ schema }: ChangeSchemaDeps, tx: Db, version: string): Promise<void> {
  const { applied } = await schema.state(tx);
  if (version === "0000" || applied.some((it) => it.version === version)) return;
  throw new AppError("not_found", say`There is no version ${version} to go back to`);
}

function wouldLose(version: string, losses: readonly Loss[]): AppError {
  const named = losses.slice(0, 5).map(sentenceOfLoss);
  return new AppError(
    "conflict",
    say`Version ${version} has no place for ${named}; by force (?force=true, --force) ${losses.length} such things are given up`,
    { details: { losses } },
  );
}

/** Describes the loss of a table or a column for people. */
export function sentenceOfLoss({ table, column, rows }: Loss): Sentence {
  return column === undefined
    ? say`${table}: ${rows} rows`
    : say`${table}.${column}: ${rows} values`;
}

interface Trial {
  readonly losses: readonly Loss[];
  /** Tables that are still there. */
  readonly left: ReadonlySet<string>;
}

/** Reverts a version, measures the losses, and rolls back. Renamed things do not count as lost. */
async function readTrial({ schema }: ChangeSchemaDeps, tx: Db, version: string): Promise<Trial> {
  const before = await storedColumns(tx);
  const counts = await rowCounts(tx, before);
  const tried: { columns: readonly StoredColumn[]; counts: ReadonlyMap<string, number> } = {
    columns: [],
    counts: new Map(),
  };
  await tx.transaction(async (trial) => {
    await schema.down(trial, version);
    const columns = await storedColumns(trial);
    Object.assign(tried, { columns, counts: await rowCounts(trial, columns) });
    throw TAKEN_BACK;
  }).catch((error) => {
    if (error !== TAKEN_BACK) throw error;
  });
  const stays = new Set(tried.columns.map(getKey));
  const losses: Loss[] = [];
  for (const { tableId, table } of firstOfTables(before)) {
    const rows = counts.get(tableId) ?? 0;
    const lost = rows - (tried.counts.get(tableId) ?? 0);
    if (lost > 0) losses.push({ table, rows: lost });
  }
  for (const it of before) {
    if (!tried.counts.has(it.tableId) || stays.has(getKey(it))) continue;
    const rows = await countRows(tx, it.table, it.column);
    if (rows) losses.push({ table: it.table, column: it.column, rows });
  }
  return { losses, left: new Set(tried.columns.map(({ table }) => table)) };
}

const TAKEN_BACK = new Error("A downgrade is taken back");

const getKey = ({ tableId, number }: StoredColumn) => `${tableId} ${number}`;

function firstOfTables(columns: readonly StoredColumn[]): StoredColumn[] {
  return [...new Map(columns.map((it) => [it.tableId, it])).values()];
}

/** Counts rows by the table's internal number, which survives renames. */
async function rowCounts(
  db: Db,
  columns: readonly StoredColumn[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { tableId, table } of firstOfTables(columns)) {
    counts.set(tableId, await countRows(db, table));
  }
  return counts;
}

async function changing<T>({ db }: ChangeSchemaDeps, work: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(async (tx) => {
      await waitBriefly(tx);
      return await work(tx);
    });
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new AppError(
      "conflict",
      say`A table is in use for too long; nothing was changed, try again`,
      {
        cause: error,
      },
    );
  }
}
