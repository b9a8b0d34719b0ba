import type { Context } from "hono";
import { z } from "@hono/zod-openapi";
import { streamSSE } from "hono/streaming";
import type { Deps } from "#src/deps.ts";
import { countConnection } from "#src/platform/live/mod.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { translateFor } from "#src/http/errors.ts";
import { checkPermission } from "#src/http/guard.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { abortJobRun } from "./abort_run.ts";
import { CronPreview, CronQuery } from "./cron_schemas.ts";
import { followLog } from "./follow_log.ts";
import { readJobFile } from "./job_files.ts";
import { readLines } from "./log_store.ts";
import { changeManyRuns } from "./many_runs.ts";
import { previewCron } from "./preview_cron.ts";
import { replayJobRun } from "./replay_run.ts";
import {
  BulkBody,
  BulkDone,
  FilePath,
  JobDetail,
  JobList,
  JobListQuery,
  JobPath,
  JobRun,
  LINE_NUMBER,
  LogLines,
  LogQuery,
  ReplayBody,
  RunBody,
  RunList,
  RunPath,
  RunsQuery,
  RunStarted,
} from "./schemas.ts";
import { runByHand } from "./run_by_hand.ts";
import {
  linesView,
  lineView,
  showJob,
  showJobRun,
  showJobs,
  summaryView,
  usedRun,
} from "./show_jobs.ts";
import type { JobRun as Run } from "./store.ts";
import { listJobRuns, type RunFilter } from "./views.ts";

const TAGS = { tags: ["Jobs"] };
const READ = { ...TAGS, method: "get", "x-permission": "jobs:read" } as const;
const OF_JOB = { ...TAGS, "x-permission": "job:{name}" } as const;
/** The permission is that of the run's job, which is known once it is found. */
const OF_RUN = { ...TAGS, "x-permission": "job:<job>" } as const;

