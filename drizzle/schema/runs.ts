import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";
import { fileName } from "./expressions.ts";
import type { ItemState, RunMode, RunState } from "#src/domain/processing/run.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";

/** One processing of one file. Its items make it resumable after a crash. */
export const runs = p.pgTable("runs", {
  id: p.uuid().primaryKey(),
  template: p.text(),
  file: p.text().$type<ConfinedPath>().notNull(),
  /** Of the file as it was when the run began, which is what the run reads. Null for runs of earlier versions. */
  fileVersion: p.text(),
  /** Bytes of that version. */
  fileSize: p.bigint({ mode: "number" }),
  mode: p.text().$type<RunMode>().notNull(),
  /** How a document of the file is read: as the ERP's report or as UBL. */
  sourceType: p.text().$type<"xml" | "ubl">().notNull(),
  jobNumber: p.text().notNull().default(""),
  replaceMode: p.boolean().notNull().default(false),
  state: p.text().$type<RunState>().notNull().default("splitting"),
  /** Text of the report before and after its invoices, so that each can stand alone. */
  envelopeOpen: p.text(),
  envelopeClose: p.text(),
  total: p.integer().notNull().default(0),
  /** Items before this one have been given to workers. */
  nextItem: p.integer().notNull().default(0),
  /** When workers were last given some of it; runs take turns by it. */
  servedAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** In English, and in French where that differs; so are the messages of items and logs. */
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
  p.index("runs_under_way").on(t.servedAt).where(sql`state = 'processing'`),
]);

/** One invoice of a run: where it lies in the file and what became of it. */
export const runItems = p.pgTable("run_items", {
  runId: p.uuid().notNull().references(() => runs.id, { onDelete: "cascade" }),
  index: p.integer().notNull(),
  /** Byte range in the run's file. */
  offset: p.bigint({ mode: "number" }).notNull(),
  length: p.integer().notNull(),
  line: p.integer().notNull(),
  /** Absent where the run's own envelope stands around it. */
  envelopeOpen: p.text(),
  envelopeClose: p.text(),
  state: p.text().$type<ItemState>().notNull().default("pending"),
  doc: p.text(),
  dct: p.text(),
  kco: p.text(),
  message: p.text(),
  messageFr: p.text(),
  finishedAt: p.timestamp({ withTimezone: true }),
}, (t) => [
  p.primaryKey({ columns: [t.runId, t.index] }),
  p.index("run_items_open").on(t.runId).where(sql`state in ('pending', 'recorded')`),
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
