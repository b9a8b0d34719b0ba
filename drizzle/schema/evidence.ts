import * as p from "drizzle-orm/pg-core";
import { invoices } from "./invoices.ts";

const bytea = p.customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});

/** Files under their digest: what was recorded and then sent unchanged is kept once. */
export const evidenceContents = p.pgTable("evidence_contents", {
  sha256: p.text().primaryKey(),
  bytes: bytea().notNull(),
});

/**
 * What was sent, received and decided about an invoice: each record holds the hash of the one before. Triggers refuse
 * every change. Texts, not jsonb or timestamps, where their exact characters are hashed.
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
