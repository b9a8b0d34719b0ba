import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";
import { fileName } from "./expressions.ts";
import type { ItemState, RunMode, RunState } from "#src/domain/processing/run.ts";
import type { TreatmentChoice } from "#src/domain/treatment/mod.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";

/** Processing of one file. Its items make it resumable after a crash. */
export const runs = p.pgTable("runs", {
  id: p.uuid().primaryKey(),
  template: p.text(),
  file: p.text().$type<ConfinedPath>().notNull(),
  /** Version of the file that the run reads, fixed at its start. Null for runs older than this column. */
  fileVersion: p.text(),
  /** Size of that version in bytes. */
  fileSize: p.bigint({ mode: "number" }),
  mode: p.text().$type<RunMode>().notNull(),
  /** Format of the file's documents: the ERP's report or UBL. */
  sourceType: p.text().$type<"xml" | "ubl">().notNull(),
  jobNumber: p.text().notNull().default(""),
  replaceMode: p.boolean().notNull().default(false),
  /** Key of the only document of the file to process; null processes all of them. */
  onlyDocument: p.text(),
  /** Treatment that the caller chose for all invoices of the file. */
  treatment: p.text().$type<TreatmentChoice>(),
  /** A preview records and sends nothing; its items show the outcome of each invoice. */
  preview: p.boolean().notNull().default(false),
  state: p.text().$type<RunState>().notNull().default("splitting"),
  /** Text of the report before and after its invoices, so that each can be processed alone. */
  envelopeOpen: p.text(),
  envelopeClose: p.text(),
  total: p.integer().notNull().default(0),
  /** Items before this one have been given to workers. */
  nextItem: p.integer().notNull().default(0),
  /** Last time when workers got items; runs alternate by it. */
  servedAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** English text, and the French one if it differs, as in items and logs. */
  error: p.text(),
  errorFr: p.text(),
  startedBy: p.text(),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  finishedAt: p.timestamp({ withTimezone: true }),
}, (t) => [
  p.index("runs_by_date").on(t.createdAt, t.id),
  p.index("runs_by_state").on(t.state, t.createdAt, t.id),
  p.index("runs_of_template").on(t.template, t.createdAt, t.id),
  p.index("runs_of_user").on(t.startedBy, t.createdAt, t.id),
  p.index("runs_by_file_name").on(fileName(t.file)),
  p.index("runs_by_part_of_file").using("gin", t.file.op("gin_trgm_ops")),
  p.index("runs_under_way").on(t.servedAt).where(sql`state = 'processing'`),
]);

/** Invoice of a run: its position in the file and its outcome. */
export const runItems = p.pgTable("run_items", {
  runId: p.uuid().notNull().references(() => runs.id, { onDelete: "cascade" }),
  index: p.integer().notNull(),
  /** Byte range in the run's file. */
  offset: p.bigint({ mode: "number" }).notNull(),
  length: p.integer().notNull(),
  line: p.integer().notNull(),
  /** Null if the run's own envelope applies. */
  envelopeOpen: p.text(),
  envelopeClose: p.text(),
  state: p.text().$type<ItemState>().notNull().default("pending"),
  doc: p.text(),
  dct: p.text(),
  kco: p.text(),
  message: p.text(),
  messageFr: p.text(),
  /** Total with VAT, negative for a credit note; in previews only. */
  amount: p.numeric({ precision: 24, scale: 6 }),
  currency: p.text(),
  /** Number (BT-1) and customer in the file; in previews only, which record no invoice to read them from. */
  number: p.text(),
  customer: p.text(),
  finishedAt: p.timestamp({ withTimezone: true }),
}, (t) => [
  p.primaryKey({ columns: [t.runId, t.index] }),
  p.index("run_items_open").on(t.runId).where(sql`state in ('pending', 'recorded')`),
  // Holds the few items that the list of unresolved runs looks for.
  p.index("run_items_failed").on(t.runId).where(
    sql`state in ('blocked', 'send_failed', 'undecided', 'rejected', 'conflict', 'failed', 'aborted')`,
  ),
  p.index("run_items_unchanged").on(t.doc, t.dct, t.kco, t.runId).where(sql`state = 'unchanged'`),
]);

export const runLogs = p.pgTable("run_logs", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  runId: p.uuid().notNull().references(() => runs.id, { onDelete: "cascade" }),
  item: p.integer(),
  severity: p.text().notNull(),
  module: p.text().notNull(),
  submodule: p.text().notNull(),
  message: p.text().notNull(),
  messageFr: p.text(),
  createdAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
}, (t) => [p.index("run_logs_of_run").on(t.runId, t.id)]);
