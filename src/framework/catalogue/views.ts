import { asc } from "drizzle-orm";
import { modules, themes } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export async function listModules(db: Db) {
  return await db.select().from(modules).orderBy(asc(modules.position));
}

export async function listThemes(db: Db) {
  return await db.select().from(themes).orderBy(asc(themes.name), asc(themes.position));
}
