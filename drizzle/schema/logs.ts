import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";

/** Batch of log entries of one process. One row per batch keeps logging cheap for the calls that log. */
export const logBatches = p.pgTable("log_batches", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  /** Process id and host. */
  process: p.text().notNull(),
  /** Number of entries, at most 500. */
  entries: p.integer().notNull(),
  firstAt: p.timestamp({ withTimezone: true }).notNull(),
  lastAt: p.timestamp({ withTimezone: true }).notNull(),
  /** Distinct levels and events of the entries. */
  levels: p.text().array().notNull(),
  events: p.text().array().notNull(),
  /** One line each, oldest first: `{"call": …, "line": {"time": …, "level": …, "event": …, fields}}`. */
  lines: p.text().notNull(),
}, (t) => [p.index("log_batches_age").on(t.lastAt)]);

/**
 * One row per entry, written and read by the release before 0560. This release only deletes old rows; a later
 * one drops the table.
 */
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
