import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";

/** Who edits which record of a screen, until when by the database's clock. What has ended counts no more. */
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
    /** Of the holder; null where nobody signs in. */
    session: p.text(),
    /** False while only a write holds the record, which nobody is told of. */
    announced: p.boolean().notNull(),
    acquiredAt: p.timestamp({ withTimezone: true }).notNull().default(sql`clock_timestamp()`),
    expiresAt: p.timestamp({ withTimezone: true }).notNull(),
    /** A write of the record is under way, until then at most. */
    writingUntil: p.timestamp({ withTimezone: true }),
  },
  (t) => [
    p.index("record_locks_holder").on(t.username),
    p.index("record_locks_end").on(t.expiresAt),
  ],
);
