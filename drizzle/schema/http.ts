import * as p from "drizzle-orm/pg-core";

/** Answers kept for a repeated `Idempotency-Key`; a row without status is a call still running. */
export const idempotencyKeys = p.pgTable(
  "idempotency_keys",
  {
    key: p.text().notNull(),
    actor: p.text().notNull(),
    route: p.text().notNull(),
    bodySha256: p.text().notNull(),
    status: p.integer(),
    contentType: p.text(),
    body: p.text(),
    createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (
    t,
  ) => [
    p.primaryKey({ columns: [t.key, t.actor, t.route] }),
    p.index("idempotency_keys_created_at_index").on(t.createdAt),
  ],
);

/** How much of what a user may call now and then is spent; one row a user and thing, so that none need be let go of. */
export const callRates = p.pgTable("call_rates", {
  what: p.text().notNull(),
  username: p.text().notNull(),
  /** The calls counted are paid for at this time; it runs at most a minute ahead. */
  spentUntil: p.timestamp({ withTimezone: true }).notNull(),
}, (t) => [p.primaryKey({ columns: [t.what, t.username] })]);
