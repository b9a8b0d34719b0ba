import { z } from "@hono/zod-openapi";
import { Tls } from "#src/definitions/pools.ts";
import { Success } from "#src/http/database_answers.ts";
import { issueOf, words } from "#src/kernel/sentences/schema.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

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
  ),
  port: z.int().min(1).max(65_535),
  database: z.string().min(1).max(63),
  user: z.string().min(1).max(63),
  password: z.string().max(1_000),
  ssl: Tls.extend({
    mode: z.enum(Tls.shape.mode.options).openapi({
      description: "What of the server's certificate is looked at",
    }),
  }).optional().openapi({
    description:
      "As that of pools; `ca_file` is absolute. Without it a server elsewhere has to prove its name, and one on this machine is spoken to in the clear",
  }),
}).strict().superRefine(({ ssl }, context) => {
  if (ssl?.ca_file !== undefined && !ssl.ca_file.startsWith("/")) {
    context.addIssue({ ...issueOf(say`an absolute path is expected`), path: ["ssl", "ca_file"] });
  }
  if (ssl?.mode === "verify-ca" && ssl.ca_file === undefined) {
    context.addIssue({ ...issueOf(say`verify-ca needs ssl.ca_file`), path: ["ssl", "ca_file"] });
  }
}).openapi("SetupRequest");

export const DowngradePath = z.object({
  version: Version.openapi({
    description: "The version to go back to, which stays",
    example: "0340",
  }),
});
export const DowngradeQuery = z.object({
  force: z.enum(["true", "false"]).default("false").openapi({
    description: "`true` gives up what that version has no place for",
  }),
});
export const RevisionQuery = z.object({
  name: z.string().trim().min(1).max(100).optional().openapi({
    description: "Name of the revision; its version and the moment where none is given",
    example: "before the summer",
  }),
});

const Migration = z.object({
  ROW_ID: z.int(),
  MIG_VERSION: z.string(),
  MIG_NAME: z.string(),
  MIG_STATE: z.enum(["applied", "changed", "unknown", "pending"]),
  MIG_APPLIED_AT: z.string().nullable(),
}).openapi("MigrationRecord");

const Drift = z.object({ lacks: z.array(z.string()), more: z.array(z.string()) })
  .openapi("SchemaDrift");

const envelope = <S extends z.ZodType, M extends z.ZodRawShape>(item: S, more: M) =>
  z.object({ items: z.array(item), status: Success, count: z.int(), ...more });

export const Current = envelope(Migration, {
  version: z.string(),
  schema: z.string(),
  latest: z.string(),
  database: z.enum(["embedded", "moved", "server"]),
  fingerprint: z.string(),
  drift: Drift,
}).openapi("SetupCurrent");

export const Installed = envelope(
  z.object({ ROW_ID: z.int(), TABLE_NAME: z.string(), TABLE_ROWS: z.int() })
    .openapi("CopiedTable"),
  { message: z.string() },
).openapi("SetupInstalled");

export const Migrated = envelope(
  z.object({ ROW_ID: z.int(), MIG_VERSION: z.string() }).openapi("MigratedVersion"),
  { schema: z.string() },
).openapi("SetupMigrated");

export const Revised = envelope(
  z.object({
    ROW_ID: z.int(),
    REV_ID: z.int(),
    REV_NAME: z.string(),
    REV_VERSION: z.string(),
    REV_FINGERPRINT: z.string(),
    REV_PRODUCT: z.string(),
    REV_BY: z.string(),
    REV_AT: z.iso.datetime(),
  }).openapi("SchemaRevision"),
  { drift: Drift },
).openapi("SetupRevised");

export const Repository = envelope(
  z.object({
    ROW_ID: z.int(),
    TABLE_NAME: z.string(),
    COLUMNS: z.array(
      z.object({ NAME: z.string(), TYPE: z.string(), NULLABLE: YesNo, MASKED: YesNo })
        .openapi("ColumnModel"),
    ),
    WITHHELD: YesNo,
    ROWS: z.array(z.record(z.string(), z.unknown())),
    ROW_COUNT: z.int(),
  }).openapi("TableModel"),
  {},
).openapi("Repository");
