import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { installations, schemaRevisions } from "#drizzle/schema/mod.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";

export async function insertRevision(
  tx: Db,
  revision: Pick<
    typeof schemaRevisions.$inferInsert,
    "name" | "version" | "fingerprint" | "product" | "by"
  >,
) {
  const [row] = await tx.insert(schemaRevisions).values(revision).returning();
  if (!row) throw new Error("A revision was not inserted");
  return row;
}

export async function readInstallation(db: Db) {
  const [row] = await db.select().from(installations).limit(1);
  return row;
}

/** The server, and the database on it: a copy that is restored elsewhere lies somewhere else. */
async function serverHome(db: Db): Promise<string> {
  const named = (server: SQL) =>
    db.transaction((tx) =>
      tx.execute(
        sql`select ${server} || '/' || oid as home from pg_database where datname = current_database()`,
      )
    );
  const rows = await named(sql`(select system_identifier from pg_control_system())`)
    .catch(() => named(sql`current_database()`)); // to some roles the server does not tell who it is
  return rowsOf<{ home: string }>(rows)[0]?.home ?? "";
}

/**
 * Which installation this database is of: its id stays while the database stays where it is, and is a new one where it finds itself
 * copied. `home` is where it lies, for one that is not on a server.
 */
export async function claimInstallation(db: Db, home?: string): Promise<string> {
  const here = home ?? await serverHome(db);
  const [claimed] = await db.update(installations).set({ home: here, id: sql`gen_random_uuid()` })
    .where(sql`${installations.home} is distinct from ${here}`).returning({ id: installations.id });
  const id = (claimed ?? await readInstallation(db))?.id;
  if (id === undefined) throw new Error("The database is of no installation");
  return id;
}

/** What was copied is the same installation, in its new home; it waits for the product that begins to work on it. */
export async function markCopied(tx: Db): Promise<void> {
  await tx.update(installations).set({
    copiedAt: sql`now()`,
    startedAt: null,
    home: await serverHome(tx),
    setupToken: USED,
  });
}

const USED = "used";

/** Keeps the hash of a token, once in the life of an installation; resolves to whether it did. */
export async function keepTokenHash(db: Db, hash: string): Promise<boolean> {
  const kept = await db.update(installations).set({ setupToken: hash })
    .where(isNull(installations.setupToken)).returning({ id: installations.id });
  return kept.length > 0;
}

export async function isTokenHash(db: Db, hash: string): Promise<boolean> {
  return await db.$count(installations, eq(installations.setupToken, hash)) > 0;
}

/** From now on the copy is what counts. */
export async function markStarted(db: Db): Promise<void> {
  await db.update(installations).set({ startedAt: sql`now()` })
    .where(and(isNotNull(installations.copiedAt), isNull(installations.startedAt)));
}
