import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";

/** All work of the product: written in the transaction that makes it necessary, deleted when done, kept when dead. */
export const tasks = p.pgTable("tasks", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  queue: p.text().notNull(),
  name: p.text().notNull(),
  payload: p.jsonb().notNull(),
  state: p.text().$type<"ready" | "running" | "dead">().notNull().default("ready"),
  attempts: p.integer().notNull().default(0),
  maxAttempts: p.integer().notNull(),
  runAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** Handed to the broker and not claimed yet; the sweeper hands it over again when that takes too long. */
  relayedAt: p.timestamp({ withTimezone: true }),
  leaseUntil: p.timestamp({ withTimezone: true }),
  /** Rises with each claim; a worker that lost its lease holds an older number and can no longer finish the task. */
  fence: p.bigint({ mode: "number" }).notNull().default(0),
  /** While a task with this key waits, another is not added. */
  dedupeKey: p.text(),
  lastError: p.text(),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
}, (t) => [
  p.index("tasks_to_relay").on(t.runAt, t.id).where(sql`state = 'ready' and relayed_at is null`),
  p.index("tasks_relayed").on(t.relayedAt).where(sql`state = 'ready' and relayed_at is not null`),
  p.index("tasks_running").on(t.leaseUntil).where(sql`state = 'running'`),
  p.index("tasks_of_submission").on(sql`(payload->>'submissionId')`).where(
    sql`name = 'submit_invoice'`,
  ),
  p.uniqueIndex("tasks_dedupe").on(t.dedupeKey).where(sql`state = 'ready'`),
]);
