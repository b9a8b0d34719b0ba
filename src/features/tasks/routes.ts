import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { counted, pageOf, pageQuery } from "#src/http/list.ts";
import { Done, done, json, newRouter, route } from "#src/http/router.ts";
import { QUEUES, STOPPED } from "#src/ports/task_queue.ts";
import { replayTask } from "./replay_task.ts";
import { stoppedTasks } from "./views.ts";

const StoppedTasks = z.object({
  tasks: z.array(z.object({
    id: z.int().openapi({ example: 4711 }),
    queue: z.enum(QUEUES),
    name: z.string().openapi({ example: "submit_invoice" }),
    state: z.enum(STOPPED).openapi({
      description:
        "`dead`: it failed as often as it may be tried · `poisoned`: processes died of it",
    }),
    payload: z.record(z.string(), z.unknown()).openapi({ description: "What it is about" }),
    attempts: z.int(),
    lastError: z.string().nullable(),
    evidence: z.array(z.object({
      at: z.string(),
      holder: z.string().nullable().openapi({ description: "Machine and process that had it" }),
      how: z.string().openapi({ description: "What is known of that end" }),
      counts: z.boolean().openapi({
        description: "It was the only task of the process, or a child process of its own died",
      }),
    })).openapi({ description: "Ends of processes that were working on it" }),
    createdAt: z.string(),
  })).openapi({ description: "The newest first" }),
  ...counted,
}).openapi("StoppedTasks");

const list = route({
  method: "get",
  operationId: "listStoppedTasks",
  path: "/api/tasks",
  "x-permission": "invoices:run",
  tags: ["Tasks"],
  summary: "Tasks of every queue that are dead or set aside, with the evidence",
  request: { query: pageQuery().extend({ state: z.enum(STOPPED).optional() }) },
  responses: { 200: json(StoppedTasks, "The page and the total of all pages") },
});
const replay = route({
  method: "post",
  operationId: "replayTask",
  "x-audit": "task.replayed",
  path: "/api/tasks/{id}/replay",
  "x-permission": "invoices:run",
  tags: ["Tasks"],
  summary: "Try a dead task, or one set aside, once more as if it were new",
  request: {
    params: z.object({ id: z.coerce.number().int().min(1).openapi({ example: 4711 }) }),
  },
  responses: { 200: json(Done, "It is due") },
});

/** What stands still in the queues, and how it goes on. */
export function taskRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(list, async (c) => {
      const { page, rest: { state } } = pageOf(c.req.valid("query"));
      return c.json(await stoppedTasks(deps, { state, page, language: c.var.language }), 200);
    })
    .openapi(replay, async (c) => {
      await replayTask(deps, { id: c.req.valid("param").id, by: c.var.actor });
      return c.json(done, 200);
    });
}
