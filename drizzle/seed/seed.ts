import { templates } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { firstTemplates } from "./templates.ts";

/** Adds the reference data that is missing; any number of processes may do so at once. */
export async function seed(db: Db, options: { sandbox: boolean }): Promise<void> {
  await db.insert(templates).values([...firstTemplates(options)]).onConflictDoNothing();
}
