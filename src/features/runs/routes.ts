import type { Deps } from "#src/deps.ts";
import { failures, json, newRouter, route } from "#src/http/router.ts";
import { Run, RunPage, RunPath } from "./schemas.ts";
import { showRun } from "./views.ts";

const get = route({
  method: "get",
  path: "/api/runs/{runId}",
  "x-permission": "invoices:run",
  tags: ["Processing"],
  summary: "State of a run and the outcome of each of its invoices",
  request: { params: RunPath, query: RunPage },
  responses: {
    200: json(Run, "The run; `success` once it has ended with every invoice well"),
    ...failures,
  },
});

export function runRoutes(deps: Pick<Deps, "db">) {
  return newRouter("invoicing").openapi(get, async (c) => {
    const language = c.var.language ?? "fr";
    return c.json(
      await showRun(deps, c.req.valid("param").runId, { page: c.req.valid("query"), language }),
      200,
    );
  });
}
