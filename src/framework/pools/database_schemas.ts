import { z } from "@hono/zod-openapi";
import { orNull } from "#src/http/wire.ts";
import {
  DEFAULT_POOL,
  FrameworkPool,
  Metadata,
  PoolAlias,
  Success,
} from "#src/http/database_answers.ts";

export const TargetQuery = z.object({
  framework_pool: FrameworkPool.openapi({
    description: "Pool with the pool definitions: always `default`",
  }),
  target_pool: PoolAlias.default(DEFAULT_POOL).openapi({ description: "Alias of the pool" }),
});
export const CloseQuery = z.object({
  pool: PoolAlias.default(DEFAULT_POOL).openapi({
    description: "Alias of the pool",
    example: "erp",
  }),
});

export const PoolChecked = z.object({
  status: Success.openapi({ description: "Always `success`" }),
  rows: z.array(
    z.object({
      ROW_ID: z.int().openapi({
        description: "Row number in this answer, from 1",
        example: 1,
      }),
      CURRENT_DATE: z.string().openapi({
        description: "Current time of the database",
        example: "2026-11-22T10:00:00.000Z",
      }),
    }).openapi({ description: "Time of the database" }),
  ).openapi({ description: "One row with the time of the database" }),
  rowCount: z.int().openapi({ description: "Number of rows, always 1", example: 1 }),
  meta_data: Metadata.openapi({ description: "Columns of the row" }),
}).openapi("PoolChecked", { description: "Result of a pool check" });

export const PoolTold = z.object({
  status: Success.openapi({ description: "Always `success`" }),
  message: z.string().openapi({
    description: "Result in the caller's language",
    example: "The pool erp is connected",
  }),
}).openapi("PoolTold", { description: "Result of opening or closing a pool" });

const Connections = z.object({
  open: z.int().openapi({ description: "Number of open connections", example: 3 }),
  busy: z.int().openapi({ description: "Number of connections in use", example: 1 }),
  waiting: z.int().openapi({
    description: "Number of callers that wait for a connection",
    example: 0,
  }),
  max: z.int().openapi({ description: "Maximum number of connections", example: 10 }),
}).openapi("PoolConnections", { description: "Connections of a pool in one process" });

export const PoolList = z.object({
  status: Success.openapi({ description: "Always `success`" }),
  pools: z.array(
    z.object({
      alias: z.string().openapi({
        description: "Alias of the pool; `default` is the product's own database",
        example: "erp",
      }),
      driver: z.string().openapi({
        description: "Type of the database",
        example: "postgres",
      }),
      source: z.enum(["product", "settings", "environment"]).openapi({
        description: "Place of its definition; `environment` is a variable `POOL_<ALIAS>_URL`",
        example: "settings",
      }),
      state: z.enum(["open", "closed"]).openapi({
        description: "`closed` when a user closed the pool or it was never opened",
        example: "open",
      }),
      connections: orNull(Connections).openapi({
        description: "Connections of the answering process; null when it has not used the pool",
      }),
    }).openapi("PoolListed", { description: "Pool with its state and connections" }),
  ).openapi({ description: "Pools that the caller may read" }),
}).openapi("PoolList", { description: "Pools with their states" });