const list = route({
  ...READ,
  operationId: "listJobs",
  path: "/admin/jobs",
  summary: "List jobs",
  description:
    "For operators. The list includes jobs of document templates; each job has its latest run.",
  request: { query: JobListQuery },
  responses: { 200: json(JobList, "Page of jobs by name") },
});
const runs = route({
  ...READ,
  operationId: "listJobRuns",
  path: "/admin/jobs/runs",
  summary: "List runs of jobs",
  description: "For operators. Runs are listed newest first.",
  request: { query: RunsQuery },
  responses: { 200: json(RunList, "Page of runs with their total number") },
});
const preview = route({
  ...READ,
  operationId: "previewCron",
  path: "/admin/jobs/cron-preview",
  summary: "Preview a cron expression",
  description:
    "For authors of jobs. The answer contains the next five times, with a note when the clocks change.",
  request: { query: CronQuery },
  responses: { 200: json(CronPreview, "Next times"), ...failing(422) },
});
const bulk = route({
  ...TAGS,
  "x-permission": "jobs:read",
  method: "post",
  operationId: "changeJobRuns",
  "x-audit": "job_runs.changed",
  path: "/admin/jobs/runs/_bulk",
  summary: "Abort or repeat several runs",
  description: "For operators. Each run requires `job:<name>`.",
  request: { body: body(BulkBody) },
  responses: { 200: json(BulkDone, "Changed and refused runs"), ...failing(422) },
});
const showRun = route({
  ...OF_RUN,
  method: "get",
  operationId: "getJobRun",
  path: "/admin/jobs/runs/{run_id}",
  summary: "Read a run of a job",
  description:
    "For operators. The answer contains the steps and the latest 1,000 log lines. The call requires `job:<name>` for the job of the run.",
  request: { params: RunPath },
  responses: { 200: json(JobRun, "Run with its steps"), ...failing(404) },
});
const abort = route({
  ...OF_RUN,
  method: "post",
  operationId: "abortJobRun",
  "x-audit": "job_run.aborted",
  path: "/admin/jobs/runs/{run_id}/abort",
  summary: "Abort a run of a job",
  description:
    "For operators. The current statement, call or pause ends within a second; after the end of the run the answer is 409. The call requires `job:<name>` for the job of the run.",
  request: { params: RunPath },
  responses: { 202: json(RunStarted, "The run is being aborted"), ...failing(404, 409) },
});
const replay = route({
  ...OF_RUN,
  method: "post",
  operationId: "replayJobRun",
  "x-audit": "job_run.replayed",
  path: "/admin/jobs/runs/{run_id}/replay",
  summary: "Repeat a run of a job",
  description:
    "For operators. The new run has the permissions of the caller and can start at a later step. The call requires `job:<name>` for the job of the run.",
  request: { params: RunPath, body: { ...body(ReplayBody), required: false } },
  responses: { 202: json(RunStarted, "The new run was started"), ...failing(404, 409, 422, 429) },
});
const logs = route({
  ...OF_RUN,
  method: "get",
  operationId: "readJobLog",
  path: "/admin/jobs/runs/{run_id}/logs",
  summary: "Read the log of a run",
  description:
    "For operators. `follow=true` streams the lines as server-sent events until the end. The call requires `job:<name>` for the job of the run.",
  request: { params: RunPath, query: LogQuery },
  responses: {
    200: {
      description: "Log lines, or a stream of `log` events that ends with `end`",
      content: {
        "application/json": { schema: LogLines },
        "text/event-stream": { schema: { type: "string" as const } },
      },
    },
    ...failing(404, 429),
  },
});
const FILE_TYPES = {
  csv: "text/csv",
  json: "application/json",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
} as const;
const BYTES = z.unknown().openapi({ type: "string", format: "binary" });
const file = route({
  ...OF_RUN,
  method: "get",
  operationId: "readJobFile",
  path: "/admin/jobs/runs/{run_id}/files/{name}",
  summary: "Download a file of a run",
  description:
    "For operators with the permissions of the step that made the file. The call requires `job:<name>` for the job of the run.",
  request: { params: FilePath },
  responses: {
    200: {
      description: "File content",
      content: {
        [FILE_TYPES.csv]: { schema: BYTES },
        [FILE_TYPES.json]: { schema: z.array(z.record(z.string(), z.unknown())) },
        [FILE_TYPES.xlsx]: { schema: BYTES },
      },
    },
    ...failing(404),
  },
});
const show = route({
  ...OF_JOB,
  method: "get",
  operationId: "getJob",
  path: "/admin/jobs/{name}",
  summary: "Read a job",
  description: "For operators. The answer contains the definition and the last 50 runs.",
  request: { params: JobPath },
  responses: { 200: json(JobDetail, "Job with its runs"), ...failing(404) },
});
const run = route({
  ...OF_JOB,
  method: "post",
  operationId: "runJob",
  "x-audit": "job_run.started",
  path: "/admin/jobs/{name}/run",
  summary: "Start a job",
  description:
    "For operators. The run has the permissions of the caller; `params` replace the defaults.",
  request: { params: JobPath, body: { ...body(RunBody), required: false } },
  responses: { 202: json(RunStarted, "The run was started"), ...failing(404, 409, 429) },
});

type RoutesDeps = Pick<
  Deps,
  "accounts" | "clock" | "configuration" | "db" | "live" | "storage" | "tasks"
>;

export function jobRoutes(deps: RoutesDeps) {
  const router = newRouter("framework");
  for (const it of [listRoutes(deps), runRoutes(deps), singleJobRoutes(deps)]) {
    router.route("/", it);
  }
  return router;
}

function listRoutes(deps: RoutesDeps) {
  return newRouter("framework")
    .openapi(list, async (c) => {
      const { limit, offset } = c.req.valid("query");
      return c.json(await showJobs(deps, { language: c.var.language, limit, offset }), 200);
    })
    .openapi(runs, async (c) => {
      const { limit, offset, ...given } = c.req.valid("query");
      const found = await listJobRuns(deps.db, { filter: toFilter(given), limit, offset });
      const shown = found.runs.map((it) => summaryView(it, c.var.language));
      return c.json({ runs: shown, total: found.total, limit, offset }, 200);
    })
    .openapi(preview, (c) => {
      const { expression, timezone, from } = c.req.valid("query");
      const begin = from === undefined ? deps.clock.now() : new Date(from);
      const next = previewCron({ expression, timezone }, begin)
        .map(({ note, ...it }) => ({ ...it, ...note && { note: translateFor(note, c) } }));
      return c.json({ expression, timezone, next }, 200);
    })
    .openapi(bulk, async (c) => {
      const { action, filter } = c.req.valid("json");
      const by = c.var.actor;
      const { matched, done, refused } = await changeManyRuns(deps, {
        action,
        filter: toFilter(filter),
        by,
      });
      return c.json({
        matched,
        done: done.map(({ runId, newRunId }) => ({
          run_id: runId,
          ...newRunId !== undefined && { new_run_id: newRunId },
        })),
        refused: refused.map(({ runId, why }) => ({ run_id: runId, detail: translateFor(why, c) })),
      }, 200);
    });
}

