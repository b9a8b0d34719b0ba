import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";
import type { TemplateType } from "#src/domain/template/template.ts";

/** Version numbers of templates, one for each change; none is reused, even after a rollback. */
export const templateVersions = p.pgSequence("template_versions");

export const templates = p.pgTable("templates", {
  name: p.text().primaryKey(),
  type: p.text().$type<TemplateType>().notNull(),
  /** Secret values are stored as `ENC:…`. */
  properties: p.jsonb().$type<Record<string, string>>().notNull(),
  /** Names of secret properties beyond those of the catalogue. */
  secrets: p.text().array().$type<readonly string[]>().notNull().default(sql`'{}'::text[]`),
  /** User who saved it last; a notification rule runs with this user's permissions. */
  owner: p.text(),
  /** Version from the sequence, new with each save, so that any change alters the sum of all versions. */
  version: p.bigint({ mode: "number" }).notNull().default(sql`nextval('template_versions')`),
  updatedAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
});
