import { z } from "@hono/zod-openapi";

export const QueryPath = z.object({
  connector: z.string().openapi({
    description: "Name of the connector in the settings",
    example: "erp",
  }),
  query: z.string().openapi({ description: "Name of the query", example: "orders" }),
});
/** Query parameters by name, together with the options of the call itself. */
export const QueryAddress = z.looseObject({
  limit: z.string().optional().openapi({
    description: "Maximum number of rows; the limit of the query takes precedence",
    example: "50",
  }),
  offset: z.string().optional().openapi({ description: "Number of skipped rows", example: "0" }),
  after: z.string().optional().openapi({ description: "Cursor from `next` of the previous page" }),
  sort: z.string().optional().openapi({
    description: "Columns to sort by, separated by commas; `-` sorts in descending order",
    example: "-order_date,order_no",
  }),
  q: z.string().optional().openapi({
    description: "Filter as JSON: a list of conditions that must all hold",
    example: '[{"status":{"=":"open"}}]',
  }),
  count: z.string().optional().openapi({
    description: "`none`, `estimated` or `exact` number of rows",
    example: "exact",
  }),
});
export const QueryBody = z.record(z.string(), z.unknown()).openapi("QueryCall", {
  description:
    "Parameters of the query by name, with `limit`, `offset`, `after`, `sort`, `q` and `count` as in the address",
});
export const WriteAddress = z.object({
  dry_run: z.enum(["true", "false"]).optional().openapi({
    description: "`true` runs the query and rolls it back",
  }),
});

const Items = {
  items: z.array(z.record(z.string(), z.unknown())).openapi({
    description: "Rows. Decimals and 64-bit integers are texts, dates are `YYYY-MM-DD`",
    example: [{ "order_no": "SO-00000001" }],
  }),
  metadata: z.array(
    z.object({
      name: z.string().openapi({ description: "Name of the column", example: "order_no" }),
      type: z.string().openapi({ description: "Type of the values", example: "string" }),
    }).openapi({ description: "Column of a result" }),
  ).openapi({ description: "Columns of the rows" }),
  hasMore: z.boolean().openapi({ description: "True when further rows follow", example: false }),
  limit: z.int().openapi({ description: "Maximum number of rows", example: 50 }),
  offset: z.int().openapi({ description: "Number of skipped rows", example: 0 }),
};
export const Rows = z.object({
  ...Items,
  next: z.string().optional().openapi({
    description: "Cursor of the next page, for `after`, when the query pages by key",
    example: "eyJvcmRlcl9ubyI6IlNPLTAwMDAwMDAxIn0",
  }),
  count: z.int().optional().openapi({
    description: "Number of all rows, when the call requests it",
    example: 12,
  }),
}).openapi("QueryRows", { description: "Page of rows" });
export const Written = z.object({
  ...Items,
  affected: z.int().openapi({ description: "Number of changed rows", example: 1 }),
  dry_run: z.boolean().openapi({
    description: "True when the change was rolled back",
    example: false,
  }),
  before: Items.items.optional().openapi({
    description:
      "Rows of the `audit` definition before the change, for callers with `settings:connectors`",
    example: [{ "status": "open" }],
  }),
  after: Items.items.optional().openapi({
    description: "The same rows after the change",
    example: [{ "status": "closed" }],
  }),
}).openapi("QueryWritten", { description: "Result of a write query" });
export const RowsOrWritten = z.union([Rows, Written]);

export const TestPath = z.object({
  name: z.string().openapi({
    description: "Name of the connector in the settings",
    example: "erp",
  }),
});
export const TestBody = z.object({
  query: z.union([z.string().min(1).max(100_000), z.record(z.string(), z.unknown())]).openapi({
    description: "SQL text, or a query as in the settings",
    example: "select order_no from orders",
  }),
  params: z.record(z.string(), z.unknown()).default({}).openapi({
    description: "Parameters of the query by name",
    example: { "status": "open" },
  }),
}).strict().openapi("TestSql", { description: "Query to test" });
