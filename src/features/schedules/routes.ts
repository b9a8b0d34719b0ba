import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
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

export function scheduleRoutes(deps: Deps) {
  return newRouter("invoicing").openapi(post, async (c) => {
    const { runs, refused } = await processFolder(deps, c.req.valid("json").template, {
      startedBy: c.var.actor.username,
    });
    const told = refused.map(({ file, error }) => ({ file, error: translated(error, c) }));
    return c.json({ success: true as const, runs: [...runs], refused: told }, 200);
  });
}
