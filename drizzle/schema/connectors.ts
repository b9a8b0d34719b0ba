import * as p from "drizzle-orm/pg-core";
import type { DownloadRequest } from "#src/domain/connector/file_pattern.ts";

const at = () => p.timestamp({ withTimezone: true });

/** SQL queries saved under a key. */
export const savedQueries = p.pgTable("saved_queries", {
  key: p.text().primaryKey(),
  label: p.text().notNull(),
  description: p.text().notNull().default(""),
  sql: p.text().notNull(),
  updatedBy: p.text(),
  updatedAt: at().notNull().defaultNow(),
});

/** Bytes uploaded per user and day, counted before they are written. */
export const uploadUsage = p.pgTable("upload_usage", {
  username: p.text().notNull(),
  day: p.date({ mode: "string" }).notNull(),
  bytes: p.bigint({ mode: "number" }).notNull(),
}, (t) => [p.primaryKey({ columns: [t.username, t.day] })]);

/** Incoming files by content: a file is taken from its source only once. */
export const inboundFiles = p.pgTable("inbound_files", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  /** `sftp:<host>:<folder>` or `folder:<template>`. */
  source: p.text().notNull(),
  name: p.text().notNull(),
  size: p.bigint({ mode: "number" }).notNull(),
  sha256: p.text().notNull(),
  /**
   * Modification time from the source, in milliseconds since 1970; an unchanged file is not fetched again.
   */
  modified: p.bigint({ mode: "number" }),
  /** Path inside the data folder. */
  path: p.text().notNull(),
  /** Run that processes the file. */
  runId: p.uuid(),
  receivedAt: at().notNull().defaultNow(),
}, (t) => [p.uniqueIndex("inbound_files_content").on(t.source, t.sha256)]);

export type DownloadState = "waiting" | "done" | "failed";

/** Download requested by a user or a schedule. */
export const downloads = p.pgTable("downloads", {
  id: p.uuid().primaryKey(),
  request: p.jsonb().$type<DownloadRequest>().notNull(),
  state: p.text().$type<DownloadState>().notNull().default("waiting"),
  files: p.jsonb().$type<string[]>().notNull().default([]),
  error: p.text(),
  errorFr: p.text(),
  /** Kind of failure. */
  errorCode: p.text(),
  startedBy: p.text(),
  createdAt: at().notNull().defaultNow(),
  finishedAt: at(),
}, (t) => [p.index("downloads_by_date").on(t.createdAt)]);

/** Pools with `open: manual` that a user opened; all processes may use them until they are closed. */
export const openedPools = p.pgTable("opened_pools", {
  name: p.text().primaryKey(),
  openedBy: p.text().notNull(),
  openedAt: at().notNull().defaultNow(),
  /** True for a pool that a user closed: queries are rejected, whatever the definition says. */
  closed: p.boolean().notNull().default(false),
});
