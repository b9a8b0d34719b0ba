import type { Deps } from "#src/deps.ts";
import { pageOf } from "#src/http/list.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import { abortRun } from "./abort_run.ts";
import { listRuns } from "./list_views.ts";
import { Run, RunList, RunPage, RunPath, RunQuery } from "./schemas.ts";
import { showRun } from "./views.ts";

const RUN = { "x-permission": "invoices:run" as const, tags: ["Processing"] };

const list = route({
  ...RUN,
  method: "get",
  path: "/api/runs",
  operationId: "listRuns",
  summary: "One page of runs, newest first",
  request: { query: RunQuery },
  responses: { 200: json(RunList, "The page and the total of all pages") },
});
const get = route({
  ...RUN,
  method: "get",
  operationId: "getRun",
  path: "/api/runs/{runId}",
  summary: "State of a run and the outcome of each of its invoices, or of those with one outcome",
  request: { params: RunPath, query: RunPage },
  responses: {
    200: json(Run, "The run; `success` once it has ended with every invoice well"),
  },
});
const abort = route({
  ...RUN,
  method: "post",
  path: "/api/runs/{runId}/abort",
  operationId: "abortRun",
  "x-audit": "run.aborted",
  summary:
    "End a run: invoices not worked on yet are `aborted`; those recorded stay, and are sent. 409 once it has ended",
  request: { params: RunPath },
  responses: { 200: json(Run, "The run as it ended") },
});

const FIRST_PAGE = { page: 1, pageSize: 500 };

export function runRoutes(deps: Pick<Deps, "clock" | "db" | "live">) {
  return newRouter("invoicing")
    .openapi(list, async (c) => {
      const { page, rest: { sortBy, sortDir, user, ...filter } } = pageOf(c.req.valid("query"));
      const order = { page, sortBy, sortDir, language: c.var.language };
      return c.json(
        await listRuns(deps.db, { filter: { ...filter, startedBy: user }, ...order }),
        200,
      );
    })
    .openapi(get, async (c) => {
      const { outcome, ...page } = c.req.valid("query");
      const asked = { page, outcome, language: c.var.language };
      return c.json(await showRun(deps, c.req.valid("param").runId, asked), 200);
    })
    .openapi(abort, async (c) => {
      const { runId } = c.req.valid("param");
      await abortRun(deps, runId, c.var.actor);
      const asked = { page: FIRST_PAGE, language: c.var.language };
      return c.json(await showRun(deps, runId, asked), 200);
    });
}
