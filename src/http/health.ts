import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { sql } from "drizzle-orm";
import { type Db, getRows } from "#src/ports/db.ts";
import type { TaskQueue } from "#src/ports/task_queue.ts";
import { json, newRouter, route } from "./router.ts";

const Health = z.object({
  ok: z.literal(true).openapi({ description: "Always true" }),
  version: z.string().openapi({ description: "Product version", example: "0.1.0" }),
  build: z.string().openapi({
    description: "Build of the product, for example its commit",
    example: "fadc6f07c1d2",
  }),
})
  .openapi("Health", { description: "State of a running process" });
const Unhealthy = z.object({
  ok: z.literal(false).openapi({ description: "Always false" }),
  version: z.string().openapi({ description: "Product version", example: "0.1.0" }),
  build: z.string().openapi({
    description: "Build of the product, for example its commit",
    example: "fadc6f07c1d2",
  }),
})
  .openapi("Unhealthy", { description: "State of a process whose embedded database stopped" });
const Ready = z.object({
  ok: z.boolean().openapi({
    description: "True when the database accepts changes and the queue answers",
    example: true,
  }),
  database: z.string().openapi({
    description: "State of the database: `up` or `down`",
    example: "up",
  }),
  queue: z.string().openapi({ description: "State of the queue: `up` or `down`", example: "up" }),
  draining: z.boolean().openapi({
    description: "True while the process shuts down: send calls to another process",
    example: false,
  }),
  sending: z.enum(["on", "off", "unknown"]).openapi({
    description: "State of the submission to the PA; `unknown` while no worker has reported",
    example: "on",
  }),
}).openapi("Readiness", { description: "Ability of the process to work" });

const healthSpec = (path: "/api/health" | "/api/healthz", operationId: string) =>
  route({
    method: "get",
    operationId,
    path,
    "x-permission": "public",
    tags: ["Health"],
    summary: "Check that the process is alive",
    description:
      "For load balancers and supervisors. The check uses neither the database nor the queue.",
    responses: {
      200: json(Health, "The process is alive"),
      503: json(Unhealthy, "The embedded database stopped, and the process ends"),
    },
  });
const ready = route({
  method: "get",
  operationId: "readiness",
  path: "/api/readyz",
  "x-permission": "public",
  tags: ["Health"],
  summary: "Check that the process can work",
  description:
    "For load balancers. The process is ready when the database accepts changes and the queue answers.",
  responses: {
    200: json(Ready, "The process can work"),
    503: json(Ready, "A part is unavailable, or the process shuts down"),
  },
});

export function healthRoutes(
  { db, tasks, settings: { version, build }, failure, isDraining, isSendingOff }: {
    readonly db: Db;
    readonly tasks: Pick<TaskQueue, "ping">;
    readonly settings: { readonly version: string; readonly build: string };
    /** Aborts when the embedded database fails. A server may be unavailable while the process is healthy. */
    readonly failure?: AbortSignal | undefined;
    readonly isDraining: () => boolean;
    readonly isSendingOff: () => Promise<boolean>;
  },
) {
  const health = (c: Context) =>
    failure?.aborted
      ? c.json({ ok: false as const, version, build }, 503)
      : c.json({ ok: true as const, version, build }, 200);
  return newRouter("framework")
    .openapi(healthSpec("/api/health", "health"), health)
    .openapi(healthSpec("/api/healthz", "healthz"), health)
    .openapi(ready, async (c) => {
      const [database, queue, sending] = await Promise.all([
        databaseState(db),
        answers(() => tasks.ping()),
        inTime(async () => await isSendingOff() ? "off" as const : "on" as const),
      ]);
      const draining = isDraining();
      const ok = database === "up" && queue && !draining;
      const body = {
        ok,
        database,
        queue: queue ? "up" : "down",
        draining,
        sending: sending ?? "unknown" as const,
      };
      if (ok) return c.json(body, 200);
      c.header("Retry-After", "5");
      return c.json(body, 503);
    });
}

/** Returns `read-only` if the database answers but accepts no changes: full disk, a move in progress, or a replica. */
async function databaseState(db: Db): Promise<"up" | "read-only" | "down"> {
  let isReadOnly = false;
  const isThere = await answers(async () => {
    const found = await db.execute(sql`select current_setting('transaction_read_only') as state`);
    isReadOnly = getRows<{ state: string }>(found)[0]?.state === "on";
  });
  if (!isThere) return "down";
  return isReadOnly ? "read-only" : "up";
}

async function answers(ask: () => PromiseLike<unknown>): Promise<boolean> {
  return await inTime(async () => (await ask(), true)) ?? false;
}

/** Returns undefined if the check fails or takes longer than two seconds. */
async function inTime<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    const tooLate = new Promise<never>((_, reject) =>
      AbortSignal.timeout(2_000).addEventListener("abort", reject, { once: true })
    );
    return await Promise.race([ask(), tooLate]);
  } catch {
    return undefined;
  }
}
