import { z } from "@hono/zod-openapi";
import {
  FrameworkPool,
  Metadata,
  PoolAlias,
  SessionMode,
  Success,
} from "#src/http/database_answers.ts";
import { wholeNumber } from "#src/http/wire.ts";

const JSON_TEXT = z.string().min(1).max(100_000);

const SHARED = {
  source: z.literal("framework").default("framework").openapi({
    description: "Origin of the query definitions: `framework` for the settings",
  }),
  querytype: z.enum(["table", "columns"]).default("table")
    .openapi({ description: "`columns` returns the columns without running the query" }),
  pool: FrameworkPool.openapi({
    description: "Pool with the query definitions: always `default`",
  }),
  mode: SessionMode.openapi({
    description: "`framework` and `session` have the same effect",
  }),
  query: z.string().min(1).max(130).openapi({
    description: "`<connector>.<query>`, or only the query when one connector has it",
    example: "erp.orders",
  }),
  override_pool: PoolAlias.optional().openapi({
    description:
      "Pool to use instead of the one of the connector; requires `pool:<alias>:read` or `:write`",
    example: "archive",
  }),
};

export const ReadQuery = z.object({
  ...SHARED,
  q: JSON_TEXT.optional().openapi({
    description: "Filter as JSON: a list of conditions that must all hold",
    example: '[{"status":{"=":"open"}}]',
  }),
  language: z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?$/).default("en").openapi({
    description: "Value of the parameter `language`, when the query has one",
    example: "fr",
  }),
  offset: wholeNumber(0, 1_000_000_000, 0).openapi({
    description: "Number of skipped rows",
    example: 0,
  }),
  limit: wholeNumber(0, 1_000_000_000, 1_000).openapi({
    description: "Number of rows per page; the limit of the query takes precedence",
    example: 50,
  }),
  params: JSON_TEXT.optional().openapi({
    description: "Parameters of the query as JSON",
    example: '{"status":"open"}',
  }),
});
export const WriteQuery = z.object(SHARED);

export const RowBody = z.record(z.string().max(200), z.unknown()).openapi("DatabaseRow", {
  description: "Values by column name",
  example: { ORDER_NO: "SO-00000001", STATUS: "closed" },
});

export const DatabaseRows = z.object({
  items: z.array(
    z.looseObject({
      ROW_ID: z.unknown().openapi({
        description: "Row number in this answer, from 1",
        example: 1,
      }),
    }).openapi({ description: "Row with its number" }),
  ).openapi({ description: "Rows; column names are in capitals" }),
  status: Success.openapi({ description: "Always `success`" }),
  metadata: Metadata.openapi({ description: "Columns of the rows" }),
  hasMore: z.boolean().openapi({ description: "True when further rows follow", example: false }),
  limit: z.int().openapi({ description: "Maximum number of rows per page", example: 1000 }),
  offset: z.int().openapi({ description: "Number of skipped rows", example: 0 }),
  count: z.int().openapi({ description: "Number of rows on this page", example: 100 }),
}).openapi("DatabaseRows", { description: "Page of rows" });

export const DatabaseWritten = z.object({
  items: z.array(z.unknown()).openapi({ description: "Always empty" }),
  status: Success.openapi({ description: "Always `success`" }),
  count: z.int().openapi({ description: "Number of changed rows", example: 1 }),
}).openapi("DatabaseWritten", { description: "Result of a change" });

const items = <S extends z.ZodRawShape>(more: S) =>
  z.array(
    z.object({
      message: z.string().openapi({
        description: "Error message of the database",
        example: "duplicate key value violates unique constraint",
      }),
      ...more,
    }).openapi({ description: "Error of the database" }),
  );
const status = z.literal("error");
const failed = z.literal("failed");

export const ReadFailure = z.object({
  status: failed.openapi({ description: "Always `failed`" }),
  message: z.object({
    items: items({}).openapi({ description: "Error messages" }),
    status: status.openapi({ description: "Always `error`", example: "error" }),
    hasMore: z.boolean().openapi({ description: "Always false", example: false }),
    limit: z.int().openapi({ description: "Requested maximum number of rows", example: 1000 }),
    offset: z.int().openapi({ description: "Requested number of skipped rows", example: 0 }),
    count: z.int().openapi({ description: "Always 0", example: 0 }),
    query: z.string().openapi({
      description: "Name of the query",
      example: "erp.orders",
    }),
  }).openapi({ description: "Error of a read query" }),
}).openapi("DatabaseReadFailure", { description: "Failed read query" });

export const WriteFailure = z.object({
  status: failed.openapi({ description: "Always `failed`" }),
  message: z.object({
    items: items({
      line: z.record(z.string(), z.unknown()).openapi({
        description: "Submitted row",
        example: { ORDER_NO: "SO-00000001" },
      }),
    }).openapi({
      description: "Error messages with the submitted rows",
    }),
    status: status.openapi({ description: "Always `error`", example: "error" }),
    count: z.int().openapi({ description: "Number of changed rows, always 0", example: 0 }),
  }).openapi({ description: "Error of a change" }),
}).openapi("DatabaseWriteFailure", { description: "Failed change" });
