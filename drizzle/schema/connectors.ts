import * as p from "drizzle-orm/pg-core";
import type { DownloadRequest } from "#src/domain/connector/file_pattern.ts";

const at = () => p.timestamp({ withTimezone: true });

/** SQL texts people keep under a key. */
export const savedQueries = p.pgTable("saved_queries", {
  key: p.text().primaryKey(),
  label: p.text().notNull(),
  description: p.text().notNull().default(""),
  sql: p.text().notNull(),
  updatedBy: p.text(),
  updatedAt: at().notNull().defaultNow(),
});

/** Bytes a user has uploaded on a day; counted before they are written. */
export const uploadUsage = p.pgTable("upload_usage", {
  username: p.text().notNull(),
  day: p.date({ mode: "string" }).notNull(),
  bytes: p.bigint({ mode: "number" }).notNull(),
}, (t) => [p.primaryKey({ columns: [t.username, t.day] })]);

/** Files that came in, by content: what came from a source once is not taken from it again. */
export const inboundFiles = p.pgTable("inbound_files", {
  id: p.bigserial({ mode: "number" }).primaryKey(),
  /** `sftp:<host>:<folder>` or `folder:<template>`. */
  source: p.text().notNull(),
  name: p.text().notNull(),
  size: p.bigint({ mode: "number" }).notNull(),
  sha256: p.text().notNull(),
  /** As the source said, in milliseconds since 1970: a file that did not change is not fetched again. */
  modified: p.bigint({ mode: "number" }),
  /** Where it was put, inside the data folder. */
  path: p.text().notNull(),
  /** The run that processes it. */
  runId: p.uuid(),
  receivedAt: at().notNull().defaultNow(),
}, (t) => [p.uniqueIndex("inbound_files_content").on(t.source, t.sha256)]);

export type DownloadState = "waiting" | "done" | "failed";

/** A download somebody asked for, or a schedule. */
export const downloads = p.pgTable("downloads", {
  id: p.uuid().primaryKey(),
  request: p.jsonb().$type<DownloadRequest>().notNull(),
  state: p.text().$type<DownloadState>().notNull().default("waiting"),
  files: p.jsonb().$type<string[]>().notNull().default([]),
  error: p.text(),
  errorFr: p.text(),
  /** Why it failed, as a kind of failure. */
  errorCode: p.text(),
  startedBy: p.text(),
  createdAt: at().notNull().defaultNow(),
  finishedAt: at(),
}, (t) => [p.index("downloads_by_date").on(t.createdAt)]);

/** Pools that are `open: manual` and that somebody opened; queries of every process may use them until they are closed. */
export const openedPools = p.pgTable("opened_pools", {
  name: p.text().primaryKey(),
  openedBy: p.text().notNull(),
  openedAt: at().notNull().defaultNow(),
  /** By the same, in place of opened: queries are refused, whatever the definition says. */
  closed: p.boolean().notNull().default(false),
});
