import { z } from "@hono/zod-openapi";

export const QueryPath = z.object({
  connector: z.string().openapi({ description: "Name of a connector of the settings" }),
  query: z.string().openapi({ description: "Name of one of its queries" }),
});
/** Parameters of the query by name, beside the words of the call itself. */
export const QueryAddress = z.looseObject({
  limit: z.string().optional().openapi({
    description: "Rows at most; above the query's own limit that one holds",
    example: "50",
  }),
  offset: z.string().optional().openapi({ description: "Rows passed over", example: "0" }),
  after: z.string().optional().openapi({ description: "`next` of the page before" }),
  sort: z.string().optional().openapi({
    description: "Columns, `-` for descending, separated by commas",
    example: "-order_date,order_no",
  }),
  q: z.string().optional().openapi({
    description: "A filter as JSON, all of the list",
    example: '[{"status":{"=":"open"}}]',
  }),
  count: z.string().optional().openapi({ description: "`none`, `estimated` or `exact`" }),
});
export const QueryBody = z.record(z.string(), z.unknown()).openapi("QueryCall", {
  description: "Parameters by name; `limit offset after sort q count` as in the address",
});
export const WriteAddress = z.object({
  dry_run: z.enum(["true", "false"]).optional().openapi({
    description: "`true` does everything and takes it back",
  }),
});

const Items = {
  items: z.array(z.record(z.string(), z.unknown())).openapi({
    description: "Rows; decimals and integers of 64 bits are texts, dates `yyyy-MM-dd`",
  }),
  metadata: z.array(z.object({ name: z.string(), type: z.string() })),
  hasMore: z.boolean().openapi({ description: "More rows follow" }),
  limit: z.int(),
  offset: z.int().openapi({ description: "Rows passed over" }),
};
export const Rows = z.object({
  ...Items,
  next: z.string().optional().openapi({ description: "For `after`, where pages go by a key" }),
  count: z.int().optional(),
}).openapi("QueryRows");
export const Written = z.object({
  ...Items,
  affected: z.int().openapi({ description: "Rows that changed" }),
  dry_run: z.boolean().openapi({ description: "Everything was taken back" }),
  before: Items.items.optional().openapi({
    description: "Rows of the definition's `audit`, for who holds `settings:connectors`",
  }),
  after: Items.items.optional().openapi({ description: "The same rows as they would be" }),
}).openapi("QueryWritten");
export const RowsOrWritten = z.union([Rows, Written]);

export const TestPath = z.object({ name: z.string() });
export const TestBody = z.object({
  query: z.union([z.string().min(1).max(100_000), z.record(z.string(), z.unknown())]).openapi({
    description: "A SQL text, or a query as it would stand in the section",
  }),
  params: z.record(z.string(), z.unknown()).default({}),
}).strict().openapi("TestSql");
