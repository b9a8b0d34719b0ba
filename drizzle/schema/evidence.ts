import * as p from "drizzle-orm/pg-core";
import { invoices } from "./invoices.ts";

const bytea = p.customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});

/** Files by digest: a file recorded and then sent unchanged is stored once. */
export const evidenceContents = p.pgTable("evidence_contents", {
  sha256: p.text().primaryKey(),
  bytes: bytea().notNull(),
});

/**
 * Records of documents sent and received and of decisions about an invoice; each holds the hash of the
 * previous one. Triggers reject every change. Hashed values are text, since jsonb and timestamps do not
 * preserve exact characters.
 */
export const evidence = p.pgTable("evidence", {
  invoiceId: p.bigint({ mode: "number" }).notNull().references(() => invoices.id),
  seq: p.integer().notNull(),
  kind: p.text().notNull(),
  at: p.text().notNull(),
  contentSha256: p.text(),
  meta: p.text().notNull(),
  prev: p.text().notNull(),
  hash: p.text().notNull(),
}, (t) => [p.primaryKey({ columns: [t.invoiceId, t.seq] })]);
