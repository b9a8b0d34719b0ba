import { asc, eq, sql } from "drizzle-orm";
import { roles } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export type RoleRow = typeof roles.$inferSelect;

/** All roles by name; there are few, so they are read together. */
export async function readRoleBook(db: Db): Promise<Map<string, RoleRow>> {
  const rows = await db.select().from(roles).orderBy(asc(roles.name));
  return new Map(rows.map((it) => [it.name, it]));
}

/** False when the name is taken. */
export async function insertRole(tx: Db, role: typeof roles.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(roles).values(role).onConflictDoNothing().returning({
    name: roles.name,
  });
  return rows.length === 1;
}

export async function updateRole(
  tx: Db,
  name: string,
  change: Partial<typeof roles.$inferInsert>,
): Promise<void> {
  const version = sql`${roles.version} + 1`;
  await tx.update(roles).set({ ...change, version, updatedAt: sql`now()` })
    .where(eq(roles.name, name));
}

export async function removeRole(tx: Db, name: string): Promise<void> {
  await tx.delete(roles).where(eq(roles.name, name));
}
