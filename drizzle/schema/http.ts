import * as p from "drizzle-orm/pg-core";

/** Stored answers by `Idempotency-Key`; a row without status is a running call. */
export const idempotencyKeys = p.pgTable(
  "idempotency_keys",
  {
    key: p.text().notNull(),
    actor: p.text().notNull(),
    route: p.text().notNull(),
    bodySha256: p.text().notNull(),
    status: p.integer(),
    contentType: p.text(),
    /** Null for an answer too long to store: a repeated call gets only its status. */
    body: p.text(),
    /** Permission codes that the first call needed; a repeated call needs them too. */
    rights: p.text().array().notNull().default([]),
    /** Digest of the caller's roles and claims, which also decide the rows of an answer. */
    holder: p.text(),
    createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (
    t,
  ) => [
    p.primaryKey({ columns: [t.key, t.actor, t.route] }),
    p.index("idempotency_keys_created_at_index").on(t.createdAt),
  ],
);

/** Database growth in bytes per user and day (UTC), for each resource with a quota. */
export const dailyUsage = p.pgTable("daily_usage", {
  what: p.text().notNull(),
  username: p.text().notNull(),
  day: p.date().notNull(),
  bytes: p.bigint({ mode: "number" }).notNull(),
}, (t) => [p.primaryKey({ columns: [t.what, t.username, t.day] })]);

/** Rate limit of a user and resource. There is one row for each, so rows need no cleanup. */
export const callRates = p.pgTable("call_rates", {
  what: p.text().notNull(),
  username: p.text().notNull(),
  /** Time until which past calls use up the allowance, at most a minute ahead. */
  spentUntil: p.timestamp({ withTimezone: true }).notNull(),
}, (t) => [p.primaryKey({ columns: [t.what, t.username] })]);
