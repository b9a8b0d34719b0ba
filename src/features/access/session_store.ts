import { and, eq, gt, isNull, lt, ne } from "drizzle-orm";
import { refreshTokens, sessions, users } from "#drizzle/schema/mod.ts";
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
}

/** Uses up a token; undefined unless it is unused, current, and its session and user are in order. One caller wins. */
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
  if (!used) return undefined;
  const [found] = await tx.select({ session: sessions }).from(sessions)
    .innerJoin(users, eq(users.username, sessions.username))
    .where(and(eq(sessions.id, used.sessionId), isOpen(now), eq(users.active, true)));
  return found?.session;
}

export async function markUsed(tx: Db, tokenSha256: string, usedAt: Date): Promise<void> {
  await tx.update(refreshTokens).set({ usedAt }).where(eq(refreshTokens.tokenSha256, tokenSha256));
}

/** A token that was used before, with its session while that is open. */
export async function findUsedToken(db: Db, tokenSha256: string, now: Date) {
  const [row] = await db.select({ usedAt: refreshTokens.usedAt, session: sessions }).from(
    refreshTokens,
  )
    .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
    .where(and(eq(refreshTokens.tokenSha256, tokenSha256), isOpen(now)));
  return row?.usedAt ? { usedAt: row.usedAt, session: row.session } : undefined;
}

export async function endSession(tx: Db, id: string, end: { at: Date; by: string }): Promise<void> {
  await tx.update(sessions).set({ endedAt: end.at, endedBy: end.by }).where(
    and(eq(sessions.id, id), isNull(sessions.endedAt)),
  );
}

/** All sessions of a user, or all but one. Resolves to how many were open. */
export async function endSessions(
  tx: Db,
  username: string,
  { at, by, except }: { at: Date; by: string; except?: string | undefined },
): Promise<number> {
  const rows = await tx.update(sessions).set({ endedAt: at, endedBy: by }).where(and(
    eq(sessions.username, username),
    isOpen(at),
    except === undefined ? undefined : ne(sessions.id, except),
  )).returning({ id: sessions.id });
  return rows.length;
}

/** The epoch of the user of an open session; undefined when it has ended or the user is not active. */
export async function epochOf(
  db: Db,
  session: string,
  now: Date,
): Promise<{ username: string; epoch: number } | undefined> {
  const [row] = await db.select({ username: users.username, epoch: users.epoch }).from(sessions)
    .innerJoin(users, eq(users.username, sessions.username))
    .where(and(eq(sessions.id, session), isOpen(now), eq(users.active, true)));
  return row;
}

/** Forgets sessions that ended or expired before `before`, their tokens with them. */
export async function forgetSessions(tx: Db, before: Date): Promise<void> {
  await tx.delete(sessions).where(lt(sessions.expiresAt, before));
}

function isOpen(now: Date) {
  return and(isNull(sessions.endedAt), gt(sessions.expiresAt, now));
}
