import { asc } from "drizzle-orm";
import { applications } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export type ApplicationRow = typeof applications.$inferSelect;

/** Lists applications by number. */
export async function listApplications(db: Db): Promise<ApplicationRow[]> {
  return await db.select().from(applications).orderBy(asc(applications.id));
}

export async function addApplications(db: Db, names: readonly string[]): Promise<void> {
  await db.insert(applications).values(names.map((name) => ({ name }))).onConflictDoNothing();
}
