import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";

/** What the processes logged, without secrets; bounded by age and number. */
export const logEntries = p.pgTable("log_entries", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  at: p.timestamp({ withTimezone: true }).notNull(),
  level: p.text().$type<"DEBUG" | "INFO" | "WARN" | "ERROR">().notNull(),
  /** Which process of which machine. */
  process: p.text().notNull(),
  event: p.text().notNull(),
  /** The call it was logged in. */
  requestId: p.text(),
  fields: p.jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
}, (t) => [
  p.index("log_entries_age").on(t.at),
  p.index("log_entries_of_request").on(t.requestId, t.id).where(sql`request_id is not null`),
]);
