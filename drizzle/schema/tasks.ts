import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";

/** An end of a process, or of a child of it, while it worked on the task. */
export interface TaskDeath {
  /** ISO 8601. */
  readonly at: string;
  /** `host:pid` of the process that had claimed it. */
  readonly holder: string | null;
  /** In English, and in French where that differs. */
  readonly how: string;
  readonly howFr?: string | null | undefined;
  /** It was on trial, alone in the hand of the process, or a child process of its own died. */
  readonly counts: boolean;
}

/** All work of the product: written in the transaction that makes it necessary, deleted when done, kept when dead. */
export const tasks = p.pgTable("tasks", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  queue: p.text().notNull(),
  name: p.text().notNull(),
  payload: p.jsonb().notNull(),
  /** `dead`: it failed as often as it may be tried; `poisoned`: processes died of it. Both are kept and not tried again. */
  state: p.text().$type<"ready" | "running" | "dead" | "poisoned">().notNull().default("ready"),
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
  /** Who waits, and in what they began; null where a task takes no turns. */
  turnOf: p.text(),
  turnIn: p.text(),
  lastError: p.text(),
  lastErrorFr: p.text(),
  holder: p.text(),
  /** Of those in the evidence the ones that count against it. */
  deaths: p.integer().notNull().default(0),
  /** It was in hand when a process died. */
  suspect: p.boolean().notNull().default(false),
  /** While it is in hand: it is on trial, alone in its process. */
  alone: p.boolean().notNull().default(false),
  evidence: p.jsonb().$type<readonly TaskDeath[]>().notNull().default([]),
  /** When its being poisoned was announced. */
  toldAt: p.timestamp({ withTimezone: true }),
  /** `traceparent` (W3C Trace Context) of what made it necessary, where that is traced. */
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
