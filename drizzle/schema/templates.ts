import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";
import type { TemplateType } from "#src/domain/template/template.ts";

/** Each change of a template takes the next; none comes twice, whatever is undone. */
export const templateVersions = p.pgSequence("template_versions");

export const templates = p.pgTable("templates", {
  name: p.text().primaryKey(),
  type: p.text().$type<TemplateType>().notNull(),
  /** Secret values are stored as `ENC:…`. */
  properties: p.jsonb().$type<Record<string, string>>().notNull(),
  /** Names of secret properties beyond those of the catalogue. */
  secrets: p.text().array().$type<readonly string[]>().notNull().default(sql`'{}'::text[]`),
  /** Who saved it last; a notification rule runs with this user's permissions. */
  owner: p.text(),
  /** Of every save another one, from one sequence: what changed since is seen by the sum. */
  version: p.bigint({ mode: "number" }).notNull().default(sql`nextval('template_versions')`),
  updatedAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
});
