import { computeSha256 } from "#src/kernel/sha256.ts";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { type Db, getRows, isDeadlock, isForbidden, isLocked } from "#src/ports/db.ts";
import { adoptBaseline, isBeforeBaseline, sinceBaseline } from "./adopt.ts";

/** One step of the schema, and the way back. */
export interface Migration {
  /** Four digits, from the file name. */
  readonly version: string;
  readonly name: string;
  readonly up: string;
  /** Absent when it cannot be undone. */
  readonly down: string | undefined;
}

const BREAKPOINT = "--> statement-breakpoint";
const LOCK = 728_101; // any number, the same in every process
/** Number of attempts to lock all tables together. */
const TRIES = 120;
/**
 * Maximum wait per attempt, growing in turn. A deadlock then costs little, long readers are waited for, and no
 * session waits until it fails.
 */
const MAX_TRY_MS = 9;
const TRY_MS = 100;
const HELD =
  say`Others hold tables of this database and did not let go of them; nothing was migrated. Stop all processes of the product and whatever else works on this database, then migrate again`;

/** Reads `NNNN_name.sql` and, next to it, `NNNN_name.down.sql`, by rising number; no number is used twice. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const all = await readdir(folder);
  const files = all.filter((it) => /^\d{4}_\w+\.sql$/.test(it)).sort();
  const stray = all.find((it) => it.endsWith(".sql") && !/^\d{4}_\w+(\.down)?\.sql$/.test(it));
  if (stray) throw new Error(`${join(folder, stray)} is no NNNN_name.sql`);
  const twice = files.find((it, i) => it.slice(0, 4) === files[i - 1]?.slice(0, 4));
  if (twice) throw new Error(`Two migrations have the number ${twice.slice(0, 4)} in ${folder}`);
  return await Promise.all(files.map(async (file) => {
    const base = file.slice(0, -".sql".length);
    const up = await readFile(join(folder, file), "utf8");
    const down = await readDown(join(folder, `${base}.down.sql`));
    return { version: base.slice(0, 4), name: base.slice(5), up, down };
  }));
}

/** Reads the down script; only a missing file means that a migration cannot be undone. */
async function readDown(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Applies missing migrations in one transaction; several processes may start at once. Resolves to the versions
 * applied. Throws AppError `conflict` if an applied migration has changed, or a missing one is older than an applied
 * one. Throws it also for a database that is too old, and if other sessions keep locks on its tables. Throws `refused`
 * if the tables belong to another product.
 */
export async function migrateUp(
  db: Db,
  migrations: readonly Migration[],
  { tries = TRIES } = {},
): Promise<readonly string[]> {
  try {
    return await db.transaction((tx) => applyMissing(tx, migrations));
  } catch (error) {
    if (isForbidden(error)) {
      throw new AppError(
        "refused",
        say`The user of this database may not change its tables, which somebody else made: let that one migrate, or give them to this one (${
          toMessage(error)
        })`,
        { cause: error },
      );
    }
    if (!isDeadlock(error)) throw error;
    return await migrateAlone(db, migrations, tries);
  }
}

/**
 * Migrates with all tables locked before the first change. Otherwise migrations and other sessions lock tables in
 * different orders: they deadlock, the server ends one of the two, and nothing is applied.
 */
async function migrateAlone(
  db: Db,
  migrations: readonly Migration[],
  tries: number,
): Promise<readonly string[]> {
  for (let nth = 1;; nth++) {
    try {
      return await db.transaction((tx) => applyMissing(tx, migrations, () => holdTables(tx, nth)));
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (nth >= tries) throw new AppError("conflict", HELD, { cause: error });
    }
  }
}

async function applyMissing(
  tx: Db,
  migrations: readonly Migration[],
  begin?: () => Promise<void>,
): Promise<readonly string[]> {
  const stored = await lockAndList(tx);
  const applied = sinceBaseline(stored);
  checkApplied(applied, migrations);
  const missing = migrations.filter((it) => !applied.has(it.version));
  if (missing.length) await begin?.();
  for (const [nth, migration] of missing.entries()) {
    if (nth === 0 && isBeforeBaseline(stored)) await adoptBaseline(tx);
    else await run(tx, migration.up);
    await tx.execute(sql`insert into schema_migrations (version, name, sha256)
      values (${migration.version}, ${migration.name}, ${computeSha256(migration.up)})`);
  }
  return missing.map((it) => it.version);
}

/** Locks all tables or none, so that a session that holds one and waits for another can continue. */
async function holdTables(tx: Db, nth: number): Promise<void> {
  const ms = TRY_MS * (1 + nth % MAX_TRY_MS);
  await tx.execute(sql.raw(`do $$ declare given text := current_setting('lock_timeout'); begin
    set local lock_timeout = ${ms};
    execute (select coalesce('lock table ' || string_agg(oid::regclass::text, ', ') || ' in access exclusive mode', 'select')
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and pg_has_role(relowner, 'usage'));
    perform set_config('lock_timeout', given, true);
  end $$`));
}

/** Undoes every version above `target`, newest first, in one transaction; `target` "0" empties the schema. */
export function migrateDown(
  db: Db,
  migrations: readonly Migration[],
  target: string,
): Promise<readonly string[]> {
  return db.transaction(async (tx) => {
    const applied = await lockAndList(tx);
    const known = new Map(migrations.map((it) => [it.version, it]));
    const undo = [...applied.keys()].filter((version) => version > target.padStart(4, "0")).sort()
      .reverse();
    for (const version of undo) {
      const down = known.get(version)?.down;
      if (down === undefined) {
        throw new AppError("refused", say`Version ${version} cannot be undone`);
      }
      await run(tx, down);
      await tx.execute(sql`delete from schema_migrations where version = ${version}`);
    }
    return undo;
  });
}

/** Returns missing migrations by rising number; throws like `migrateUp`. */
export async function pendingMigrations(
  db: Db,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const applied = sinceBaseline(await db.transaction(lockAndList));
  checkApplied(applied, migrations);
  return migrations.map((it) => it.version).filter((it) => !applied.has(it));
}

/**
 * Returns applied migrations, oldest first, without waiting for a running migration; none where no migration ever
 * ran.
 */
export async function readApplied(db: Db) {
  const [found] = getRows<{ there: boolean }>(
    await db.execute(sql`select to_regclass('public.schema_migrations') is not null as there`),
  );
  if (!found?.there) return [];
  const rows = getRows<{ version: string; name: string; sha256: string; at: string }>(
    await db.execute(sql`select version, name, sha256,
      to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from schema_migrations order by version`),
  );
  return rows.map((it) => ({ ...it, at: new Date(it.at) }));
}

/** Returns the newest version applied, or "0000". */
export async function currentVersion(db: Db): Promise<string> {
  const applied = await db.transaction(lockAndList);
  return newest(applied);
}

/**
 * Locks the schema of this database until this transaction ends. Throws AppError `conflict` if another
 * transaction creates or changes it.
 */
export async function holdSchema(tx: Db): Promise<void> {
  const [found] = getRows<{ held: boolean }>(
    await tx.execute(sql`select pg_try_advisory_xact_lock(${LOCK}) as held`),
  );
  if (found?.held) return;
  throw new AppError(
    "conflict",
    say`Somebody else is making or filling the tables of this database at the moment; try again`,
  );
}

/**
 * Validates that applied migrations are unchanged and new ones have higher numbers; otherwise two databases could
 * differ under one version.
 */
function checkApplied(applied: ReadonlyMap<string, string>, migrations: readonly Migration[]) {
  const last = newest(applied);
  for (const { version, name, up } of migrations) {
    const sha256 = applied.get(version);
    if (sha256 === undefined && version < last) {
      throw new AppError(
        "conflict",
        say`Migration ${version}_${name} is missing in the database, which is at ${last} already: it needs a higher number`,
      );
    }
    if (sha256 !== undefined && sha256 !== computeSha256(up)) {
      throw new AppError(
        "conflict",
        say`Migration ${version}_${name} was changed after it was applied (sha256 ${
          computeSha256(up)
        }, applied ${sha256})`,
      );
    }
  }
}

function newest(applied: ReadonlyMap<string, string>): string {
  return [...applied.keys()].sort().at(-1) ?? "0000";
}

/** SHA-256 by version. */
async function lockAndList(tx: Db): Promise<Map<string, string>> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
  await tx.execute(sql`create table if not exists schema_migrations (
    version text primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`);
  const rows = await tx.select({ version: sql<string>`version`, sha256: sql<string>`sha256` })
    .from(sql`schema_migrations`);
  return new Map(rows.map((it) => [it.version, it.sha256]));
}

async function run(tx: Db, script: string): Promise<void> {
  for (const statement of script.split(BREAKPOINT)) {
    if (statement.trim()) await tx.execute(sql.raw(statement));
  }
}
