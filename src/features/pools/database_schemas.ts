import { z } from "@hono/zod-openapi";
import { orNull } from "#src/http/wire.ts";
import {
  DEFAULT_POOL,
  FrameworkPool,
  Metadata,
  PoolAlias,
  Success,
} from "#src/http/database_answers.ts";

const says = (description: string) => ({ description, example: "erp" });

export const TargetQuery = z.object({
  framework_pool: FrameworkPool.openapi({
    description: "Where the definitions of pools lie: `default`",
  }),
  target_pool: PoolAlias.default(DEFAULT_POOL).openapi(says("Alias of the pool")),
});
export const CloseQuery = z.object({
  pool: PoolAlias.default(DEFAULT_POOL).openapi(says("Alias of the pool")),
});

export const PoolChecked = z.object({
  status: Success,
  rows: z.array(z.object({
    ROW_ID: z.int(),
    CURRENT_DATE: z.string().openapi({
      description: "The moment as the database has it",
      example: "2026-11-22T10:00:00.000Z",
    }),
  })),
  rowCount: z.int(),
  meta_data: Metadata,
}).openapi("PoolChecked");

export const PoolTold = z.object({
  status: Success,
  message: z.string().openapi({
    description: "What became of it, in a sentence",
    example: "The pool erp is connected",
  }),
}).openapi("PoolTold");

const Connections = z.object({
  open: z.int(),
  busy: z.int(),
  waiting: z.int(),
  max: z.int(),
}).openapi("PoolConnections");

export const PoolList = z.object({
  status: Success,
  pools: z.array(
    z.object({
      alias: z.string(),
      driver: z.string(),
      state: z.enum(["open", "closed"]),
      connections: orNull(Connections),
    }).openapi("PoolListed"),
  ),
}).openapi("PoolList");
