import * as p from "drizzle-orm/pg-core";
import type { TemplateType } from "#src/domain/template/template.ts";

export const templates = p.pgTable("templates", {
  name: p.text().primaryKey(),
  type: p.text().$type<TemplateType>().notNull(),
  /** Secret values are stored as `ENC:…`. */
  properties: p.jsonb().$type<Record<string, string>>().notNull(),
  /** Who saved it last; a notification rule runs with this user's permissions. */
  owner: p.text(),
  updatedAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
});
