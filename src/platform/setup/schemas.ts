import { z } from "@hono/zod-openapi";
import { Tls } from "#src/definitions/pools.ts";
import { Success } from "#src/http/database_answers.ts";
import { createIssue, words } from "#src/kernel/i18n/schema.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

const YesNo = z.enum(["Y", "N"]);
const Version = z.string().regex(
  /^\d{1,4}$/,
  words(say`a version of up to four digits is expected`),
);

/** The PostgreSQL server to move to, and who signs in there. */
export const InstallBody = z.object({
  host: z.string().trim().min(1).max(253).regex(
    /^[\w.:-]+$/,
    words(say`the name or address of a host is expected`),
  ).openapi({ description: "Name or address of the server", example: "db.internal" }),
  port: z.int().min(1).max(65_535).openapi({ description: "Port of the server", example: 5432 }),
  database: z.string().min(1).max(63).openapi({
    description: "Name of an empty database",
    example: "passerelle",
  }),
  user: z.string().min(1).max(63).openapi({
    description: "Role that signs in and owns the database",
    example: "passerelle",
  }),
  password: z.string().max(1_000).openapi({
    description: "Password of the role; stored encrypted in the data folder",
    example: "correct horse battery staple",
  }),
  ssl: Tls.extend({
    mode: z.enum(Tls.shape.mode.options).openapi({
      description: "Verification of the server certificate",
    }),
    ca_file: Tls.shape.ca_file.meta({
      description: "File with the trusted certificate authorities",
      example: "/etc/passerelle/ca.pem",
    }),
  }).optional().openapi({
    description:
      "TLS settings as for pools, with an absolute `ca_file`. Default: a remote server must present a valid certificate; a local server is called without TLS",
  }),
}).strict().superRefine(({ ssl }, context) => {
  if (ssl?.ca_file !== undefined && !ssl.ca_file.startsWith("/")) {
    context.addIssue({
      ...createIssue(say`an absolute path is expected`),
      path: ["ssl", "ca_file"],
    });
  }
  if (ssl?.mode === "verify-ca" && ssl.ca_file === undefined) {
    context.addIssue({
      ...createIssue(say`verify-ca needs ssl.ca_file`),
      path: ["ssl", "ca_file"],
    });
  }
}).openapi("SetupRequest", { description: "PostgreSQL server to move to" });

export const DowngradePath = z.object({
  version: Version.openapi({
    description: "Migration to return to; it stays applied",
    example: "0001",
  }),
});
export const DowngradeQuery = z.object({
  force: z.enum(["true", "false"]).default("false").openapi({
    description: "`true` deletes data that the older schema cannot store",
  }),
});
export const RevisionQuery = z.object({
  name: z.string().trim().min(1).max(100).optional().openapi({
    description: "Name of the revision; default: the version and the time",
    example: "before the summer",
  }),
});

const Migration = z.object({
  ROW_ID: z.int().openapi({ description: "Row number in this answer, from 1", example: 1 }),
  MIG_VERSION: z.string().openapi({ description: "Number of the migration", example: "0001" }),
  MIG_NAME: z.string().openapi({ description: "Name of the migration", example: "baseline" }),
  MIG_STATE: z.enum(["applied", "changed", "unknown", "pending"]).openapi({
    description:
      "`applied`, `pending`, `changed` since it was applied, or `unknown` to this product version",
    example: "applied",
  }),
  MIG_APPLIED_AT: z.string().nullable().openapi({
    description: "Time of the application; null for a pending migration",
    example: "2026-11-22T10:00:00.000Z",
  }),
}).openapi("MigrationRecord", { description: "Migration of the database schema" });

const Drift = z.object({
  lacks: z.array(z.string()).openapi({
    description: "Objects that the migrations create and the schema lacks",
    example: [],
  }),
  more: z.array(z.string()).openapi({
    description: "Objects that no migration creates",
    example: [],
  }),
})
  .openapi("SchemaDrift", { description: "Differences between the schema and its migrations" });

const envelope = <S extends z.ZodType, M extends z.ZodRawShape>(item: S, more: M) =>
  z.object({
    items: z.array(item).openapi({ description: "Rows of the answer" }),
    status: Success.openapi({ description: "Always `success`" }),
    count: z.int().openapi({ description: "Number of rows", example: 12 }),
    ...more,
  });

