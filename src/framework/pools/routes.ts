import type { Deps } from "#src/deps.ts";
import { failing, json, newRouter, route } from "#src/http/router.ts";
import { PoolPath, PoolSchema } from "./schemas.ts";
import { showTables } from "./show_tables.ts";

const schema = route({
  method: "post",
  operationId: "introspectPool",
  path: "/api/sql/{pool}/_schema",
  "x-audit": false,
  "x-permission": "connectors:read",
  tags: ["SQL connectors"],
  summary: "Read the schema of a pool",
  description:
    "For authors of queries. The answer contains the tables and views that the role of the pool can read.",
  request: { params: PoolPath },
  responses: {
    200: json(PoolSchema, "Tables by schema and name"),
    ...failing(422, 503, 504),
  },
});

export function poolRoutes(deps: Pick<Deps, "configuration" | "databases">) {
  return newRouter("framework").openapi(schema, async (c) => {
    const { pool } = c.req.valid("param");
    const { dialect, tables } = await showTables(deps, { name: pool, signal: c.req.raw.signal });
    return c.json({
      pool,
      dialect,
      tables: tables.map(({ columns, primaryKey, foreignKeys, ...it }) => ({
        ...it,
        columns: [...columns],
        primary_key: [...primaryKey],
        foreign_keys: foreignKeys.map(({ columns, references }) => ({
          columns: [...columns],
          references: { ...references, columns: [...references.columns] },
        })),
      })),
    }, 200);
  });
}
