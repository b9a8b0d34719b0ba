import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { counted, pageQuery, splitPage } from "#src/http/list.ts";
import { Done, done, json, newRouter, route } from "#src/http/router.ts";
import { QUEUES, STOPPED } from "#src/ports/task_queue.ts";
import { replayTask } from "./replay_task.ts";
import { stoppedTasks } from "./views.ts";

const StoppedTasks = z.object({
  tasks: z.array(
    z.object({
      id: z.int().openapi({ example: 4711, description: "Number of the task" }),
      queue: z.enum(QUEUES).openapi({ description: "Queue of the task" }),
      name: z.string().openapi({ example: "submit_invoice", description: "Type of the task" }),
      state: z.enum(STOPPED).openapi({
        description:
          "`dead`: all attempts failed. `poisoned`: processes stopped while working on it",
      }),
      payload: z.record(z.string(), z.unknown()).openapi({
        description: "Input of the task",
        example: { "invoice": "100000-RI-00001" },
      }),
      attempts: z.int().openapi({ description: "Number of attempts so far", example: 1 }),
      lastError: z.string().nullable().openapi({
        description: "Last error; null without one",
        example: "The PA answered 503",
      }),
      evidence: z.array(
        z.object({
          at: z.string().openapi({
            description: "Time of the stop",
            example: "2026-11-20T09:30:00.000Z",
          }),
          holder: z.string().nullable().openapi({
            description: "Machine and process that worked on the task",
            example: "app-1:4711",
          }),
          how: z.string().openapi({
            description: "Known circumstances of the stop",
            example: "The process did not renew its lease",
          }),
          counts: z.boolean().openapi({
            description:
              "True when the process worked on this task alone, or a child process of it stopped",
          }),
        }).openapi({ description: "Process that stopped while working on the task" }),
      ).openapi({ description: "Processes that stopped while working on the task" }),
      createdAt: z.string().openapi({
        description: "Time of creation",
        example: "2026-11-20T09:30:00.000Z",
      }),
    }).openapi({ description: "Task that failed too often or stopped processes" }),
  ).openapi({ description: "Stopped tasks, newest first" }),
  ...counted,
}).openapi("StoppedTasks", { description: "Page of stopped tasks" });

const list = route({
  method: "get",
  operationId: "listStoppedTasks",
  path: "/api/tasks",
  "x-permission": "invoices:run",
  tags: ["Tasks"],
  summary: "List stopped tasks",
  description:
    "For operators. Stopped tasks failed too often or stopped processes; the list shows the evidence.",
  request: {
    query: pageQuery().extend({
      state: z.enum(STOPPED).optional().openapi({
        description: "Only tasks in this state",
      }),
    }),
  },
  responses: { 200: json(StoppedTasks, "Page of the list with the total number of entries") },
});
const replay = route({
  method: "post",
  operationId: "replayTask",
  "x-audit": "task.replayed",
  path: "/api/tasks/{id}/replay",
  "x-permission": "invoices:run",
  tags: ["Tasks"],
  summary: "Retry a stopped task",
  description: "For operators. The task starts again as if it were new.",
  request: {
    params: z.object({
      id: z.coerce.number().int().min(1).openapi({
        example: 4711,
        description: "Number of the task",
      }),
    }),
  },
  responses: { 200: json(Done, "The task is processed again") },
});

/** Routes to list and retry blocked tasks. */
export function taskRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(list, async (c) => {
      const { page, rest: { state } } = splitPage(c.req.valid("query"));
      return c.json(await stoppedTasks(deps, { state, page, language: c.var.language }), 200);
    })
    .openapi(replay, async (c) => {
      await replayTask(deps, { id: c.req.valid("param").id, by: c.var.actor });
      return c.json(done, 200);
    });
}
