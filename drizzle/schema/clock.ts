import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";

/**
 * Newest time of the database's clock that a process saw. An earlier time afterwards means that the clock was
 * set back.
 */
export const clockMarks = p.pgTable("clock_marks", {
  /** Limits the table to one row. */
  id: p.boolean().primaryKey().default(true),
  seenAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** Time when the clock was last found set back, by how many seconds, and the number of due times moved. */
  putBackAt: p.timestamp({ withTimezone: true }),
  putBackS: p.doublePrecision().notNull().default(0),
  moved: p.integer().notNull().default(0),
}, (t) => [p.check("clock_marks_one", sql`${t.id}`)]);
