import * as p from "drizzle-orm/pg-core";

/**
 * State of a peer's circuit breaker, shared by all processes. A peer without a row, or `closed`, may be
 * called.
 */
export const breakers = p.pgTable("breakers", {
  name: p.text().primaryKey(),
  /** `open` blocks all calls before `until` · `trial` allows one caller, until `until` at most. */
  state: p.text().$type<"closed" | "open" | "trial">().notNull().default("closed"),
  /** Consecutive failures since `windowFrom`. */
  failures: p.integer().notNull().default(0),
  windowFrom: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  until: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  reason: p.text(),
  updatedAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
});

/** Number of calls to a peer in the current time window. */
export const paces = p.pgTable("paces", {
  name: p.text().primaryKey(),
  begunAt: p.timestamp({ withTimezone: true }).notNull(),
  taken: p.integer().notNull(),
});
