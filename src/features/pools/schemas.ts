import { z } from "@hono/zod-openapi";

export const PoolPath = z.object({
  pool: z.string().openapi({ description: "Name of a pool, or `passerelle`", example: "main" }),
});

const says = (description: string, example?: unknown) => ({
  description,
  ...example !== undefined && { example },
});

const names = (description: string, example: string[]) =>
  z.array(z.string()).openapi(says(description, example));

const Column = z.object({
  name: z.string(),
  type: z.string().openapi({ example: "decimal" }),
  nullable: z.boolean().openapi(says("May have no value")),
});

const ForeignKey = z.object({
  columns: names("Columns that refer", ["order_no"]),
  references: z.object({
    schema: z.string().openapi(says("Schema of the table they refer to", "public")),
    table: z.string().openapi(says("The table they refer to", "orders")),
    columns: names("Its columns, in the same order", ["order_no"]),
  }),
});

export const PoolSchema = z.object({
  pool: z.string(),
  dialect: z.enum(["postgres", "mysql", "sqlite", "mssql", "oracle"])
    .openapi(says("How its SQL is written")),
  tables: z.array(z.object({
    schema: z.string().openapi(says("Schema, or database, the table lies in", "public")),
    name: z.string(),
    kind: z.enum(["table", "view"]),
    columns: z.array(Column).openapi(says("Those the pool's role may read, in their order")),
    primary_key: names("Columns that are unique together", ["order_no"]),
    foreign_keys: z.array(ForeignKey).openapi(says("What its columns refer to")),
  })).openapi(says("By schema and name")),
}).openapi("PoolSchema");
