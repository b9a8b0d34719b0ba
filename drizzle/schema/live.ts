import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";

/**
 * The log of the live channel. Ordered by (xid, id): rows of a transaction older than every running one can no longer
 * gain a predecessor, so a reader that stops there misses nothing.
 */
export const liveEvents = p.pgTable(
  "live_events",
  {
    id: p.bigserial({ mode: "number" }).primaryKey(),
    xid: p.bigint({ mode: "number" }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
    topic: p.text().notNull(),
    type: p.text().notNull(),
    data: p.jsonb().notNull(),
    /** The permission a listener must hold. */
    permission: p.text().notNull(),
    /** The one user it is for; null for everybody who holds the permission. */
    audience: p.text(),
    createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [p.index("live_events_order").on(t.xid, t.id), p.index("live_events_age").on(t.createdAt)],
);

/** One-time passes to the live channel for browsers, whose event streams cannot send a header. */
export const liveTickets = p.pgTable("live_tickets", {
  /** SHA-256 of the ticket. */
  hash: p.text().primaryKey(),
  /** The caller's `Authorization` header, sealed. */
  authorization: p.text().notNull(),
  expiresAt: p.timestamp({ withTimezone: true }).notNull(),
});
