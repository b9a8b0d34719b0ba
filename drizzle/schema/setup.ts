import * as p from "drizzle-orm/pg-core";

const at = () => p.timestamp({ withTimezone: true });

/** Installation that this database belongs to. */
export const installations = p.pgTable("installations", {
  id: p.uuid().primaryKey().defaultRandom(),
  /** Time when the rows were copied from an embedded database; null otherwise. */
  copiedAt: at(),
  /** Time when a product first used the copy; from then on the copy is not repeated. */
  startedAt: at(),
  /** SHA-256 of the token that may move the installation once, or `used`; null before a token exists. */
  setupToken: p.text(),
  /** Location of this database: a copy at another location is another installation. */
  home: p.text(),
  /** Start of a stop of all submissions, after a restore or by an operator; null while invoices are sent. */
  sendingOffAt: at(),
});

/** Named snapshots of schemas for comparison. */
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
