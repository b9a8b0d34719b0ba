import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { type Db, isDeadlock, isForbidden, isLocked, rowsOf } from "#src/ports/db.ts";

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
/** So often are all tables asked for together. */
const TRIES = 120;
/** So long in turn: a circle costs little then, who reads for longer is waited for, and nobody is let wait in a circle until he fails. */
const LONGEST_TRY = 9;
const TRY_MS = 100;
const HELD =
  say`Others hold tables of this database and did not let go of them; nothing was migrated. Stop all processes of the product and whatever else works on this database, then migrate again`;

/** Reads `NNNN_name.sql` and, beside it, `NNNN_name.down.sql`, by rising number; no number is used twice. */
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

/** Only a file that is not there says that a migration cannot be undone. */
async function readDown(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Applies what is missing, all in one transaction; several processes may start at once. Resolves to the versions applied.
 * Throws AppError `conflict` where an applied migration is another one now, a missing one is older than one applied, or others do not
 * let go of its tables; `refused` where the tables are somebody else's.
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
          messageOf(error)
        })`,
        { cause: error },
      );
    }
    if (!isDeadlock(error)) throw error;
    return await migrateAlone(db, migrations, tries);
  }
}

/**
 * Tables are locked one after the other as migrations come to them, and in another order by whoever works meanwhile: then each waits
 * for the other, the server ends one of the two, and nothing was applied. This time all are held before anything is done.
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
  const applied = await lockAndList(tx);
  checkApplied(applied, migrations);
  const missing = migrations.filter((it) => !applied.has(it.version));
  if (missing.length) await begin?.();
  for (const migration of missing) {
    await run(tx, migration.up);
    await tx.execute(sql`insert into schema_migrations (version, name, sha256)
      values (${migration.version}, ${migration.name}, ${digest(migration.up)})`);
  }
  return missing.map((it) => it.version);
}

/** All tables, or none: who holds one and waits for another goes on once they are let go. */
async function holdTables(tx: Db, nth: number): Promise<void> {
  const ms = TRY_MS * (1 + nth % LONGEST_TRY);
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

/** Those that are missing, by rising number; throws as `migrateUp` does. */
export async function pendingMigrations(
  db: Db,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const applied = await db.transaction(lockAndList);
  checkApplied(applied, migrations);
  return migrations.map((it) => it.version).filter((it) => !applied.has(it));
}

/** What was applied, oldest first, without waiting for whoever migrates; nothing where no migration ever ran. */
export async function readApplied(db: Db) {
  const [found] = rowsOf<{ there: boolean }>(
    await db.execute(sql`select to_regclass('public.schema_migrations') is not null as there`),
  );
  if (!found?.there) return [];
  const rows = rowsOf<{ version: string; name: string; sha256: string; at: string }>(
    await db.execute(sql`select version, name, sha256,
      to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from schema_migrations order by version`),
  );
  return rows.map((it) => ({ ...it, at: new Date(it.at) }));
}

/** The newest version applied, or "0000". */
export async function currentVersion(db: Db): Promise<string> {
  const applied = await db.transaction(lockAndList);
  return newest(applied);
}

/** Throws AppError `conflict` where another transaction makes or changes the schema of this database; else none does until this one ends. */
export async function holdSchema(tx: Db): Promise<void> {
  const [found] = rowsOf<{ held: boolean }>(
    await tx.execute(sql`select pg_try_advisory_xact_lock(${LOCK}) as held`),
  );
  if (found?.held) return;
  throw new AppError(
    "conflict",
    say`Somebody else is making or filling the tables of this database at the moment; try again`,
  );
}

/** What was applied stays as it was, and what is new has a higher number: else two databases differ under one version. */
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
    if (sha256 !== undefined && sha256 !== digest(up)) {
      throw new AppError(
        "conflict",
        say`Migration ${version}_${name} was changed after it was applied (sha256 ${
          digest(up)
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

/** Of the text that is applied. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
