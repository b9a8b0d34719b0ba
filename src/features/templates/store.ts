import { and, asc, eq, sql } from "drizzle-orm";
import { templates } from "#drizzle/schema/mod.ts";
import type { Template, TemplateType } from "#src/domain/template/template.ts";
import type { Db } from "#src/ports/db.ts";

const columns = { name: templates.name, type: templates.type, properties: templates.properties };

export async function listTemplates(db: Db): Promise<Template[]> {
  return await db.select(columns).from(templates).orderBy(asc(templates.name));
}

export async function findTemplate(db: Db, name: string): Promise<Template | undefined> {
  const [row] = await db.select(columns).from(templates).where(eq(templates.name, name));
  return row;
}

/** Holds the row until the transaction ends. */
export async function lockTemplate(tx: Db, name: string): Promise<Template | undefined> {
  const [row] = await tx.select(columns).from(templates).where(eq(templates.name, name)).for(
    "update",
  );
  return row;
}

/** False when the name is taken. */
export async function insertTemplate(tx: Db, template: Template, owner: string): Promise<boolean> {
  const rows = await tx.insert(templates).values({ ...template, owner }).onConflictDoNothing()
    .returning({ name: templates.name });
  return rows.length === 1;
}

export async function replaceTemplate(
  tx: Db,
  name: string,
  { to, owner }: { to: Template; owner: string },
): Promise<void> {
  await tx.update(templates).set({ ...to, owner, updatedAt: sql`now()` }).where(
    eq(templates.name, name),
  );
}

export async function removeTemplate(tx: Db, name: string): Promise<void> {
  await tx.delete(templates).where(eq(templates.name, name));
}

export async function templatesOfType(db: Db, type: TemplateType): Promise<Template[]> {
  return await db.select(columns).from(templates).where(eq(templates.type, type)).orderBy(
    asc(templates.name),
  );
}

export interface OwnedTemplate extends Template {
  /** Who saved it last. */
  readonly owner: string | null;
}

export async function ownedTemplates(db: Db, type: TemplateType): Promise<OwnedTemplate[]> {
  return await db.select({ ...columns, owner: templates.owner }).from(templates)
    .where(eq(templates.type, type)).orderBy(asc(templates.name));
}

/** Another text after any template of this type was added, changed or removed: each change has a number of its own. */
export async function versionOfType(db: Db, type: TemplateType): Promise<string> {
  const changes = sql<string>`count(*) || ' ' || coalesce(sum(${templates}.xmin::text::bigint), 0)`;
  const [row] = await db.select({ changes }).from(templates).where(eq(templates.type, type));
  return row?.changes ?? "";
}

/** True when one of this type has the property `enabled` set. */
export async function someEnabled(db: Db, type: TemplateType): Promise<boolean> {
  const rows = await db.select({ name: templates.name }).from(templates)
    .where(
      and(eq(templates.type, type), sql`upper(trim(${templates.properties}->>'enabled')) = 'Y'`),
    ).limit(1);
  return rows.length > 0;
}
