import { z } from "@hono/zod-openapi";
import {
  FrameworkPool,
  Metadata,
  PoolAlias,
  SessionMode,
  Success,
} from "#src/http/database_answers.ts";
import { wholeNumber } from "#src/http/wire.ts";

const says = (description: string, example?: unknown) => ({
  description,
  ...example !== undefined && { example },
});
const JSON_TEXT = z.string().min(1).max(100_000);

const SHARED = {
  source: z.literal("framework").default("framework")
    .openapi(says("Where definitions come from: the settings")),
  querytype: z.enum(["table", "columns"]).default("table")
    .openapi(says("`columns` answers the columns without running the query")),
  pool: FrameworkPool.openapi(says("Where the definitions lie: `default`")),
  mode: SessionMode.openapi(says("Both mean the same here")),
  query: z.string().min(1).max(130).openapi(
    says("`<connector>.<query>`, or the query alone where one connector has it", "erp.orders"),
  ),
  override_pool: PoolAlias.optional().openapi(
    says("Another pool than the connector's; needs `pool:<alias>:read`, or `:write`", "archive"),
  ),
};

export const ReadQuery = z.object({
  ...SHARED,
  q: JSON_TEXT.optional().openapi(
    says("Conditions, all of which hold", '[{"STATUS":{"=":"open"}}]'),
  ),
  language: z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?$/).default("en").openapi(
    says("Bound to a parameter `language` of the query, where it has one", "fr"),
  ),
  offset: wholeNumber(0, 1_000_000_000, 0).openapi(says("Rows before this page")),
  limit: wholeNumber(0, 1_000_000_000, 1_000).openapi(
    says("Rows of this page; the query may allow fewer"),
  ),
  params: JSON_TEXT.optional().openapi(
    says("Parameters of the query", '[{"company":"00001"}]'),
  ),
});
export const WriteQuery = z.object(SHARED);

export const RowBody = z.record(z.string().max(200), z.unknown()).openapi("DatabaseRow", {
  example: { ORDER_NO: "SO-00000001", STATUS: "closed" },
});

export const DatabaseRows = z.object({
  items: z.array(z.looseObject({ ROW_ID: z.unknown() })),
  status: Success,
  metadata: Metadata,
  hasMore: z.boolean(),
  limit: z.int(),
  offset: z.int(),
  count: z.int(),
}).openapi("DatabaseRows");

export const DatabaseWritten = z.object({
  items: z.array(z.unknown()),
  status: Success,
  count: z.int(),
}).openapi("DatabaseWritten");

const items = <S extends z.ZodRawShape>(more: S) =>
  z.array(z.object({ message: z.string(), ...more }));
const status = z.literal("error");
const failed = z.literal("failed");

export const ReadFailure = z.object({
  status: failed,
  message: z.object({
    items: items({}),
    status,
    hasMore: z.boolean(),
    limit: z.int(),
    offset: z.int(),
    count: z.int(),
    query: z.string(),
  }),
}).openapi("DatabaseReadFailure");

export const WriteFailure = z.object({
  status: failed,
  message: z.object({
    items: items({ line: z.record(z.string(), z.unknown()) }),
    status,
    count: z.int(),
  }),
}).openapi("DatabaseWriteFailure");
