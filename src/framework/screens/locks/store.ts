import { and, count, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import { recordLocks } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export type LockRow = typeof recordLocks.$inferSelect;
type NewLock = Omit<typeof recordLocks.$inferInsert, "acquiredAt" | "expiresAt" | "writingUntil">;

/** Current time of the database, so that the clocks of processes may differ. */
const NOW = sql`clock_timestamp()`;
const inMs = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;
const END = sql`greatest(${recordLocks.expiresAt}, ${recordLocks.writingUntil})`;

/** Returns undefined when a lock exists already, even an expired one. */
export async function insertLock(
  db: Db,
  lock: NewLock,
  { ttlMs, writingMs }: { ttlMs: number; writingMs?: number },
): Promise<LockRow | undefined> {
  const [row] = await db.insert(recordLocks).values({
    ...lock,
    expiresAt: inMs(ttlMs),
    ...writingMs !== undefined && { writingUntil: inMs(writingMs) },
  }).onConflictDoNothing().returning();
  return row;
}

/** Others that want it wait until the caller's transaction ends. */
export async function heldLock(
  db: Db,
  hash: string,
): Promise<(LockRow & { isOver: boolean; isWritten: boolean }) | undefined> {
  const [row] = await db.select().from(recordLocks).where(eq(recordLocks.hash, hash)).for("update");
  if (!row) return undefined;
  // Checked after the row is locked, because the state may have changed during the wait.
  const [state] = await db.select({
    isOver: sql<boolean>`${END} <= ${NOW}`,
    isWritten: sql<boolean>`coalesce(${recordLocks.writingUntil} > ${NOW}, false)`,
  }).from(recordLocks).where(eq(recordLocks.hash, hash));
  return state && { ...row, ...state };
}

/** Passes a lock to another holder; the caller has locked its row. */
export async function giveLock(
  db: Db,
  lock: NewLock,
  { ttlMs, writingMs }: { ttlMs: number; writingMs?: number },
): Promise<LockRow> {
  const [row] = await db.update(recordLocks).set({
    ...lock,
    acquiredAt: NOW,
    expiresAt: inMs(ttlMs),
    writingUntil: writingMs === undefined ? null : inMs(writingMs),
  }).where(eq(recordLocks.hash, lock.hash)).returning();
  return row as LockRow;
}

export async function renewLock(
  db: Db,
  hash: string,
  { ttlMs, writingMs, announced }: { ttlMs: number; writingMs?: number; announced: boolean },
): Promise<LockRow> {
  const [row] = await db.update(recordLocks).set({
    announced,
    expiresAt: sql`greatest(${recordLocks.expiresAt}, ${inMs(ttlMs)})`,
    ...writingMs !== undefined && { writingUntil: inMs(writingMs) },
  }).where(eq(recordLocks.hash, hash)).returning();
  return row as LockRow;
}

/** Ends a write, and releases a lock that only the write held. */
export async function endWriting(db: Db, { hash, token }: Pick<LockRow, "hash" | "token">) {
  const mine = and(eq(recordLocks.hash, hash), eq(recordLocks.token, token));
  await db.delete(recordLocks).where(and(mine, eq(recordLocks.announced, false)));
  await db.update(recordLocks).set({ writingUntil: null }).where(mine);
}

/** Releases a lock; a running write keeps it until it ends. */
export async function freeLock(db: Db, { hash }: Pick<LockRow, "hash">, isWritten: boolean) {
  if (!isWritten) return void await db.delete(recordLocks).where(eq(recordLocks.hash, hash));
  await db.update(recordLocks).set({ announced: false, expiresAt: NOW })
    .where(eq(recordLocks.hash, hash));
}

export async function countLocks(db: Db, username: string): Promise<number> {
  const [row] = await db.select({ n: count() }).from(recordLocks)
    .where(and(eq(recordLocks.username, username), gt(recordLocks.expiresAt, NOW)));
  return row?.n ?? 0;
}

/** Lists the current locks of a screen, latest first; at most 1,000. */
export async function locksOfScreen(
  db: Db,
  { app, screen }: { readonly app: string; readonly screen: string },
): Promise<LockRow[]> {
  return await db.select().from(recordLocks)
    .where(and(
      eq(recordLocks.app, app),
      eq(recordLocks.screen, screen),
      eq(recordLocks.announced, true),
      gt(recordLocks.expiresAt, NOW),
    ))
    .orderBy(desc(recordLocks.acquiredAt)).limit(MAX_SHOWN);
}

const MAX_SHOWN = 1_000;
const AT_ONCE = 500;

/** Removes locks that have ended; resolves to them. */
export async function sweepLocks(db: Db): Promise<LockRow[]> {
  const over = db.select({ hash: recordLocks.hash }).from(recordLocks)
    .where(and(lt(recordLocks.expiresAt, NOW), sql`${END} <= ${NOW}`))
    .limit(AT_ONCE).for("update", { skipLocked: true });
  return await db.delete(recordLocks).where(inArray(recordLocks.hash, over)).returning();
}
