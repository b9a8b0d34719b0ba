import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { AppError } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";

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

/** Reads `NNNN_name.sql` and, beside it, `NNNN_name.down.sql`. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((it) => /^\d{4}_\w+\.sql$/.test(it)).sort();
  return await Promise.all(files.map(async (file) => {
    const base = file.slice(0, -".sql".length);
    const up = await readFile(join(folder, file), "utf8");
    const down = await readFile(join(folder, `${base}.down.sql`), "utf8").catch(() => undefined);
    return { version: base.slice(0, 4), name: base.slice(5), up, down };
  }));
}

/** Applies what is missing, all in one transaction; several processes may start at once. Resolves to the versions applied. */
export function migrateUp(db: Db, migrations: readonly Migration[]): Promise<readonly string[]> {
  return db.transaction(async (tx) => {
    const applied = await lockAndList(tx);
    const missing = migrations.filter((it) => !applied.has(it.version));
    for (const migration of missing) {
      await run(tx, migration.up);
      await tx.execute(sql`insert into schema_migrations (version, name, sha256)
        values (${migration.version}, ${migration.name}, ${digest(migration.up)})`);
    }
    return missing.map((it) => it.version);
  });
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
    const undo = [...applied].filter((version) => version > target.padStart(4, "0")).sort()
      .reverse();
    for (const version of undo) {
      const down = known.get(version)?.down;
      if (down === undefined) throw new AppError("refused", `Version ${version} cannot be undone`);
      await run(tx, down);
      await tx.execute(sql`delete from schema_migrations where version = ${version}`);
    }
    return undo;
  });
}

/** The newest version applied, or "0000". */
export async function currentVersion(db: Db): Promise<string> {
  const applied = await db.transaction(lockAndList);
  return [...applied].sort().at(-1) ?? "0000";
}

async function lockAndList(tx: Db): Promise<Set<string>> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
  await tx.execute(sql`create table if not exists schema_migrations (
    version text primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`);
  const rows = await tx.select({ version: sql<string>`version` }).from(sql`schema_migrations`);
  return new Set(rows.map((it) => it.version));
}

async function run(tx: Db, script: string): Promise<void> {
  for (const statement of script.split(BREAKPOINT)) {
    if (statement.trim()) await tx.execute(sql.raw(statement));
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
