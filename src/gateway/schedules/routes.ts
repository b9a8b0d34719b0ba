import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { templatesOfType } from "#src/platform/templates/mod.ts";
import { translateFor } from "#src/http/errors.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { processFolder } from "./process_folder.ts";

const ProcessBody = z.object({
  template: z.string().min(1).openapi({
    description: "Document template whose input folder is processed",
    example: "R42565",
  }),
}).strict().openapi("FolderProcess", { description: "Template whose input folder is processed" });
const FileRun = z.object({
  file: z.string().openapi({
    description: "Processed file: a path in the data folder",
    example: "in/R42565.xml",
  }),
  runId: z.uuid().openapi({
    description: "Identifier of the run",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
}).openapi({ description: "File with its run" });
const Processed = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  runs: z.array(FileRun).openapi({ description: "Started runs" }),
  known: z.array(FileRun).openapi({
    description: "Newest 1000 files whose content an earlier run processed, newest first",
  }),
  refused: z.array(
    z.object({
      file: z.string().openapi({
        description: "Path of the file in the data folder",
        example: "in/R42565.xml",
      }),
      error: z.string().openapi({
        description: "Reason why no run was started",
        example: "The file is empty",
      }),
    }).openapi({ description: "File without a run" }),
  ).openapi({ description: "Files without a run, with the reason" }),
}).openapi("FolderProcessed", { description: "Started runs of a folder" });

const post = route({
  method: "post",
  operationId: "processFolder",
  "x-audit": "folder.processed",
  path: "/api/process",
  "x-permission": "invoices:run",
  tags: ["Processing"],
  summary: "Process a folder",
  description:
    "For ERP jobs and users. The call starts a run for each file in the input folder of the template that has none yet.",
  request: { body: body(ProcessBody) },
  responses: {
    200: json(Processed, "Started runs; `GET /api/runs/{runId}` shows their progress"),
    ...failing(404),
  },
});

const Processable = z.object({
  templates: z.array(z.string()).openapi({
    description: "Names of the templates, in their order",
    example: ["R42565"],
  }),
}).openapi("Processable", { description: "Document templates that can process files" });

/** Users who process files choose among these, and need no permission to see their settings. */
const get = route({
  method: "get",
  operationId: "listProcessable",
  path: "/api/process",
  "x-permission": "invoices:run",
  tags: ["Processing"],
  summary: "List the templates that can process files",
  description: "For users who process files.",
  responses: { 200: json(Processable, "Names of the document templates in their order") },
});

export function scheduleRoutes(deps: Deps) {
  return newRouter("invoicing").openapi(get, async (c) => {
    const templates = await templatesOfType(deps.db, "document");
    return c.json({ templates: templates.map(({ name }) => name) }, 200);
  }).openapi(post, async (c) => {
    const { runs, known, refused } = await processFolder(deps, c.req.valid("json").template, {
      startedBy: c.var.actor.username,
    });
    const shown = refused.map(({ file, error }) => ({ file, error: translateFor(error, c) }));
    return c.json(
      { success: true as const, runs: [...runs], known: [...known], refused: shown },
      200,
    );
  });
}
