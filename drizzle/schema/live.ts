import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";

/**
 * Log of the live channel, ordered by (xid, id). A transaction older than every running one gets no earlier
 * rows any more, so a reader that stops there misses nothing.
 */
export const liveEvents = p.pgTable(
  "live_events",
  {
    id: p.bigserial({ mode: "number" }).primaryKey(),
    xid: p.bigint({ mode: "number" }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
    topic: p.text().notNull(),
    type: p.text().notNull(),
    data: p.jsonb().notNull(),
    /** Permission that a listener needs. */
    permission: p.text().notNull(),
    /** Only recipient; null for everybody with the permission. */
    audience: p.text(),
    createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [p.index("live_events_order").on(t.xid, t.id), p.index("live_events_age").on(t.createdAt)],
);

/** One-time tickets to the live channel for browsers, whose event streams cannot send a header. */
export const liveTickets = p.pgTable("live_tickets", {
  /** SHA-256 of the ticket. */
  hash: p.text().primaryKey(),
  /** The caller's `Authorization` header, sealed. */
  authorization: p.text().notNull(),
  expiresAt: p.timestamp({ withTimezone: true }).notNull(),
});
