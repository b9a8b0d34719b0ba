import { z } from "@hono/zod-openapi";

export const PoolPath = z.object({
  pool: z.string().openapi({
    description: "Name of a pool, or `passerelle` for the product's own database",
    example: "main",
  }),
});

const names = (description: string, example: string[]) =>
  z.array(z.string()).openapi({ description, example });

const Column = z.object({
  name: z.string().openapi({ description: "Name of the column", example: "amount" }),
  type: z.string().openapi({ description: "Type of the column", example: "decimal" }),
  nullable: z.boolean().openapi({
    description: "True when the column allows null",
    example: false,
  }),
}).openapi({ description: "Column of a table" });

const ForeignKey = z.object({
  columns: names("Columns that refer", ["order_no"]).openapi({
    description: "Columns of the foreign key",
  }),
  references: z.object({
    schema: z.string().openapi({
      description: "Schema of the referenced table",
      example: "public",
    }),
    table: z.string().openapi({
      description: "Referenced table",
      example: "orders",
    }),
    columns: names("Its columns, in the same order", ["order_no"]).openapi({
      description: "Referenced columns, in the order of the foreign key",
    }),
  }).openapi({ description: "Referenced table and columns" }),
}).openapi({ description: "Foreign key" });

export const PoolSchema = z.object({
  pool: z.string().openapi({ description: "Name of the pool", example: "main" }),
  dialect: z.enum(["postgres", "mysql", "sqlite", "mssql", "oracle"]).openapi({
    description: "SQL dialect",
    example: "postgres",
  }),
  tables: z.array(
    z.object({
      schema: z.string().openapi({
        description: "Schema or database of the table",
        example: "public",
      }),
      name: z.string().openapi({ description: "Name of the table", example: "order_lines" }),
      kind: z.enum(["table", "view"]).openapi({ description: "`table` or `view`" }),
      columns: z.array(Column)
        .openapi({ description: "Readable columns in their order" }),
      primary_key: names("Columns that are unique together", ["order_no"]).openapi({
        description: "Columns of the primary key",
        example: ["order_no"],
      }),
      foreign_keys: z.array(ForeignKey).openapi({
        description: "Foreign keys of the table",
      }),
    }).openapi({ description: "Table or view" }),
  ).openapi({
    description: "Tables and views that the role of the pool can read, by schema and name",
  }),
}).openapi("PoolSchema", { description: "Tables and views of a pool" });
