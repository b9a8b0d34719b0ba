import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";
import { invoices } from "./invoices.ts";
import type { SubmissionState } from "#src/domain/submission/state.ts";

/**
 * Submission of one invoice. Its id is the tracking id at the PA, so a lost answer can be queried. A
 * constraint prevents two open submissions of an invoice.
 */
export const submissions = p.pgTable("submissions", {
  id: p.uuid().primaryKey(),
  invoiceId: p.bigint({ mode: "number" }).notNull().references(() => invoices.id),
  generation: p.integer().notNull(),
  state: p.text().$type<SubmissionState>().notNull(),
  payloadSha256: p.text().notNull(),
  flowId: p.text().unique(),
  attempts: p.integer().notNull().default(0),
  probes: p.integer().notNull().default(0),
  lastError: p.text(),
  lastErrorFr: p.text(),
  runId: p.uuid(),
  runItem: p.integer(),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  updatedAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
}, (t) => [
  p.uniqueIndex("submissions_generation").on(t.invoiceId, t.generation),
  p.uniqueIndex("submissions_one_open").on(t.invoiceId)
    .where(sql`state in ('intent', 'sending', 'ambiguous', 'probing')`),
  p.index("submissions_by_state").on(t.state, t.updatedAt),
  p.index("submissions_by_date").on(t.createdAt, t.id),
  p.index("submissions_of_state").on(t.state, t.createdAt, t.id),
]);

export const submissionAttempts = p.pgTable("submission_attempts", {
  submissionId: p.uuid().notNull().references(() => submissions.id, { onDelete: "cascade" }),
  n: p.integer().notNull(),
  kind: p.text().$type<"send" | "probe">().notNull(),
  startedAt: p.timestamp({ withTimezone: true }).notNull(),
  finishedAt: p.timestamp({ withTimezone: true }),
  outcome: p.text(),
  httpStatus: p.integer(),
  detail: p.text(),
  detailFr: p.text(),
}, (t) => [p.primaryKey({ columns: [t.submissionId, t.n] })]);
