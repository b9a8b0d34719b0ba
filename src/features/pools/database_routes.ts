import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import { OWN_POOL } from "#src/definitions/pools.ts";
import { DEFAULT_POOL, numbered, success } from "#src/http/database_answers.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { translated } from "#src/http/errors.ts";
import { checkPermission } from "#src/http/guard.ts";
import { failing, json, newRouter, route } from "#src/http/router.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { checkOwn, checkPool, closePool, openPool } from "./control_pool.ts";
import { CloseQuery, PoolChecked, PoolList, PoolTold, TargetQuery } from "./database_schemas.ts";

/** Which code a call needs follows from the pool it names. */
const GET = {
  method: "get" as const,
  "x-permission": "authenticated" as const,
  tags: ["Database"],
};
const FAILS = failing(404, 409, 503, 504);

const check = route({
  ...GET,
  operationId: "checkPool",
  path: "/api/db/check",
  summary: "Whether the database of a pool answers; needs `pool:<alias>:read`",
  request: { query: TargetQuery },
  responses: { 200: json(PoolChecked, "The moment as the database has it"), ...FAILS },
});
const list = route({
  ...GET,
  operationId: "listPools",
  path: "/api/db/pools",
  summary: "The pools the caller may read (`pool:<alias>:read`), with their state and connections",
  responses: { 200: json(PoolList, "The product's own, `default`, then those of the settings") },
});
const open = route({
  ...GET,
  operationId: "openPool",
  path: "/api/db/open",
  summary: "Opens a pool that is closed, and connects; needs `pool:<alias>:control`",
  request: { query: TargetQuery },
  responses: { 200: json(PoolTold, "It is connected"), ...FAILS },
});
const close = route({
  ...GET,
  operationId: "closePool",
  path: "/api/db/close",
  summary: "Closes a pool in every process until it is opened; needs `pool:<alias>:control`",
  request: { query: CloseQuery },
  responses: { 200: json(PoolTold, "It is disconnected"), ...FAILS },
});

type Needs = Pick<Deps, "clock" | "configuration" | "databases" | "db">;

export function databasePoolRoutes(deps: Needs) {
  return newRouter("database")
    .openapi(check, async (c) => {
      const alias = c.req.valid("query").target_pool;
      const name = await allowed(c, alias, "read");
      const moment = alias === DEFAULT_POOL
        ? await checkOwn(deps)
        : await checkPool(deps, { name, signal: c.req.raw.signal });
      const rows = numbered([{ CURRENT_DATE: moment }]);
      const meta_data = [{ name: "CURRENT_DATE", type: "datetime" as const }];
      return c.json({ status: success, rows, rowCount: 1, meta_data }, 200);
    })
    .openapi(list, async (c) => {
      const all = await deps.databases.list(deps.configuration.current());
      const pools = all.map(({ name, connections = null, ...it }) => ({
        alias: name === OWN_POOL ? DEFAULT_POOL : name,
        ...it,
        connections,
      })).filter(({ alias }) => c.var.access.allows(c.var.actor, `pool:${alias}:read`));
      return c.json({ status: success, pools }, 200);
    })
    .openapi(open, async (c) => {
      const alias = c.req.valid("query").target_pool;
      const name = await allowed(c, alias, "control");
      if (alias === DEFAULT_POOL) await checkOwn(deps); // it is never closed
      else await openPool(deps, { name, by: c.var.actor });
      const message = translated(say`The pool ${alias} is connected`, c);
      return c.json({ status: success, message }, 200);
    })
    .openapi(close, async (c) => {
      const { pool } = c.req.valid("query");
      await closePool(deps, { name: await allowed(c, pool, "control"), by: c.var.actor });
      const message = translated(say`The pool ${pool} is disconnected`, c);
      return c.json({ status: success, message }, 200);
    });
}

/** The pool an alias means, once the caller may do this to it. */
async function allowed(
  c: Context<HttpEnv>,
  alias: string,
  what: "read" | "control",
): Promise<string> {
  await checkPermission(c, `pool:${alias === OWN_POOL ? DEFAULT_POOL : alias}:${what}`);
  return alias === DEFAULT_POOL ? OWN_POOL : alias;
}
