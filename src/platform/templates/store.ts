import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { templates } from "#drizzle/schema/mod.ts";
import type { RULE_CATALOGUE } from "#src/domain/template/catalogue_rules.ts";
import type { Template, TemplateType } from "#src/domain/template/template.ts";
import type { Db } from "#src/ports/db.ts";

const columns = {
  name: templates.name,
  type: templates.type,
  properties: templates.properties,
  secrets: templates.secrets,
};

export interface VersionedTemplate extends Template {
  readonly version: number;
}

const versioned = { ...columns, version: templates.version };

/** Lists the templates of these types by name. */
export async function listTemplates(
  db: Db,
  types: readonly TemplateType[],
): Promise<Template[]> {
  return await db.select(columns).from(templates).where(inArray(templates.type, [...types]))
    .orderBy(asc(templates.name));
}

export async function findTemplate(
  db: Db,
  name: string,
): Promise<VersionedTemplate | undefined> {
  const [row] = await db.select(versioned).from(templates).where(eq(templates.name, name));
  return row;
}

/** Holds the row until the transaction ends. */
export async function lockTemplate(tx: Db, name: string): Promise<VersionedTemplate | undefined> {
  const [row] = await tx.select(versioned).from(templates).where(eq(templates.name, name)).for(
    "update",
  );
  return row;
}

/** Its version; undefined when the name is taken. */
export async function insertTemplate(
  tx: Db,
  template: Template,
  owner: string | null,
): Promise<number | undefined> {
  const [row] = await tx.insert(templates).values({ ...getRow(template), owner })
    .onConflictDoNothing()
    .returning({ version: templates.version });
  return row?.version;
}

export async function replaceTemplate(
  tx: Db,
  name: string,
  { to, owner }: { to: Template; owner: string | null },
): Promise<number> {
  const version = sql`nextval('template_versions')`;
  const [row] = await tx.update(templates).set({
    ...getRow(to),
    owner,
    version,
    updatedAt: sql`now()`,
  })
    .where(eq(templates.name, name)).returning({ version: templates.version });
  return row?.version ?? 0;
}

function getRow({ name, type, properties, secrets = [] }: Template) {
  return { name, type, properties, secrets };
}

export async function removeTemplate(tx: Db, name: string): Promise<void> {
  await tx.delete(templates).where(eq(templates.name, name));
}

/** Returns a template with its owner and encrypted secrets. */
export async function findOwnedTemplate(
  db: Db,
  name: string,
): Promise<OwnedTemplate | undefined> {
  const [row] = await db.select({ ...columns, owner: templates.owner }).from(templates)
    .where(eq(templates.name, name));
  return row;
}

/** Lists templates of a type by name, with encrypted secrets. */
export async function templatesOfType(db: Db, type: TemplateType): Promise<Template[]> {
  return await db.select(columns).from(templates).where(eq(templates.type, type)).orderBy(
    asc(templates.name),
  );
}

/** Template with the user whose rights it acts with. */
export interface OwnedTemplate extends Template {
  /** User who saved it last; null when authentication was off. */
  readonly owner: string | null;
}

/** Every template of a type with its owner, by name; secrets are sealed. */
export async function ownedTemplates(db: Db, type: TemplateType): Promise<OwnedTemplate[]> {
  return await db.select({ ...columns, owner: templates.owner }).from(templates)
    .where(eq(templates.type, type)).orderBy(asc(templates.name));
}

/**
 * Returns a text that changes when a template of this type is added, changed or removed. Sums the versions, because the
 * lower of two concurrent versions may become visible last.
 */
export async function versionOfType(db: Db, type: TemplateType): Promise<string> {
  const changes = sql<string>`count(*) || ' ' || coalesce(sum(${templates.version}), 0)`;
  const [row] = await db.select({ changes }).from(templates).where(eq(templates.type, type));
  return row?.changes ?? "";
}

const ENABLED: keyof typeof RULE_CATALOGUE = "enabled";

/** True when one of this type is enabled. */
export async function someEnabled(db: Db, type: TemplateType): Promise<boolean> {
  const enabled = sql`upper(trim(${templates.properties}->>${ENABLED}::text)) = 'Y'`;
  const rows = await db.select({ name: templates.name }).from(templates)
    .where(and(eq(templates.type, type), enabled)).limit(1);
  return rows.length > 0;
}

export async function listNamed(db: Db, names: readonly string[]): Promise<readonly Template[]> {
  return await db.select(columns).from(templates).where(inArray(templates.name, [...names]));
}
