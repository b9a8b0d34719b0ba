import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { MB } from "#src/http/intake.ts";
import { IfMatch, ifMatchOf, tagged } from "#src/http/etag.ts";
import { body, Done, done, failing, newRouter, route } from "#src/http/router.ts";
import { saveQueries, tagOfQueries } from "./save_queries.ts";
import { listQueries } from "./store.ts";

const Key = z.string().regex(
  /^[A-Za-z0-9][\w.-]{0,99}$/,
  "letters, digits, dot, dash and underscore only",
);
const SavedQueries = z.object({
  queries: z.array(z.object({
    key: z.string(),
    label: z.string(),
    description: z.string(),
    sql: z.string(),
  })),
}).openapi("SavedQueries");
const QueriesBody = z.object({
  queries: z.record(Key, z.string().max(100_000)).openapi({
    description: "Key to SQL text; an empty text removes the key",
    example: { overdue: "select doc from invoices" },
  }),
}).strict().openapi("SavedQueriesUpdate");

const list = route({
  method: "get",
  operationId: "listQueries",
  path: "/api/queries",
  "x-permission": "queries:read",
  tags: ["Queries"],
  summary: "The saved queries",
  responses: { 200: tagged(SavedQueries, "By key") },
});
const save = route({
  method: "put",
  operationId: "saveQueries",
  "x-audit": "queries.saved",
  path: "/api/queries",
  "x-permission": "queries:write",
  tags: ["Queries"],
  summary: "Save or update queries; keys not named stay as they are",
  request: { headers: IfMatch, body: body(QueriesBody, { limit: MB }) },
  responses: {
    200: tagged(Done, "Saved"),
    ...failing(412, 422),
  },
});

export function queryRoutes(deps: Pick<Deps, "clock" | "db">) {
  return newRouter("invoicing")
    .openapi(list, async (c) => {
      const queries = await listQueries(deps.db);
      c.header("ETag", tagOfQueries(queries));
      return c.json({ queries }, 200);
    })
    .openapi(save, async (c) => {
      const { queries } = c.req.valid("json");
      const by = c.var.actor;
      c.header("ETag", await saveQueries(deps, queries, { by, ifMatch: ifMatchOf(c) }));
      return c.json(done, 200);
    });
}
