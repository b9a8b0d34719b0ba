import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { body, Done, done, failures, json, newRouter, route } from "#src/http/router.ts";
import { saveQueries } from "./save_queries.ts";
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
  path: "/api/queries",
  "x-permission": "queries:read",
  tags: ["Queries"],
  summary: "The saved queries",
  responses: { 200: json(SavedQueries, "By key"), ...failures },
});
const save = route({
  method: "put",
  path: "/api/queries",
  "x-permission": "queries:write",
  tags: ["Queries"],
  summary: "Save or update queries; keys not named stay as they are",
  request: { body: body(QueriesBody) },
  responses: { 200: json(Done, "Saved"), ...failures },
});

export function queryRoutes(deps: Pick<Deps, "clock" | "db">) {
  return newRouter("invoicing")
    .openapi(list, async (c) => c.json({ queries: await listQueries(deps.db) }, 200))
    .openapi(save, async (c) => {
      await saveQueries(deps, c.req.valid("json").queries, c.var.actor);
      return c.json(done, 200);
    });
}
