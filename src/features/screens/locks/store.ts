import { and, count, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import { recordLocks } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export type LockRow = typeof recordLocks.$inferSelect;
type NewLock = Omit<typeof recordLocks.$inferInsert, "acquiredAt" | "expiresAt" | "writingUntil">;

/** Of the database: processes need not agree on the time. */
const NOW = sql`clock_timestamp()`;
const inMs = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;
const END = sql`greatest(${recordLocks.expiresAt}, ${recordLocks.writingUntil})`;

/** Undefined where there is one already, ended or not. */
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
  // Asked once the row is ours: what was true before the wait may be so no more.
  const [state] = await db.select({
    isOver: sql<boolean>`${END} <= ${NOW}`,
    isWritten: sql<boolean>`coalesce(${recordLocks.writingUntil} > ${NOW}, false)`,
  }).from(recordLocks).where(eq(recordLocks.hash, hash));
  return state && { ...row, ...state };
}

/** Gives a lock that is held by the caller's transaction to another holder. */
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

/** A write is over: what only it held is free. */
export async function endWriting(db: Db, { hash, token }: Pick<LockRow, "hash" | "token">) {
  const mine = and(eq(recordLocks.hash, hash), eq(recordLocks.token, token));
  await db.delete(recordLocks).where(and(mine, eq(recordLocks.announced, false)));
  await db.update(recordLocks).set({ writingUntil: null }).where(mine);
}

/** While it is being written, the write goes on holding it. */
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

/** Those of a screen that people hold now, the latest first; 1,000 at most. */
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
    .orderBy(desc(recordLocks.acquiredAt)).limit(MOST_SHOWN);
}

const MOST_SHOWN = 1_000;
const AT_ONCE = 500;

/** Removes locks that have ended; resolves to them. */
export async function sweepLocks(db: Db): Promise<LockRow[]> {
  const over = db.select({ hash: recordLocks.hash }).from(recordLocks)
    .where(and(lt(recordLocks.expiresAt, NOW), sql`${END} <= ${NOW}`))
    .limit(AT_ONCE).for("update", { skipLocked: true });
  return await db.delete(recordLocks).where(inArray(recordLocks.hash, over)).returning();
}
