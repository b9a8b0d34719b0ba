import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { installations, schemaRevisions } from "#drizzle/schema/mod.ts";
import { type Db, getRows } from "#src/ports/db.ts";

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

/** Returns the address of the server and its database, which differs for a copy restored elsewhere. */
async function serverHome(db: Db): Promise<string> {
  const name = (server: SQL) =>
    db.transaction((tx) =>
      tx.execute(
        sql`select ${server} || '/' || oid as home from pg_database where datname = current_database()`,
      )
    );
  const rows = await name(sql`(select system_identifier from pg_control_system())`)
    .catch(() => name(sql`current_database()`)); // the server hides its address from some roles
  return getRows<{ home: string }>(rows)[0]?.home ?? "";
}

/**
 * Returns the installation id of this database. It stays the same until the database is copied to another address; then
 * a new id is created. `home` is the path of an embedded database.
 */
export async function claimInstallation(db: Db, home?: string): Promise<string> {
  const here = home ?? await serverHome(db);
  const [claimed] = await db.update(installations).set({ home: here, id: sql`gen_random_uuid()` })
    .where(sql`${installations.home} is distinct from ${here}`).returning({ id: installations.id });
  const id = (claimed ?? await readInstallation(db))?.id;
  if (id === undefined) throw new Error("The database is of no installation");
  return id;
}

/** Marks the copy as the same installation at a new address, which waits for its first start. */
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

/** Marks the copy as the installation in use. */
export async function markStarted(db: Db): Promise<void> {
  await db.update(installations).set({ startedAt: sql`now()` })
    .where(and(isNotNull(installations.copiedAt), isNull(installations.startedAt)));
}

/** Since when this installation sends nothing to the PA; null while it sends. */
export async function readSendingOff(db: Db): Promise<Date | null> {
  return (await readInstallation(db))?.sendingOffAt ?? null;
}

/** Keeps the first time when sending is off already. */
export async function writeSendingOff(db: Db, isOff: boolean): Promise<void> {
  const sendingOffAt = isOff ? sql`coalesce(${installations.sendingOffAt}, now())` : null;
  await db.update(installations).set({ sendingOffAt });
}
