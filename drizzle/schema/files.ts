import * as p from "drizzle-orm/pg-core";

const bytea = p.customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});

/** Files and folders where no folder of a machine keeps them; a path is absolute below `/files`. */
export const storedFiles = p.pgTable(
  "stored_files",
  {
    path: p.text().primaryKey(),
    folder: p.text().notNull(),
    /** What a reader of the path gets; null for a folder. */
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

/** One version of a file: written once, never changed, so that who began to read it reads it to its end. */
export const storedContents = p.pgTable("stored_contents", {
  id: p.uuid().primaryKey(),
  /** Where its bytes lie: in `stored_chunks`, or in an S3 bucket. */
  place: p.text().$type<"database" | "s3">().notNull().default("database"),
  /** Null while it is being written. */
  size: p.bigint({ mode: "number" }),
  begunAt: p.timestamp({ withTimezone: true }).notNull().defaultNow(),
  /** Whose bytes they are in the bucket; a copy of the database reads them and never removes them. */
  installation: p.uuid(),
  /** When the file got another content. */
  replacedAt: p.timestamp({ withTimezone: true }),
});

/** The bytes of a content, in pieces of 256 KiB; the last may be shorter. */
export const storedChunks = p.pgTable("stored_chunks", {
  contentId: p.uuid().notNull().references(() => storedContents.id, { onDelete: "cascade" }),
  number: p.integer().notNull(),
  bytes: bytea().notNull(),
}, (t) => [p.primaryKey({ columns: [t.contentId, t.number] })]);
