import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import process from "node:process";
import manifest from "../../package.json" with { type: "json" };
import postgres from "postgres";
import { postgresBroker } from "#src/adapters/bullmq/brokers.ts";
import type { EmbeddedDatabase } from "#src/adapters/pglite/database.ts";
import { openPgliteInMemory } from "#tests/support/memory_database.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { migrateUp, type Migration, readMigrations } from "#src/adapters/postgres/migrate.ts";
import type { Database } from "#src/ports/db.ts";

const MIGRATIONS = fileURLToPath(new URL("../../drizzle/migrations/", import.meta.url));
const ENGINE = manifest.dependencies["@electric-sql/pglite"];
const LOCK = 7281;

/** Cache shared by all tests of this machine: the prepared cluster of new data folders. */
export const CACHE_DIR = join(tmpdir(), "passerelle-test-cache");

/** Servers that tests may use: configured ones, or the standard ports in CI; otherwise undefined. */
export const postgresUrl = process.env["TEST_DATABASE_URL"] ??
  (process.env["CI"] ? "postgres://postgres@127.0.0.1:5432/postgres" : undefined);
export const redisUrl = process.env["TEST_REDIS_URL"] ??
  (process.env["CI"] ? "redis://127.0.0.1:6379" : undefined);

/** MariaDB or MySQL; in CI on the standard port of this machine. */
export const mysqlServer = process.env["TEST_MYSQL_HOST"] ?? process.env["CI"]
  ? {
    host: process.env["TEST_MYSQL_HOST"] ?? "127.0.0.1",
    user: "root",
    password: process.env["TEST_MYSQL_PASSWORD"] ?? "",
  }
  : undefined;

/** Prints which tests are skipped because a server is missing; in CI nothing is skipped. */
export function deps(what: keyof typeof VARIABLES, url: string | undefined): { ignore: boolean } {
  if (url === undefined) {
    process.stderr.write(
      `skipped: no ${what} (set ${VARIABLES[what]})\n`,
    );
  }
  return { ignore: url === undefined };
}

const VARIABLES = {
  PostgreSQL: "TEST_DATABASE_URL",
  Redis: "TEST_REDIS_URL",
  MariaDB: "TEST_MYSQL_HOST",
};

/** Opens an empty migrated database for one test: PGlite in memory, or a database on the given server. */
export async function testDatabase(url?: string): Promise<Database> {
  return url === undefined ? await embeddedTestDatabase() : await onServer(url);
}

/** Opens PGlite from a migrated image, which takes a quarter of the time of a new database. */
export async function embeddedTestDatabase(): Promise<EmbeddedDatabase> {
  image ??= migratedImage();
  return await openPgliteInMemory({ image: await image });
}

let image: Promise<Blob> | undefined;

/** Creates the migrated image once for all test processes, per set of migrations and engine. */
async function migratedImage(): Promise<Blob> {
  const migrations = await readMigrations(MIGRATIONS);
  const path = join(CACHE_DIR, `image-${await computeDigest(migrations)}-${ENGINE}.tar`);
  const kept = await readFile(path).catch(() => undefined);
  if (kept) return new File([kept], "image.tar");
  await using database = await openPgliteInMemory();
  await migrateUp(database.db, migrations);
  const made = await database.client.dumpDataDir("none");
  const own = `${path}-${crypto.randomUUID()}`;
  await mkdir(CACHE_DIR, { recursive: true });
  await writeFile(own, new Uint8Array(await made.arrayBuffer()));
  await rename(own, path); // another process may have created the same file first
  return made;
}

/** Opens a database without tables for one test. PGlite in memory is several times as fast as a server. */
export async function emptyDatabase(url?: string): Promise<Database> {
  return url === undefined ? await openPgliteInMemory() : await onServer(url, "template0");
}

async function onServer(url: string, template?: string): Promise<Database> {
  const place = await testDatabaseUrl(url, template);
  const open = openPostgres(place.url);
  return {
    ...open,
    async [Symbol.asyncDispose]() {
      await open[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

/**
 * Creates a database for other processes and returns its URL; dispose to drop it. Copying a migrated template takes
 * about 60 ms, so every test gets its own.
 */
export async function testDatabaseUrl(
  url: string,
  template?: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  const name = `passerelle_test_${crypto.randomUUID().replaceAll("-", "")}`;
  if (template === undefined) await cloneMigrated(admin, url, name);
  else await admin.unsafe(`create database ${name} template ${template}`);
  return {
    url: withDatabase(url, name),
    async [Symbol.asyncDispose]() {
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

async function cloneMigrated(admin: postgres.Sql, url: string, name: string): Promise<void> {
  const migrations = await readMigrations(MIGRATIONS);
  const template = `passerelle_template_${await computeDigest(migrations)}`;
  await admin`select pg_advisory_lock(${LOCK})`; // several test processes may start at the same time
  try {
    const [found] = await admin`select 1 from pg_database where datname = ${template}`;
    if (!found) {
      await admin.unsafe(`create database ${template}_new`);
      await using open = openPostgres(withDatabase(url, `${template}_new`), { max: 1 });
      await migrateUp(open.db, migrations);
      await (await postgresBroker(withDatabase(url, `${template}_new`))).close(); // tables of BullMQ
      await open[Symbol.asyncDispose]();
      await admin.unsafe(`alter database ${template}_new rename to ${template}`);
    }
    await admin.unsafe(`create database ${name} template ${template}`);
  } finally {
    await admin`select pg_advisory_unlock(${LOCK})`;
  }
}

async function computeDigest(migrations: readonly Migration[]): Promise<string> {
  const text = new TextEncoder().encode(migrations.map((it) => it.up).join());
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return [...digest.slice(0, 6)].map((it) => it.toString(16).padStart(2, "0")).join("");
}

function withDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
