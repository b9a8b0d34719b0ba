import * as p from "drizzle-orm/pg-core";

/** Whether a PA may be called now, for all processes alike; a PA without a row, or `closed`, may. */
export const paBreakers = p.pgTable("pa_breakers", {
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
