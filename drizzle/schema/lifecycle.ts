import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";
import type { StatusMessageState } from "#src/domain/submission/status_message.ts";
import { invoices } from "./invoices.ts";

const at = () => p.timestamp({ withTimezone: true });

/** How far the PA's flows have been read; moved in the transaction that records what was read. */
export const paCursors = p.pgTable("pa_cursors", {
  name: p.text().primaryKey(),
  /** The PA's own time of the newest flow of the last complete scan. */
  updatedAfter: p.text(),
  /** Where an interrupted scan goes on. */
  cursor: p.text(),
  /** The newest time seen by the scan under way. */
  scanNewest: p.text(),
  /** Who reads now, and until when without a sign of life; two readings at once are one. */
  leaseHolder: p.uuid(),
  leaseUntil: at(),
  startedAt: at(),
  /** Everything the PA knew at this moment has been read. */
  coversUntil: at(),
  updatedAt: at().notNull().defaultNow(),
});

/** Flows of the PA that were read and acted on; a window read twice does not act twice. */
export const paFlows = p.pgTable("pa_flows", {
  flowId: p.text().primaryKey(),
  flowType: p.text(),
  direction: p.text(),
  ackStatus: p.text().notNull(),
  updatedAt: p.text(),
  trackingId: p.text(),
  submittedAt: p.text(),
  handledAt: at().notNull().defaultNow(),
}, (t) => [p.index("pa_flows_by_tracking").on(t.trackingId).where(sql`tracking_id is not null`)]);

/**
 * `unreadable` cannot be understood, a person looks at it · `failed` could not be fetched, tried again at `nextAt` ·
 * `waiting` speaks of an invoice that is not recorded yet, applied when it is.
 */
export type QuarantineKind = "unreadable" | "failed" | "waiting";

/** Flows that could not be acted on: kept with the reason, so that the rest goes on. */
export const paQuarantine = p.pgTable("pa_quarantine", {
  flowId: p.text().primaryKey(),
  kind: p.text().$type<QuarantineKind>().notNull().default("unreadable"),
  reason: p.text().notNull(),
  reasonFr: p.text(),
  content: p.text(),
  metadata: p.jsonb(),
  attempts: p.integer().notNull().default(1),
  nextAt: at(),
  invoiceNumber: p.text(),
  supplierSiren: p.text(),
  createdAt: at().notNull().defaultNow(),
}, (t) => [
  p.index("pa_quarantine_waiting").on(t.invoiceNumber).where(sql`kind = 'waiting'`),
  p.index("pa_quarantine_by_date").on(t.createdAt, t.flowId),
  p.index("pa_quarantine_by_kind").on(t.kind, t.createdAt, t.flowId),
  p.index("pa_quarantine_due").on(t.nextAt).where(sql`next_at is not null`),
]);

/** A status we tell the PA. Its id is the tracking id; one at a time is under way for an invoice. */
export const statusMessages = p.pgTable("status_messages", {
  id: p.uuid().primaryKey(),
  invoiceId: p.bigint({ mode: "number" }).notNull().references(() => invoices.id),
  statusCode: p.text().notNull(),
  state: p.text().$type<StatusMessageState>().notNull(),
  /** The CDAR message. */
  payload: p.text().notNull(),
  payloadSha256: p.text().notNull(),
  /** Reason, comment, action and amounts, as given. */
  content: p.jsonb("said").$type<Record<string, unknown>>().notNull(),
  occurredAt: at().notNull(),
  createdBy: p.text().notNull(),
  flowId: p.text().unique(),
  attempts: p.integer().notNull().default(0),
  probes: p.integer().notNull().default(0),
  lastError: p.text(),
  lastErrorFr: p.text(),
  createdAt: at().notNull().defaultNow(),
  updatedAt: at().notNull().defaultNow(),
}, (t) => [
  p.uniqueIndex("status_messages_one_open").on(t.invoiceId)
    .where(sql`state in ('intent', 'sending', 'ambiguous', 'probing', 'sent', 'parked')`),
  p.index("status_messages_of_invoice").on(t.invoiceId, t.createdAt),
  p.index("status_messages_stuck").on(t.createdAt, t.id).where(
    sql`state in ('parked', 'refused')`,
  ),
]);

/** Webhooks registered at the PA; the signing key is sealed. */
export const paWebhooks = p.pgTable("pa_webhooks", {
  webhookId: p.text().primaryKey(),
  callbackUrl: p.text().notNull(),
  signingKey: p.text().notNull(),
  /** Scheme, host and port of the PA that gave the key, or `sandbox:`; null in rows older than this column. */
  paOrigin: p.text(),
  createdAt: at().notNull().defaultNow(),
  lastCallAt: at(),
});

/** Signatures of the calls of the last minutes: the same call again is not heard. */
export const paWebhookCalls = p.pgTable("pa_webhook_calls", {
  signature: p.text().primaryKey(),
  receivedAt: at().notNull().defaultNow(),
});