/** Creates the routes of one run. */
function runRoutes(deps: RoutesDeps) {
  const allowedRun = async (c: Context<HttpEnv>, id: string): Promise<Run> => {
    const found = await usedRun(deps, id);
    await checkPermission(c, `job:${found.job}`);
    return found;
  };
  return newRouter("framework")
    .openapi(showRun, async (c) => {
      const found = await allowedRun(c, c.req.valid("param").run_id);
      const { language, actor } = c.var;
      return c.json(await showJobRun(deps, found, { language, actor }), 200);
    })
    .openapi(abort, async (c) => {
      const { id } = await allowedRun(c, c.req.valid("param").run_id);
      await abortJobRun(deps, { id, by: c.var.actor });
      return c.json({ run_id: id }, 202);
    })
    .openapi(replay, async (c) => {
      const { id } = await allowedRun(c, c.req.valid("param").run_id);
      const { from_step: fromStep, params } = c.req.valid("json") ?? {};
      const { runId } = await replayJobRun(deps, { id, fromStep, params, by: c.var.actor });
      return c.json({ run_id: runId }, 202);
    })
    .openapi(logs, async (c) => {
      const found = await allowedRun(c, c.req.valid("param").run_id);
      const { follow, after, limit } = c.req.valid("query");
      const { language } = c.var;
      if (follow === "true") return streamLog(deps, c, { run: found, after }) as never;
      const lines = await readLines(deps.db, found.id, { after, limit });
      return c.json({
        lines: lines.map((it) => lineView(it, language)),
        ...linesView(found),
        ended: found.status !== "running",
      }, 200);
    })
    .openapi(file, async (c) => {
      const { run_id, name } = c.req.valid("param");
      const found = await allowedRun(c, run_id);
      const format = name.slice(name.lastIndexOf(".") + 1) as keyof typeof FILE_TYPES;
      const { size, content } = await readJobFile(deps, found, { name, actor: c.var.actor });
      return c.body(ReadableStream.from(content) as ReadableStream, 200, {
        "content-type": FILE_TYPES[format],
        "content-length": String(size),
        "content-disposition": `attachment; filename="${name}"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
    });
}

function singleJobRoutes(deps: RoutesDeps) {
  return newRouter("framework")
    .openapi(show, async (c) => {
      const { name } = c.req.valid("param");
      return c.json(await showJob(deps, name, c.var.language), 200);
    })
    .openapi(run, async (c) => {
      const { name } = c.req.valid("param");
      const { params = {} } = c.req.valid("json") ?? {};
      const runId = await runByHand(deps, { name, params, by: c.var.actor });
      return c.json({ run_id: runId }, 202);
    });
}

function toFilter(
  { from, to, ...given }: Omit<RunFilter, "from" | "to"> & {
    from?: string | undefined;
    to?: string | undefined;
  },
): RunFilter {
  return {
    ...given,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}

/** Answers with the lines of a log as server-sent events, as long as the caller may read them. */
function streamLog(
  deps: RoutesDeps,
  c: Context<HttpEnv>,
  { run, after }: { readonly run: Run; readonly after: number | undefined },
) {
  const { access, language } = c.var;
  let { actor } = c.var;
  const last = c.req.header("last-event-id") ?? "";
  const mayGoOn = async () => {
    const current = await access.current(actor);
    if (!current || !access.allows(current, `job:${run.job}`)) return false;
    actor = current;
    return true;
  };
  c.header("X-Accel-Buffering", "no");
  const leave = countConnection(access, actor);
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    await followLog(deps, run, {
      after: after ?? (LINE_NUMBER.test(last) ? Number(last) : undefined),
      mayGoOn,
      signal: gone.signal,
      line: (it) =>
        stream.writeSSE({
          id: String(it.seq),
          event: "log",
          data: JSON.stringify(lineView(it, language)),
        }),
      idle: async () => void await stream.write(": still here\n\n"),
      end: (status) => stream.writeSSE({ event: "end", data: JSON.stringify({ status }) }),
    }).finally(leave);
  });
}
