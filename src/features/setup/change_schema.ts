import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import { type Db, isLacking, isLocked } from "#src/ports/db.ts";
import type { Schema } from "#src/ports/schema.ts";
import {
  countRows,
  stopWrites,
  type StoredColumn,
  storedColumns,
  waitBriefly,
} from "./schema_store.ts";

type Needs = Pick<Deps, "clock" | "db"> & { readonly schema: Schema };

/** Applies what is missing, whole or not at all. Resolves to the versions applied. */
export async function upgrade(needs: Needs, by: Actor): Promise<readonly string[]> {
  return await changing(needs, async (tx) => {
    const applied = await needs.schema.up(tx);
    if (!applied.length) return applied;
    await needs.schema.seed(tx); // a table that was made anew is empty
    const event = "schema.upgraded";
    await recordAudit({ ...needs, db: tx }, { actor: by, event, after: { applied } });
    return applied;
  });
}

/** What of the schema is missing where a statement met something that is not there; undefined where nothing is missing. */
export async function schemaLack(
  { db, schema }: Pick<Needs, "db" | "schema">,
  error: Error,
): Promise<Sentence | undefined> {
  if (!isLacking(error)) return;
  const { pending } = await schema.state(db);
  if (!pending.length) return;
  const missing = pending.map(({ version }) => version);
  return say`The database has an older schema (${missing} missing); bring it up to date (POST /api/setup/upgrade, deno task migrate) or start the version of the product it belongs to`;
}

/** What a downgrade would lose: a table, a column, or rows of a table that stays. */
export interface Loss {
  readonly table: string;
  readonly column?: string;
  readonly rows: number;
}

/** Where what was done to the schema is told. */
const AUDIT = "audit_log";

/** A way back to an older schema, and who asks for it. */
export interface Downgrade {
  /** The version to go back to, which stays; "0000" leaves nothing. */
  readonly target: string;
  readonly force: boolean;
  readonly by: Actor;
  /** Whether it may go behind the audit, and so leave no trace in the database. */
  readonly behindAudit?: boolean;
}

/**
 * Undoes every version above the target, whole or not at all, and resolves to them. Nothing is written meanwhile: what is counted is
 * what is given up. Throws AppError `conflict` with `losses`, having changed nothing, where data would be lost and nobody said that it may.
 */
export async function downgrade(
  needs: Needs,
  { target, force, by, behindAudit = false }: Downgrade,
): Promise<readonly string[]> {
  const version = target.padStart(4, "0");
  return await changing(needs, async (tx) => {
    await needs.schema.hold(tx);
    await checkTarget(needs, tx, version);
    await stopWrites(tx);
    const { losses, left } = await trialOf(needs, tx, version);
    if (losses.length && !force) throw wouldLose(version, losses);
    if (!left.has(AUDIT) && !behindAudit) {
      throw new AppError(
        "conflict",
        say`Version ${version} has no audit that could tell of this; only ${`cli migrate down ${version} --force`} goes back so far`,
      );
    }
    if (left.has(AUDIT)) {
      const event = "schema.downgraded";
      const after = { version, losses };
      await recordAudit({ ...needs, db: tx }, { actor: by, event, target: version, after });
    }
    return await needs.schema.down(tx, version);
  });
}

async function checkTarget({ schema }: Needs, tx: Db, version: string): Promise<void> {
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

/** What would be lost of a table or a column, for people. */
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

/** Tries it, looks, and takes it back. Names of what is renamed are not lost. */
async function trialOf({ schema }: Needs, tx: Db, version: string): Promise<Trial> {
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
  const stays = new Set(tried.columns.map(keyOf));
  const losses: Loss[] = [];
  for (const { tableId, table } of firstOfTables(before)) {
    const rows = counts.get(tableId) ?? 0;
    const lost = rows - (tried.counts.get(tableId) ?? 0);
    if (lost > 0) losses.push({ table, rows: lost });
  }
  for (const it of before) {
    if (!tried.counts.has(it.tableId) || stays.has(keyOf(it))) continue;
    const rows = await countRows(tx, it.table, it.column);
    if (rows) losses.push({ table: it.table, column: it.column, rows });
  }
  return { losses, left: new Set(tried.columns.map(({ table }) => table)) };
}

const TAKEN_BACK = new Error("A downgrade is taken back");

const keyOf = ({ tableId, number }: StoredColumn) => `${tableId} ${number}`;

function firstOfTables(columns: readonly StoredColumn[]): StoredColumn[] {
  return [...new Map(columns.map((it) => [it.tableId, it])).values()];
}

/** By the table's own number. */
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

async function changing<T>({ db }: Needs, work: (tx: Db) => Promise<T>): Promise<T> {
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
