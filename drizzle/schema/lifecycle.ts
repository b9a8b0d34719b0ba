import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";
import type { StatusMessageState } from "#src/domain/submission/status_message.ts";
import { invoices } from "./invoices.ts";

const bytea = p.customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});
const at = () => p.timestamp({ withTimezone: true });

/** Cursor of the PA's flows, updated in the transaction that records them. */
export const paCursors = p.pgTable("pa_cursors", {
  name: p.text().primaryKey(),
  /** The PA's own time of the newest flow in the last complete scan. */
  updatedAfter: p.text(),
  /** Cursor of an interrupted scan. */
  cursor: p.text(),
  /** Newest time seen by the running scan. */
  scanNewest: p.text(),
  /** Holder and end of the lease, so that only one process reads at a time. */
  leaseHolder: p.uuid(),
  leaseUntil: at(),
  startedAt: at(),
  /** Everything the PA had at this time has been read. */
  coversUntil: at(),
  updatedAt: at().notNull().defaultNow(),
});

/** Processed flows of the PA, so that a time window read twice has no effect twice. */
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
 * `unreadable` cannot be parsed and waits for a person. `failed` could not be fetched and is retried at `nextAt`.
 * `waiting` refers to an invoice that is not recorded yet; it is applied afterwards.
 */
export type QuarantineKind = "unreadable" | "failed" | "waiting";

/** Quarantined flows with their reason, so that the others continue. */
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

/** File of a quarantined flow, byte for byte; in its own table, so that lists do not read it. */
export const paQuarantineFiles = p.pgTable("pa_quarantine_files", {
  flowId: p.text().primaryKey().references(() => paQuarantine.flowId, { onDelete: "cascade" }),
  name: p.text().notNull(),
  size: p.integer().notNull(),
  bytes: bytea().notNull(),
});

/** Status sent to the PA. Its id is the tracking id; an invoice has at most one message under way. */
export const statusMessages = p.pgTable("status_messages", {
  id: p.uuid().primaryKey(),
  invoiceId: p.bigint({ mode: "number" }).notNull().references(() => invoices.id),
  statusCode: p.text().notNull(),
  state: p.text().$type<StatusMessageState>().notNull(),
  /** CDAR message. */
  payload: p.text().notNull(),
  payloadSha256: p.text().notNull(),
  /** Reason, comment, action and amounts from the request. */
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
  /**
   * Scheme, host and port of the PA that issued the key, or `sandbox:`; null in rows older than this column.
   */
  paOrigin: p.text(),
  createdAt: at().notNull().defaultNow(),
  lastCallAt: at(),
});

/** Signatures of recent calls, so that a replayed call is ignored. */
export const paWebhookCalls = p.pgTable("pa_webhook_calls", {
  signature: p.text().primaryKey(),
  receivedAt: at().notNull().defaultNow(),
});
