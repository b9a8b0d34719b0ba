import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";

/** Lock of a record by its editor, until a time of the database's clock. An expired lock is ignored. */
export const recordLocks = p.pgTable(
  "record_locks",
  {
    /** SHA-256 of app, screen and key. */
    hash: p.text().primaryKey(),
    app: p.text().notNull(),
    screen: p.text().notNull(),
    key: p.jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    token: p.text().notNull(),
    username: p.text().notNull(),
    displayName: p.text().notNull(),
    /** Session of the holder; null without authentication. */
    session: p.text(),
    /** False for the short lock of a single write, which is not announced. */
    announced: p.boolean().notNull(),
    acquiredAt: p.timestamp({ withTimezone: true }).notNull().default(sql`clock_timestamp()`),
    expiresAt: p.timestamp({ withTimezone: true }).notNull(),
    /** Latest end of the running write of the record. */
    writingUntil: p.timestamp({ withTimezone: true }),
  },
  (t) => [
    p.index("record_locks_holder").on(t.username),
    p.index("record_locks_end").on(t.expiresAt),
  ],
);
