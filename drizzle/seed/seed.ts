import { applications, modules, templates, themes } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { APPLICATIONS, MODULES, THEMES } from "./catalogue.ts";
import { firstTemplates } from "./templates.ts";

/** Adds missing reference data; any number of processes may do so at once. */
export async function seed(db: Db, options: { sandbox: boolean }): Promise<void> {
  await db.insert(templates).values([...firstTemplates(options)]).onConflictDoNothing();
  await seedCatalogue(db);
}

/** Adds the catalogue rows, none of which users create. */
export async function seedCatalogue(db: Db): Promise<void> {
  await db.insert(applications).values(APPLICATIONS).onConflictDoNothing();
  await db.insert(modules).values(MODULES).onConflictDoNothing();
  await db.insert(themes).values(THEMES).onConflictDoNothing();
}
