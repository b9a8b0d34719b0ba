import * as p from "drizzle-orm/pg-core";

const bytea = p.customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});

/** Files and folders of an installation without a data folder on disk; paths are absolute below `/files`. */
export const storedFiles = p.pgTable(
  "stored_files",
  {
    path: p.text().primaryKey(),
    folder: p.text().notNull(),
    /** Current content of the path; null for a folder. */
    contentId: p.uuid(),
    size: p.bigint({ mode: "number" }).notNull().default(0),
    modified: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (
    t,
  ) => [
    p.index("stored_files_folder").on(t.folder),
    p.index("stored_files_content").on(t.contentId),
  ],
);

/** Version of a file. It never changes, so a reader can read it to its end. */
export const storedContents = p.pgTable("stored_contents", {
  id: p.uuid().primaryKey(),
  /** Storage of the bytes: `stored_chunks`, or an S3 bucket. */
  place: p.text().$type<"database" | "s3">().notNull().default("database"),
  /** Null while it is being written. */
  size: p.bigint({ mode: "number" }),
  begunAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** Installation that owns the bytes in the bucket; a copy of the database reads but never deletes them. */
  installation: p.uuid(),
  /** Time when the file got another content. */
  replacedAt: p.timestamp({ withTimezone: true }),
});

/** Bytes of a content in chunks of 256 KiB; the last may be shorter. */
export const storedChunks = p.pgTable("stored_chunks", {
  contentId: p.uuid().notNull().references(() => storedContents.id, { onDelete: "cascade" }),
  number: p.integer().notNull(),
  bytes: bytea().notNull(),
}, (t) => [p.primaryKey({ columns: [t.contentId, t.number] })]);

/** Saved version of a stylesheet; the file at the path holds the active version. */
export const stylesheetRevisions = p.pgTable("stylesheet_revisions", {
  /** Path below the data folder. */
  path: p.text().notNull(),
  /** Counts from 1 for each path. */
  revision: p.integer().notNull(),
  at: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  author: p.text().notNull(),
  content: bytea().notNull(),
  /** Hexadecimal. */
  sha256: p.text().notNull(),
  /** Compile error in both languages; null for a version that was activated. */
  fault: p.text(),
  faultFr: p.text(),
}, (t) => [p.primaryKey({ columns: [t.path, t.revision] })]);
