import { and, count, desc, eq, gt, inArray, isNull, lt } from "drizzle-orm";
import { refreshTokens, sessions } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export type SessionRow = typeof sessions.$inferSelect;
export type SessionMethod = SessionRow["method"];

export async function insertSession(tx: Db, session: typeof sessions.$inferInsert): Promise<void> {
  await tx.insert(sessions).values(session);
}

export async function insertRefreshToken(
  tx: Db,
  token: typeof refreshTokens.$inferInsert,
): Promise<void> {
  await tx.insert(refreshTokens).values(token);
  const mine = eq(refreshTokens.sessionId, token.sessionId);
  const old = tx.select({ sha256: refreshTokens.tokenSha256 }).from(refreshTokens).where(mine)
    .orderBy(desc(refreshTokens.issuedAt)).offset(MAX_TOKENS);
  await tx.delete(refreshTokens).where(and(mine, inArray(refreshTokens.tokenSha256, old)));
}

/** Number of stored tokens per session, to detect reuse; older ones are unknown. */
const MAX_TOKENS = 100;

/**
 * Undefined when the session was ended by itself or has expired. Whether all sessions of its user were ended since
 * is not looked at: see `isOpenFor`.
 */
export async function findSession(db: Db, id: string, now: Date): Promise<SessionRow | undefined> {
  const [row] = await db.select().from(sessions).where(and(eq(sessions.id, id), isOpen(now)));
  return row;
}

/** Uses up a token for one caller. Returns undefined unless it is unused and current, and its session open. */
export async function useRefreshToken(
  tx: Db,
  tokenSha256: string,
  now: Date,
): Promise<SessionRow | undefined> {
  const [used] = await tx.update(refreshTokens).set({ usedAt: now }).where(and(
    eq(refreshTokens.tokenSha256, tokenSha256),
    isNull(refreshTokens.usedAt),
    gt(refreshTokens.expiresAt, now),
  )).returning({ sessionId: refreshTokens.sessionId });
  return used && await findSession(tx, used.sessionId, now);
}

export async function markUsed(tx: Db, tokenSha256: string, usedAt: Date): Promise<void> {
  await tx.update(refreshTokens).set({ usedAt }).where(eq(refreshTokens.tokenSha256, tokenSha256));
}

/** A token that was used before, with its session while that is open. */
export async function findUsedToken(db: Db, tokenSha256: string, now: Date) {
  const [row] = await db.select({ usedAt: refreshTokens.usedAt, session: sessions })
    .from(refreshTokens).innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
    .where(and(eq(refreshTokens.tokenSha256, tokenSha256), isOpen(now)));
  return row?.usedAt ? { usedAt: row.usedAt, session: row.session } : undefined;
}

export async function endSession(tx: Db, id: string, end: { at: Date; by: string }): Promise<void> {
  await tx.update(sessions).set({ endedAt: end.at, endedBy: end.by }).where(
    and(eq(sessions.id, id), isNull(sessions.endedAt)),
  );
}

/** Keeps one session open when all others of its user end. */
export async function moveToEpoch(tx: Db, id: string, epoch: number): Promise<void> {
  await tx.update(sessions).set({ epoch }).where(eq(sessions.id, id));
}

export async function countOpen(
  db: Db,
  { username, epoch }: Pick<SessionRow, "username" | "epoch">,
  now: Date,
): Promise<number> {
  const [row] = await db.select({ open: count() }).from(sessions)
    .where(and(eq(sessions.username, username), eq(sessions.epoch, epoch), isOpen(now)));
  return row?.open ?? 0;
}

/** The newest first. */
export async function listOpen(
  db: Db,
  { username, epoch }: Pick<SessionRow, "username" | "epoch">,
  { now, limit, offset }: { now: Date; limit: number; offset: number },
): Promise<SessionRow[]> {
  return await db.select().from(sessions)
    .where(and(eq(sessions.username, username), eq(sessions.epoch, epoch), isOpen(now)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id)).limit(limit).offset(offset);
}

/** Forgets sessions that expired before `before`, their tokens with them. */
export async function pruneSessions(tx: Db, before: Date): Promise<void> {
  await tx.delete(sessions).where(lt(sessions.expiresAt, before));
}

function isOpen(now: Date) {
  return and(isNull(sessions.endedAt), gt(sessions.expiresAt, now));
}
