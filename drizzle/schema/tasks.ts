import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";

/** End of a process or of its child while it worked on the task. */
export interface TaskDeath {
  /** ISO 8601. */
  readonly at: string;
  /** `host:pid` of the process that had claimed the task. */
  readonly holder: string | null;
  /** English text, and the French one if it differs. */
  readonly how: string;
  readonly howFr?: string | null | undefined;
  /**
   * True if the task was alone in the process, or its own child process died, so the death counts against it.
   */
  readonly counts: boolean;
}

/**
 * All work of the product: created in the transaction that requires it, deleted when done, kept when dead.
 */
export const tasks = p.pgTable("tasks", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  queue: p.text().notNull(),
  name: p.text().notNull(),
  payload: p.jsonb().notNull(),
  /** `dead` failed as often as allowed; `poisoned` killed processes. Both are kept and not retried. */
  state: p.text().$type<"ready" | "running" | "dead" | "poisoned">().notNull().default("ready"),
  attempts: p.integer().notNull().default(0),
  maxAttempts: p.integer().notNull(),
  runAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** Time when the broker got the unclaimed task; after a timeout the sweeper sends it again. */
  relayedAt: p.timestamp({ withTimezone: true }),
  leaseUntil: p.timestamp({ withTimezone: true }),
  /**
   * Increases with each claim; a worker that lost its lease has an older number and can no longer finish the
   * task.
   */
  fence: p.bigint({ mode: "number" }).notNull().default(0),
  /** While a task with this key waits, no other one is added. */
  dedupeKey: p.text(),
  /** Keys of fair scheduling: the user the task is for, and its run or job. Null for other tasks. */
  turnOf: p.text(),
  turnIn: p.text(),
  lastError: p.text(),
  lastErrorFr: p.text(),
  holder: p.text(),
  /** Number of deaths in the evidence that count against the task. */
  deaths: p.integer().notNull().default(0),
  /** True if a process died while it held the task. */
  suspect: p.boolean().notNull().default(false),
  /** True while the task is running alone in its process, on trial. */
  alone: p.boolean().notNull().default(false),
  evidence: p.jsonb().$type<readonly TaskDeath[]>().notNull().default([]),
  /** Time when its poisoning was announced. */
  toldAt: p.timestamp({ withTimezone: true }),
  /** `traceparent` (W3C Trace Context) of the cause, if it is traced. */
  trace: p.text(),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
}, (t) => [
  p.index("tasks_to_relay").on(t.runAt, t.id).where(sql`state = 'ready' and relayed_at is null`),
  p.index("tasks_relayed").on(t.relayedAt).where(sql`state = 'ready' and relayed_at is not null`),
  p.index("tasks_running").on(t.leaseUntil).where(sql`state = 'running'`),
  p.index("tasks_of_submission").on(sql`(payload->>'submissionId')`).where(
    sql`name = 'submit_invoice'`,
  ),
  p.index("tasks_suspect").on(t.runAt, t.id).where(sql`suspect`),
  p.index("tasks_stopped").on(t.id).where(sql`state in ('dead', 'poisoned')`),
  p.index("tasks_waiting").on(t.name).where(sql`state = 'ready'`),
  p.index("tasks_in_turn").on(t.queue, t.turnOf, t.turnIn, t.runAt, t.id)
    .where(sql`state = 'ready' and relayed_at is null and turn_in is not null`),
  p.uniqueIndex("tasks_dedupe").on(t.dedupeKey).where(sql`state = 'ready'`),
]);
