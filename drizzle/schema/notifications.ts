import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";
import type { CallOutputs, ChannelName, StatusNotice } from "#src/domain/notification/mod.ts";
import type { Language } from "#src/kernel/language.ts";

const at = () => p.timestamp({ withTimezone: true });
const bytea = p.customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});

/**
 * Dispatch of a rule with action calls. It holds a copy of the rule, so that an interrupted chain resumes
 * with the same calls.
 */
export const notificationDispatches = p.pgTable("notification_dispatches", {
  eventId: p.uuid().notNull(),
  rule: p.text().notNull(),
  properties: p.jsonb().$type<Record<string, string>>().notNull(),
  /** User in whose name the calls are made. */
  owner: p.text(),
  notice: p.jsonb().$type<StatusNotice>().notNull(),
  createdAt: at().notNull().defaultNow(),
  finishedAt: at(),
}, (t) => [p.primaryKey({ columns: [t.eventId, t.rule] })]);

/**
 * `portal` is an entry of an inbox · `email` one message · `action` one connector call · `dispatch` a
 * dispatch that failed as a whole.
 */
export type DeliveryChannel = ChannelName | "action" | "dispatch";
/**
 * `failed` is a failed call, which is final, or a message that the rule's owner may not send (any longer).
 * `dead` waits for a person to replay or dismiss it; dismissed, it is `failed`.
 */
export type DeliveryState = "pending" | "sent" | "failed" | "dead";

/**
 * Delivery of a status change: one for each event, rule, channel and address. The id is derived from these
 * four.
 */
export const notificationDeliveries = p.pgTable("notification_deliveries", {
  id: p.uuid().primaryKey(),
  eventId: p.uuid().notNull(),
  rule: p.text().notNull(),
  channel: p.text().$type<DeliveryChannel>().notNull(),
  /** Portal: `*`, `user:…`, `role:…`. E-mail: the address. Action: its number and target. */
  address: p.text().notNull(),
  state: p.text().$type<DeliveryState>().notNull(),
  notice: p.jsonb().$type<StatusNotice>().notNull(),
  subject: p.text().notNull().default(""),
  body: p.text().notNull().default(""),
  /** Language of the attached PDF, which is in `notification_pdfs`. */
  attachment: p.text().$type<Language>(),
  /** User in whose name an e-mail is sent; their permissions are checked again on sending. */
  owner: p.text(),
  /** Outputs of an action call. */
  outputs: p.jsonb().$type<CallOutputs>(),
  attempts: p.integer().notNull().default(0),
  lastError: p.text(),
  lastErrorFr: p.text(),
  createdAt: at().notNull().defaultNow(),
  settledAt: at(),
}, (t) => [
  p.uniqueIndex("notification_deliveries_once").on(t.eventId, t.rule, t.channel, t.address),
  p.index("notification_deliveries_by_date").on(t.createdAt, t.id),
  p.index("notification_deliveries_by_state").on(t.state, t.createdAt, t.id),
  p.index("notification_deliveries_by_channel").on(t.channel, t.createdAt, t.id),
  p.index("notification_deliveries_by_rule").on(t.rule, t.createdAt, t.id),
  p.index("notification_inbox").on(t.address, t.createdAt, t.id).where(sql`channel = 'portal'`),
]);

/** Invoice rendered for an event, stored until its last e-mail is delivered. */
export const notificationPdfs = p.pgTable("notification_pdfs", {
  eventId: p.uuid().notNull(),
  language: p.text().$type<Language>().notNull(),
  bytes: bytea().notNull(),
}, (t) => [p.primaryKey({ columns: [t.eventId, t.language] })]);

/** Read marks per user, since an entry may address several users. */
export const inboxReads = p.pgTable("inbox_reads", {
  deliveryId: p.uuid().notNull().references(() => notificationDeliveries.id, {
    onDelete: "cascade",
  }),
  username: p.text().notNull(),
  readAt: at().notNull().defaultNow(),
}, (t) => [p.primaryKey({ columns: [t.deliveryId, t.username] })]);
