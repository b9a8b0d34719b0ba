import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { MB } from "#src/http/intake.ts";
import { declareTagged, IfMatch, readIfMatch } from "#src/http/etag.ts";
import { body, Done, done, failing, newRouter, route } from "#src/http/router.ts";
import { saveQueries, tagOfQueries } from "./save_queries.ts";
import { listQueries } from "./store.ts";

const Key = z.string().regex(
  /^[A-Za-z0-9][\w.-]{0,99}$/,
  "letters, digits, dot, dash and underscore only",
);
const SavedQueries = z.object({
  queries: z.array(
    z.object({
      key: z.string().openapi({ description: "Key of the query", example: "open-orders" }),
      label: z.string().openapi({ description: "Label of the query", example: "Overdue invoices" }),
      description: z.string().openapi({
        description: "Purpose of the query",
        example: "Unpaid invoices past their due date",
      }),
      sql: z.string().openapi({ description: "SQL text", example: "select doc from invoices" }),
    }).openapi({ description: "Saved query" }),
  ).openapi({ description: "Queries by key" }),
}).openapi("SavedQueries", { description: "Saved queries" });
const QueriesBody = z.object({
  queries: z.record(Key, z.string().max(100_000)).openapi({
    description: "SQL text by key; an empty text deletes the query",
    example: { overdue: "select doc from invoices" },
  }),
}).strict().openapi("SavedQueriesUpdate", { description: "Queries to save" });

const list = route({
  method: "get",
  operationId: "listQueries",
  path: "/api/queries",
  "x-permission": "queries:read",
  tags: ["Queries"],
  summary: "List saved queries",
  description: "For users of saved queries.",
  responses: { 200: declareTagged(SavedQueries, "Saved queries by key") },
});
const save = route({
  method: "put",
  operationId: "saveQueries",
  "x-audit": "queries.saved",
  path: "/api/queries",
  "x-permission": "queries:write",
  tags: ["Queries"],
  summary: "Save queries",
  description: "For authors of saved queries. Queries that the call does not name do not change.",
  request: { headers: IfMatch, body: body(QueriesBody, { limit: MB }) },
  responses: {
    200: declareTagged(Done, "The change was saved"),
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
      c.header("ETag", await saveQueries(deps, queries, { by, ifMatch: readIfMatch(c) }));
      return c.json(done, 200);
    });
}
