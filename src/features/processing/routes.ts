import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { Deps } from "#src/deps.ts";
import { awaitRun, showRun } from "#src/features/runs/mod.ts";
import { toSvrl, wireOf, writePage } from "#src/features/validation/mod.ts";
import { MOST_DOCUMENT_BYTES } from "#src/domain/document/mod.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { body, failing, Failure, fileBody, json, newRouter, route } from "#src/http/router.ts";
import { DocumentVerdict, RunAnswer, RunBody, ValidateBody } from "./schemas.ts";
import { textOfXml } from "#src/xml/mod.ts";
import { type RunRequest, startRun } from "./start_run.ts";
import { validateBytes, validateFile } from "./validate_file.ts";

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
  "x-audit": "run.started",
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

const DOCUMENT_TYPES = [
  "application/xml",
  "text/xml",
  "application/pdf",
  "application/octet-stream",
];
const judge = route({
  ...POST,
  operationId: "validateDocument",
  path: "/api/validate/document",
  "x-audit": false,
  summary: "Validate what is sent: UBL, CII or Factur-X; nothing is kept of it",
  request: {
    body: { ...fileBody(DOCUMENT_TYPES, { limit: MOST_DOCUMENT_BYTES }), required: true },
  },
  responses: { 200: json(DocumentVerdict, "The verdict"), ...failing(413, 415, 422) },
});

export function processingRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(
      run,
      (c) => startAndAnswer(deps, c, { ...c.req.valid("json"), startedBy: c.var.actor.username }),
    )
    .openapi(judge, async (c) => {
      const bytes = c.var.body ?? new Uint8Array();
      const { validation, source } = await validateBytes(deps, bytes, c.req.raw.signal);
      const { valid, findings, xsd, rules, sets } = wireOf(validation, c.var.language);
      const xml = source.length > MOST_SHOWN ? null : textOfXml(source);
      const shown = findings.map((it) => ({
        ...it,
        businessTerm: it.businessTerm ?? null,
        value: it.value ?? null,
        expected: it.expected ?? null,
        evaluated: it.evaluated ?? true,
        sourceField: it.sourceField ?? null,
      }));
      const used = sets.map(({ id, version, title }) => ({
        id,
        version,
        title: title[c.var.language],
      }));
      return c.json({ valid, findings: shown, xsd, rules, sets: used, xml }, 200);
    })
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
      const { language } = c.var;
      const { validation, source, notice } = await validateFile(deps, request, c.req.raw.signal);
      if (kind === "svrl") {
        return c.body(toSvrl(validation, { language, notice }), 200, {
          "content-type": "application/xml; charset=utf-8",
        });
      }
      const page = await writePage(
        deps,
        { validation, source, language, notice },
        c.req.raw.signal,
      );
      return c.body(page, 200, { "content-type": "text/html; charset=UTF-8" });
    });
}

/** Longer documents would hold the event loop up as text of JSON; who sent one has it. */
const MOST_SHOWN = 2 * 1024 * 1024;

/** 409 when all there was is recorded already; of several invoices each is an outcome of its own, and the answer 200. */
async function startAndAnswer(deps: Deps, c: Context<HttpEnv>, request: RunRequest) {
  const runId = await startRun(deps, request);
  c.set("hasBegun", true);
  c.set("target", request.file);
  if (/\brespond-async\b/.test(c.req.header("prefer") ?? "")) return begun(c, { runId, logs: [] });
  await awaitRun(deps, runId, { waitMs: deps.settings.runWaitMs, signal: c.req.raw.signal });
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
  return begun(c, answer);
}

function begun<Answer extends { runId: string }>(c: Context<HttpEnv>, answer: Answer) {
  c.header("Location", `/api/runs/${answer.runId}`);
  return c.json({ ...answer, success: true as const }, 202);
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
