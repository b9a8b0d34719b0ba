import * as p from "drizzle-orm/pg-core";

/** Change of the configuration, in one or several sections. */
export const configurationRevisions = p.pgTable("configuration_revisions", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  at: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  author: p.text().notNull(),
  /** Kind of change: saved, renamed, reverted, applied from files. */
  note: p.text().notNull(),
});

/** Every version of a section's text, byte for byte; an empty text means that the section does not exist. */
export const configurationTexts = p.pgTable("configuration_texts", {
  section: p.text().notNull(),
  revision: p.bigint({ mode: "number" }).notNull().references(() => configurationRevisions.id),
  text: p.text().notNull(),
  /** First 16 hexadecimal digits of its SHA-256. */
  tag: p.text().notNull(),
}, (t) => [p.primaryKey({ columns: [t.section, t.revision] })]);

/** Current text of a section and the active one. They differ if the author may not reload. */
export const configurationSections = p.pgTable("configuration_sections", {
  name: p.text().primaryKey(),
  stored: p.bigint({ mode: "number" }).notNull(),
  active: p.bigint({ mode: "number" }),
});

/**
 * Author of a job at a revision. A job acts for another user only if its author's permissions cover that
 * user's.
 */
export const jobAuthors = p.pgTable("job_authors", {
  /** The empty name covers all jobs written before authors were recorded. */
  job: p.text().notNull(),
  revision: p.bigint({ mode: "number" }).notNull().references(() => configurationRevisions.id),
  /** Null is the operator of the server; empty is nobody, because authentication was off. */
  author: p.text(),
}, (t) => [p.primaryKey({ columns: [t.job, t.revision] })]);
