import * as p from "drizzle-orm/pg-core";

/** One change of the configuration, of one section or of several at once. */
export const configurationRevisions = p.pgTable("configuration_revisions", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  at: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  author: p.text().notNull(),
  /** How it came: saved, renamed, reverted, applied from files. */
  note: p.text().notNull(),
});

/** Every text a section ever had, byte for byte; an empty one is a section that is not there. */
export const configurationTexts = p.pgTable("configuration_texts", {
  section: p.text().notNull(),
  revision: p.bigint({ mode: "number" }).notNull().references(() => configurationRevisions.id),
  text: p.text().notNull(),
  /** The first 16 hexadecimal digits of its SHA-256. */
  tag: p.text().notNull(),
}, (t) => [p.primaryKey({ columns: [t.section, t.revision] })]);

/** Which text a section has, and which one is in force: another where who saved it may not reload. */
export const configurationSections = p.pgTable("configuration_sections", {
  name: p.text().primaryKey(),
  stored: p.bigint({ mode: "number" }).notNull(),
  active: p.bigint({ mode: "number" }),
});
