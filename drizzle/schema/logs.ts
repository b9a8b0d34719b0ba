import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";

/** What one process logged one after the other: a row for all of it, since a row for each line would cost the calls that log. */
export const logBatches = p.pgTable("log_batches", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  /** Which process of which machine. */
  process: p.text().notNull(),
  /** How many, at most 500. */
  entries: p.integer().notNull(),
  firstAt: p.timestamp({ withTimezone: true }).notNull(),
  lastAt: p.timestamp({ withTimezone: true }).notNull(),
  /** Levels and events that the lines hold, each once. */
  levels: p.text().array().notNull(),
  events: p.text().array().notNull(),
  /** One line each, oldest first: `{"call": …, "line": {"time": …, "level": …, "event": …, fields}}`. */
  lines: p.text().notNull(),
}, (t) => [p.index("log_batches_age").on(t.lastAt)]);

/** A row for each line, as the release before 0560 writes and reads them; others only drop them by their age, and a later release the table. */
export const logEntries = p.pgTable("log_entries", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  at: p.timestamp({ withTimezone: true }).notNull(),
  level: p.text().$type<"DEBUG" | "INFO" | "WARN" | "ERROR">().notNull(),
  process: p.text().notNull(),
  event: p.text().notNull(),
  requestId: p.text(),
  fields: p.jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
}, (t) => [
  p.index("log_entries_age").on(t.at),
  p.index("log_entries_of_request").on(t.requestId, t.id).where(sql`request_id is not null`),
]);