export const Current = envelope(Migration, {
  version: z.string().openapi({ description: "Product version", example: "0.1.0" }),
  schema: z.string().openapi({ description: "Latest applied migration", example: "0001" }),
  latest: z.string().openapi({
    description: "Latest migration of this product version",
    example: "0001",
  }),
  database: z.enum(["embedded", "moved", "server"]).openapi({
    description: "`embedded`, `server`, or `moved` to a server that the next start uses",
  }),
  fingerprint: z.string().openapi({
    description: "SHA-256 of tables, columns, constraints, indexes, triggers and functions",
    example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  }),
  drift: Drift,
}).openapi("SetupCurrent", { description: "Version of the product and of its database schema" });

export const Installed = envelope(
  z.object({
    ROW_ID: z.int().openapi({
      description: "Row number in this answer, from 1",
      example: 1,
    }),
    TABLE_NAME: z.string().openapi({ description: "Name of the table", example: "invoices" }),
    TABLE_ROWS: z.int().openapi({ description: "Number of copied rows", example: 1200 }),
  })
    .openapi("CopiedTable", { description: "Copied table" }),
  {
    message: z.string().openapi({
      description: "Location of the data in the caller's language",
      example: "The next start uses db.internal",
    }),
  },
).openapi("SetupInstalled", { description: "Result of the move to a server" });

export const Migrated = envelope(
  z.object({
    ROW_ID: z.int().openapi({
      description: "Row number in this answer, from 1",
      example: 1,
    }),
    MIG_VERSION: z.string().openapi({ description: "Number of the migration", example: "0001" }),
  }).openapi("MigratedVersion", { description: "Applied or undone migration" }),
  { schema: z.string().openapi({ description: "Latest applied migration", example: "0001" }) },
).openapi("SetupMigrated", { description: "Applied or undone migrations" });

export const Revised = envelope(
  z.object({
    ROW_ID: z.int().openapi({
      description: "Row number in this answer, from 1",
      example: 1,
    }),
    REV_ID: z.int().openapi({ description: "Number of the revision", example: 1 }),
    REV_NAME: z.string().openapi({
      description: "Name of the revision",
      example: "before the summer",
    }),
    REV_VERSION: z.string().openapi({
      description: "Latest applied migration",
      example: "0001",
    }),
    REV_FINGERPRINT: z.string().openapi({
      description: "SHA-256 of tables, columns, constraints, indexes, triggers and functions",
      example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }),
    REV_PRODUCT: z.string().openapi({ description: "Product version", example: "0.1.0" }),
    REV_BY: z.string().openapi({ description: "User who recorded the revision", example: "admin" }),
    REV_AT: z.iso.datetime().openapi({
      description: "Time of the recording",
      example: "2026-11-22T10:00:00.000Z",
    }),
  }).openapi("SchemaRevision", { description: "Recorded revision of the schema" }),
  { drift: Drift },
).openapi("SetupRevised", { description: "Recorded schema revision" });

export const Repository = envelope(
  z.object({
    ROW_ID: z.int().openapi({
      description: "Row number in this answer, from 1",
      example: 1,
    }),
    TABLE_NAME: z.string().openapi({ description: "Name of the table", example: "invoices" }),
    COLUMNS: z.array(
      z.object({
        NAME: z.string().openapi({ description: "Name of the column in capitals", example: "ID" }),
        TYPE: z.string().openapi({
          description: "Type in PostgreSQL notation",
          example: "bigint",
        }),
        NULLABLE: YesNo.openapi({ description: "`Y` when the column allows null", example: "N" }),
        MASKED: YesNo.openapi({
          description: "`Y` when the values are secret and shown as `********`",
          example: "N",
        }),
      })
        .openapi("ColumnModel", { description: "Column of a table" }),
    ).openapi({ description: "Stored columns" }),
    WITHHELD: YesNo.openapi({
      description: "`Y` when only administrators see the rows",
      example: "N",
    }),
    ROWS: z.array(z.record(z.string(), z.unknown())).openapi({
      description: "Rows by column name",
    }),
    ROW_COUNT: z.int().openapi({ description: "Number of exported rows", example: 3 }),
  }).openapi("TableModel", { description: "Table with its columns and rows" }),
  {},
).openapi("Repository", { description: "Export of the tables" });

export const Examination = z.object({
  items: z.array(
    z.object({
      what: z.string().openapi({ description: "Examined part", example: "disk" }),
      state: z.enum(["ok", "warning", "failed"]).openapi({
        description: "State of the part",
      }),
      found: z.string().openapi({
        description: "Finding of the examination",
        example: "12.4 GB left for /data",
      }),
      advice: z.string().nullable().openapi({
        description: "Recommended action; null when none is needed",
        example: null,
      }),
    }).openapi({ description: "Part of the installation with its state" }),
  ).openapi({ description: "Parts of the installation" }),
}).openapi("Examination", { description: "State of the installation" });
