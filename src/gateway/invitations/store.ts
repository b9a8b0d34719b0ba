import { and, eq, lt, sql } from "drizzle-orm";
import { invitations } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export type Invitation = typeof invitations.$inferSelect;

/** Stores an invitation; it replaces the user's earlier one, whose link no longer works. */
export async function putInvitation(tx: Db, row: Invitation): Promise<void> {
  const { username: _, ...set } = row;
  await tx.delete(invitations).where(lt(invitations.expiresAt, sql`now() - interval '30 days'`));
  await tx.insert(invitations).values(row).onConflictDoUpdate({
    target: invitations.username,
    set,
  });
}

export async function findInvitation(db: Db, username: string): Promise<Invitation | undefined> {
  const [row] = await db.select().from(invitations).where(eq(invitations.username, username));
  return row;
}

export async function findByToken(db: Db, tokenSha256: string): Promise<Invitation | undefined> {
  const [row] = await db.select().from(invitations).where(
    eq(invitations.tokenSha256, tokenSha256),
  );
  return row;
}

/** Deletes the invitation of a user; with a token only if it is the one of that token. */
export async function removeInvitation(
  tx: Db,
  username: string,
  tokenSha256?: string,
): Promise<void> {
  await tx.delete(invitations).where(and(
    eq(invitations.username, username),
    tokenSha256 === undefined ? undefined : eq(invitations.tokenSha256, tokenSha256),
  ));
}
