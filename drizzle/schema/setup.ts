import * as p from "drizzle-orm/pg-core";

const at = () => p.timestamp({ withTimezone: true });

/** The one installation this database is of. */
export const installations = p.pgTable("installations", {
  id: p.uuid().primaryKey().defaultRandom(),
  /** When its rows came from an embedded database; null where they did not. */
  copiedAt: at(),
  /** When a product began to work on the copy: from then on it is not made anew. */
  startedAt: at(),
  /** SHA-256 of the token that may move the installation once, or `used`; null where none was made. */
  setupToken: p.text(),
  /** Where this database lies: a copy that finds itself elsewhere is another installation. */
  home: p.text(),
});

/** Schemas as they were, under a name, to be compared with. */
export const schemaRevisions = p.pgTable("schema_revisions", {
  id: p.serial().primaryKey(),
  name: p.text().notNull(),
  version: p.text().notNull(),
  /** SHA-256 over tables, columns, constraints, indexes, triggers and functions. */
  fingerprint: p.text().notNull(),
  product: p.text().notNull(),
  by: p.text().notNull(),
  at: at().notNull().defaultNow(),
});
