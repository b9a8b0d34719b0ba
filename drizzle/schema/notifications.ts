import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";
import type { CallOutputs, StatusNotice } from "#src/domain/notification/mod.ts";
import type { Language } from "#src/kernel/language.ts";

const at = () => p.timestamp({ withTimezone: true });
const bytea = p.customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});

/** A rule with action calls that fired: the rule as it was, so that an interrupted chain goes on with the same calls. */
export const notificationDispatches = p.pgTable("notification_dispatches", {
  eventId: p.uuid().notNull(),
  rule: p.text().notNull(),
  properties: p.jsonb().$type<Record<string, string>>().notNull(),
  /** In whose name the calls are made. */
  owner: p.text(),
  notice: p.jsonb().$type<StatusNotice>().notNull(),
  createdAt: at().notNull().defaultNow(),
  finishedAt: at(),
}, (t) => [p.primaryKey({ columns: [t.eventId, t.rule] })]);

/**
 * `portal` a record of an inbox · `email` one message · `action` one connector call · `dispatch` a dispatch that could
 * not be done at all.
 */
export type DeliveryChannel = "portal" | "email" | "action" | "dispatch";
/**
 * `failed` is the outcome of a call, or an e-mail its rule's owner may not send, or not any more, and final; `dead` waits for a person to
 * replay it.
 */
export type DeliveryState = "pending" | "sent" | "failed" | "dead";

/** What a status change led to. Once for each event, rule, channel and address; the id follows from these four. */
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
  /** Language of the PDF that goes with it, which is in `notification_pdfs`. */
  attachment: p.text().$type<Language>(),
  /** Of an e-mail: in whose name it is sent, whose rights are asked again when it is. */
  owner: p.text(),
  /** Of an action call. */
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

/** The invoice as it was rendered for an event, kept until its last e-mail is delivered. */
export const notificationPdfs = p.pgTable("notification_pdfs", {
  eventId: p.uuid().notNull(),
  language: p.text().$type<Language>().notNull(),
  bytes: bytea().notNull(),
}, (t) => [p.primaryKey({ columns: [t.eventId, t.language] })]);

/** A record for many is read by each for himself. */
export const inboxReads = p.pgTable("inbox_reads", {
  deliveryId: p.uuid().notNull().references(() => notificationDeliveries.id, {
    onDelete: "cascade",
  }),
  username: p.text().notNull(),
  readAt: at().notNull().defaultNow(),
}, (t) => [p.primaryKey({ columns: [t.deliveryId, t.username] })]);
