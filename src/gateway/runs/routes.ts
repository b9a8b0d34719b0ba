import type { Deps } from "#src/deps.ts";
import { splitPage } from "#src/http/list.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import { abortRun } from "./abort_run.ts";
import { listCauses } from "./cause_views.ts";
import { listRuns } from "./list_views.ts";
import { Run, RunCauses, RunList, RunPage, RunPath, RunQuery } from "./schemas.ts";
import { showRun } from "./views.ts";

const RUN = { "x-permission": "invoices:run" as const, tags: ["Processing"] };

const list = route({
  ...RUN,
  method: "get",
  path: "/api/runs",
  operationId: "listRuns",
  summary: "List runs",
  description: "For users who follow the processing. Runs are sorted by their start, newest first.",
  request: { query: RunQuery },
  responses: { 200: json(RunList, "Page of the list with the total number of entries") },
});
const get = route({
  ...RUN,
  method: "get",
  operationId: "getRun",
  path: "/api/runs/{runId}",
  summary: "Read a run",
  description:
    "For users who follow the processing. The answer contains the state of the run and one page of its invoices, which `outcome` filters.",
  request: { params: RunPath, query: RunPage },
  responses: {
    200: json(Run, "Run; `success` is true when it ended and every invoice succeeded"),
  },
});
const causes = route({
  ...RUN,
  method: "get",
  path: "/api/runs/{runId}/causes",
  operationId: "listRunCauses",
  summary: "List the causes of failed invoices",
  description:
    "For users who correct a file. The answer groups the failed invoices of a run by their first fault: at most 50 causes, the most frequent first. It includes unchanged invoices that failed before, and leaves out those corrected since and those never started.",
  request: { params: RunPath },
  responses: { 200: json(RunCauses, "The causes, each with its first invoices") },
});
const abort = route({
  ...RUN,
  method: "post",
  path: "/api/runs/{runId}/abort",
  operationId: "abortRun",
  "x-audit": "run.aborted",
  summary: "Abort a run",
  description:
    "For users who process files. Invoices not processed yet become `aborted`; recorded ones stay and are sent. The answer is 409 after the end of the run.",
  request: { params: RunPath },
  responses: { 200: json(Run, "Aborted run") },
});

const FIRST_PAGE = { page: 1, pageSize: 500 };

export function runRoutes(deps: Pick<Deps, "clock" | "db" | "live">) {
  return newRouter("invoicing")
    .openapi(list, async (c) => {
      const { page, rest: { sortBy, sortDir, user, ...filter } } = splitPage(c.req.valid("query"));
      const order = { page, sortBy, sortDir, language: c.var.language };
      return c.json(
        await listRuns(deps.db, { filter: { ...filter, startedBy: user }, ...order }),
        200,
      );
    })
    .openapi(get, async (c) => {
      const { outcome, onlyFailed, failedFirst, ...page } = c.req.valid("query");
      const asked = { page, outcome, onlyFailed, failedFirst, language: c.var.language };
      return c.json(await showRun(deps, c.req.valid("param").runId, asked), 200);
    })
    .openapi(causes, async (c) => {
      const { runId } = c.req.valid("param");
      return c.json({ causes: await listCauses(deps.db, runId, c.var.language) }, 200);
    })
    .openapi(abort, async (c) => {
      const { runId } = c.req.valid("param");
      await abortRun(deps, runId, c.var.actor);
      const asked = { page: FIRST_PAGE, language: c.var.language };
      return c.json(await showRun(deps, runId, asked), 200);
    });
}
