import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { templatesOfType } from "#src/features/templates/mod.ts";
import { translated } from "#src/http/errors.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { processFolder } from "./process_folder.ts";

const ProcessBody = z.object({ template: z.string().min(1) }).strict().openapi("FolderProcess");
const Processed = z.object({
  success: z.literal(true),
  runs: z.array(z.object({ file: z.string(), runId: z.uuid() })),
  refused: z.array(z.object({ file: z.string(), error: z.string() })),
}).openapi("FolderProcessed");

const post = route({
  method: "post",
  operationId: "processFolder",
  "x-audit": "folder.processed",
  path: "/api/process",
  "x-permission": "invoices:run",
  tags: ["Processing"],
  summary: "Start a run for each file of a template's input folder that has none yet",
  request: { body: body(ProcessBody) },
  responses: {
    200: json(Processed, "The runs; `GET /api/runs/{runId}` tells how each goes"),
    ...failing(404),
  },
});

const Processable = z.object({
  templates: z.array(z.string()).openapi({ description: "Their names", example: ["R42565"] }),
}).openapi("Processable");

/** Whoever processes files chooses among these, and need not see how they are set. */
const get = route({
  method: "get",
  operationId: "listProcessable",
  path: "/api/process",
  "x-permission": "invoices:run",
  tags: ["Processing"],
  summary: "The document templates files can be processed with",
  responses: { 200: json(Processable, "Names of document templates, in their order") },
});

export function scheduleRoutes(deps: Deps) {
  return newRouter("invoicing").openapi(get, async (c) => {
    const templates = await templatesOfType(deps.db, "document");
    return c.json({ templates: templates.map(({ name }) => name) }, 200);
  }).openapi(post, async (c) => {
    const { runs, refused } = await processFolder(deps, c.req.valid("json").template, {
      startedBy: c.var.actor.username,
    });
    const shown = refused.map(({ file, error }) => ({ file, error: translated(error, c) }));
    return c.json({ success: true as const, runs: [...runs], refused: shown }, 200);
  });
}
