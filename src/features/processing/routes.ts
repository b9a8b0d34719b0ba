import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { Deps } from "#src/deps.ts";
import { awaitRun, showRun } from "#src/features/runs/mod.ts";
import { toSvrl, writePage } from "#src/features/validation/mod.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { body, failing, Failure, json, newRouter, route } from "#src/http/router.ts";
import { RunAnswer, RunBody, ValidateBody } from "./schemas.ts";
import { type RunRequest, startRun } from "./start_run.ts";
import { validateFile } from "./validate_file.ts";

const POST = {
  method: "post" as const,
  tags: ["Processing"],
  "x-permission": "invoices:run" as const,
};
const answered = {
  200: json(RunAnswer, "The run has ended; `success` when every invoice went well"),
  202: json(RunAnswer, "The run was begun and goes on; `GET /api/runs/{runId}` tells how"),
  ...failing(404),
  409: json(
    z.union([RunAnswer, Failure]),
    "The only invoice of the run is recorded already, and `replaceMode` is not set",
  ),
};

const run = route({
  ...POST,
  operationId: "startRun",
  path: "/api/run",
  summary: "Process a file: `Prefer: respond-async` answers at once",
  request: { body: body(RunBody) },
  responses: answered,
});
const validate = route({
  ...POST,
  operationId: "validateFile",
  path: "/api/validate",
  "x-audit": false,
  summary:
    "Validate a file; nothing is stored or sent. `Accept: application/xml` answers SVRL, `text/html` a report",
  request: { body: body(ValidateBody) },
  responses: {
    ...answered,
    200: {
      description: "The findings as log entries, as SVRL or as a page",
      content: {
        "application/json": { schema: RunAnswer },
        "application/xml": { schema: { type: "string" as const } },
        "text/html": { schema: { type: "string" as const } },
      },
    },
  },
});

export function processingRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(
      run,
      (c) => startAndAnswer(deps, c, { ...c.req.valid("json"), startedBy: c.var.actor.username }),
    )
    .openapi(validate, async (c) => {
      const request = c.req.valid("json");
      const kind = preferred(c);
      if (kind === "json") {
        return await startAndAnswer(deps, c, {
          ...request,
          mode: "UBL_VALIDATE",
          startedBy: c.var.actor.username,
        });
      }
      const { validation, source, notice } = await validateFile(deps, request, c.req.raw.signal);
      if (kind === "svrl") {
        return c.body(toSvrl(validation, { notice }), 200, {
          "content-type": "application/xml; charset=utf-8",
        });
      }
      const page = await writePage(deps, { validation, source, notice }, c.req.raw.signal);
      return c.html(page, 200);
    });
}

/** 409 when all there was is recorded already; of several invoices each is an outcome of its own, and the answer 200. */
async function startAndAnswer(deps: Deps, c: Context<HttpEnv>, request: RunRequest) {
  const runId = await startRun(deps, request);
  const atOnce = /\brespond-async\b/.test(c.req.header("prefer") ?? "");
  if (!atOnce) {
    await awaitRun(deps, runId, { waitMs: deps.settings.runWaitMs, signal: c.req.raw.signal });
  }
  const shown = await showRun(deps, runId, {
    page: { page: 1, pageSize: 1 },
    language: c.var.language,
  });
  const { success, error, logs, state, total, counts } = shown;
  const answer = { success, ...error !== undefined && { error }, runId, logs };
  if (state === "finished" && total === 1 && counts.conflict === 1) {
    return c.json({ ...answer, success: false }, 409);
  }
  if (success !== null) return c.json({ ...answer, success }, 200);
  c.header("Location", `/api/runs/${runId}`);
  return c.json({ ...answer, success: true }, 202);
}

const REPORTS = {
  "application/json": "json",
  "text/html": "html",
  "application/xml": "svrl",
  "text/xml": "svrl",
} as const;

/** What the caller likes best (RFC 9110 §12.5.1); JSON where it names none of them. */
function preferred(c: Context<HttpEnv>): (typeof REPORTS)[keyof typeof REPORTS] {
  const supports = Object.keys(REPORTS) as (keyof typeof REPORTS)[];
  const type = accepts(c, { header: "Accept", supports, default: "application/json" });
  return REPORTS[type as keyof typeof REPORTS];
}
