import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import { OWN_POOL } from "#src/definitions/pools.ts";
import { DEFAULT_POOL, numberRows, success } from "#src/http/database_answers.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { translateFor } from "#src/http/errors.ts";
import { checkPermission } from "#src/http/guard.ts";
import { failing, json, newRouter, route } from "#src/http/router.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { checkOwn, checkPool, closePool, openPool } from "./control_pool.ts";
import { CloseQuery, PoolChecked, PoolList, PoolTold, TargetQuery } from "./database_schemas.ts";

const GET = { method: "get" as const, tags: ["Database"] };
const READ = { ...GET, "x-permission": "pool:<alias>:read" as const };
const CONTROL = { ...GET, "x-permission": "pool:<alias>:control" as const };
const FAILS = failing(404, 409, 503, 504);

const check = route({
  ...READ,
  operationId: "checkPool",
  path: "/api/db/check",
  summary: "Check a pool",
  description: "For administrators of pools. The answer contains the time of the database.",
  request: { query: TargetQuery },
  responses: { 200: json(PoolChecked, "Time of the database"), ...FAILS },
});
const list = route({
  ...GET,
  "x-permission": "authenticated",
  operationId: "listPools",
  path: "/api/db/pools",
  summary: "List pools",
  description:
    "For administrators of pools. The list contains the pools with `pool:<alias>:read`, their states and connections.",
  responses: {
    200: json(
      PoolList,
      "Pool `default` of the product, then those of the settings and of variables",
    ),
  },
});
const open = route({
  ...CONTROL,
  operationId: "openPool",
  path: "/api/db/open",
  summary: "Open a pool",
  description: "For administrators of pools. The pool connects at once.",
  request: { query: TargetQuery },
  responses: { 200: json(PoolTold, "The pool is connected"), ...FAILS },
});
const close = route({
  ...CONTROL,
  operationId: "closePool",
  path: "/api/db/close",
  summary: "Close a pool",
  description:
    "For administrators of pools. The pool stays closed in all processes until a call opens it.",
  request: { query: CloseQuery },
  responses: { 200: json(PoolTold, "The pool is disconnected"), ...FAILS },
});

type DatabaseRoutesDeps = Pick<Deps, "clock" | "configuration" | "databases" | "db">;

export function databasePoolRoutes(deps: DatabaseRoutesDeps) {
  return newRouter("database")
    .openapi(check, async (c) => {
      const alias = c.req.valid("query").target_pool;
      const name = await resolveAllowedPool(c, alias, "read");
      const moment = alias === DEFAULT_POOL
        ? await checkOwn(deps)
        : await checkPool(deps, { name, signal: c.req.raw.signal });
      const rows = numberRows([{ CURRENT_DATE: moment }]);
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
      const name = await resolveAllowedPool(c, alias, "control");
      if (alias === DEFAULT_POOL) await checkOwn(deps); // it is never closed
      else await openPool(deps, { name, by: c.var.actor });
      const message = translateFor(say`The pool ${alias} is connected`, c);
      return c.json({ status: success, message }, 200);
    })
    .openapi(close, async (c) => {
      const { pool } = c.req.valid("query");
      await closePool(deps, {
        name: await resolveAllowedPool(c, pool, "control"),
        by: c.var.actor,
      });
      const message = translateFor(say`The pool ${pool} is disconnected`, c);
      return c.json({ status: success, message }, 200);
    });
}

/** The pool an alias means, once the caller may do this to it. */
async function resolveAllowedPool(
  c: Context<HttpEnv>,
  alias: string,
  what: "read" | "control",
): Promise<string> {
  await checkPermission(c, `pool:${alias === OWN_POOL ? DEFAULT_POOL : alias}:${what}`);
  return alias === DEFAULT_POOL ? OWN_POOL : alias;
}
