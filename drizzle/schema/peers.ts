import * as p from "drizzle-orm/pg-core";

/** Whether a peer outside may be called now, for all processes alike; one without a row, or `closed`, may. */
export const breakers = p.pgTable("breakers", {
  name: p.text().primaryKey(),
  /** `open` nobody calls before `until` · `trial` one caller finds out, until `until` at most. */
  state: p.text().$type<"closed" | "open" | "trial">().notNull().default("closed"),
  /** In a row, since `windowFrom`. */
  failures: p.integer().notNull().default(0),
  windowFrom: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  until: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  reason: p.text(),
  updatedAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
});

/** How many calls of a peer began in the span of time that runs; what is older counts no more. */
export const paces = p.pgTable("paces", {
  name: p.text().primaryKey(),
  begunAt: p.timestamp({ withTimezone: true }).notNull(),
  taken: p.integer().notNull(),
});
