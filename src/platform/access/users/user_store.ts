import { and, asc, count, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import { userIdentities, userRoles, users } from "#drizzle/schema/mod.ts";
import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import type { Db } from "#src/ports/db.ts";

type UserRow = typeof users.$inferSelect;
/** Row of a user, with the roles given to the user directly. */
export interface Account extends UserRow {
  readonly roles: readonly string[];
}

const LOCK = 728_122; // any number, the same in every process

/** Changes of users and roles wait for each other until the transaction ends. */
export async function lockAccess(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
}

/** Returns the account of a canonical username, or undefined. */
export async function findAccount(db: Db, username: string): Promise<Account | undefined> {
  const [user] = await db.select().from(users).where(eq(users.username, username));
  return user && { ...user, roles: await readRoles(db, username) };
}

/** Locks the row until the transaction ends, so that the account does not change. */
export async function lockAccount(tx: Db, username: string): Promise<Account | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.username, username)).for("update");
  return user && { ...user, roles: await readRoles(tx, username) };
}

export async function listAccounts(db: Db): Promise<Account[]> {
  const all = await db.select().from(users).orderBy(asc(users.username));
  const held = await db.select().from(userRoles).orderBy(asc(userRoles.role));
  return all.map((user) => ({
    ...user,
    roles: held.filter((it) => it.username === user.username).map((it) => it.role),
  }));
}

async function readRoles(db: Db, username: string): Promise<string[]> {
  const rows = await db.select({ role: userRoles.role }).from(userRoles).where(
    eq(userRoles.username, username),
  )
    .orderBy(asc(userRoles.role));
  return rows.map((it) => it.role);
}

/** Returns the number of users who may sign in. */
export function countActiveUsers(db: Db): Promise<number> {
  return db.$count(users, eq(users.active, true));
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.select({ username: users.username }).from(users).limit(1)).length > 0;
}

/** False when the name is taken. */
export async function insertUser(tx: Db, user: typeof users.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(users).values(user).onConflictDoNothing().returning({
    username: users.username,
  });
  return rows.length === 1;
}

/** Updates an account and its epoch, because every change may affect its permissions. */
export async function updateUser(
  tx: Db,
  username: string,
  change: Partial<typeof users.$inferInsert>,
): Promise<void> {
  await tx.update(users).set({ ...change, epoch: sql`${users.epoch} + 1`, updatedAt: sql`now()` })
    .where(eq(users.username, username));
}

/** Records a sign-in. It changes no rights, so the epoch stays and no token has to be looked up again. */
export async function recordSignIn(tx: Db, username: string, at: Date): Promise<void> {
  await tx.update(users).set({ lastSignInAt: at }).where(eq(users.username, username));
}

/** Returns true if an account has the role of administrators. */
export async function hasAdministrator(db: Db): Promise<boolean> {
  const rows = await db.select({ role: userRoles.role }).from(userRoles)
    .where(eq(userRoles.role, ADMIN_ROLE)).limit(1);
  return rows.length > 0;
}

/** Returns true if nobody has signed in yet: the installation is new. */
export async function isUnused(db: Db): Promise<boolean> {
  const rows = await db.select({ username: users.username }).from(users).where(
    isNotNull(users.lastSignInAt),
  )
    .limit(1);
  return rows.length === 0;
}

/** Ends every session of the account; resolves to the epoch of sessions that begin, or stay, from now on. */
export async function endSessions(tx: Db, username: string): Promise<number> {
  const [row] = await tx.update(users).set({ sessionEpoch: sql`${users.sessionEpoch} + 1` })
    .where(eq(users.username, username)).returning({ epoch: users.sessionEpoch });
  return row?.epoch ?? 0;
}

/** Replaces the hash of the same password, unless a new password was set meanwhile. */
export async function replacePasswordHash(
  tx: Db,
  username: string,
  { from, to }: { from: string | null; to: string },
): Promise<void> {
  await tx.update(users).set({ passwordHash: to }).where(
    and(eq(users.username, username), from === null ? undefined : eq(users.passwordHash, from)),
  );
}

export async function replaceRoles(
  tx: Db,
  username: string,
  roles: readonly string[],
): Promise<void> {
  await tx.delete(userRoles).where(eq(userRoles.username, username));
  if (roles.length) await tx.insert(userRoles).values(roles.map((role) => ({ username, role })));
}

/** Raises the epoch of all direct members of these roles. */
export async function bumpMembers(tx: Db, roles: readonly string[]): Promise<void> {
  const members = tx.select({ username: userRoles.username }).from(userRoles).where(
    inArray(userRoles.role, [...roles]),
  );
  await tx.update(users).set({ epoch: sql`${users.epoch} + 1` }).where(
    inArray(users.username, members),
  );
}

/** Returns true when an active user other than `username` has the role `admin`. */
export async function hasOtherAdmin(tx: Db, username: string): Promise<boolean> {
  const [row] = await tx.select({ others: count() }).from(userRoles)
    .innerJoin(users, eq(users.username, userRoles.username))
    .where(
      and(eq(userRoles.role, ADMIN_ROLE), eq(users.active, true), ne(users.username, username)),
    );
  return (row?.others ?? 0) > 0;
}

export async function memberCounts(db: Db): Promise<Map<string, number>> {
  const rows = await db.select({ role: userRoles.role, members: count() }).from(userRoles).groupBy(
    userRoles.role,
  );
  return new Map(rows.map((it) => [it.role, it.members]));
}

export async function findIdentity(
  db: Db,
  issuer: string,
  subject: string,
): Promise<string | undefined> {
  const [row] = await db.select({ username: userIdentities.username }).from(userIdentities)
    .where(and(eq(userIdentities.issuer, issuer), eq(userIdentities.subject, subject)));
  return row?.username;
}

export async function insertIdentity(
  tx: Db,
  identity: typeof userIdentities.$inferInsert,
): Promise<void> {
  await tx.insert(userIdentities).values(identity);
}
