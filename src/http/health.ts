import { z } from "@hono/zod-openapi";
import { sql } from "drizzle-orm";
import type { Db } from "#src/ports/db.ts";
import type { TaskQueue } from "#src/ports/task_queue.ts";
import { json, newRouter, route } from "./router.ts";

const Health = z.object({ ok: z.literal(true), version: z.string() }).openapi("Health");
const Ready = z.object({ ok: z.boolean(), database: z.string(), queue: z.string() }).openapi(
  "Readiness",
);

const healthSpec = (path: "/api/health" | "/api/healthz", operationId: string) =>
  route({
    method: "get",
    operationId,
    path,
    "x-permission": "public",
    tags: ["Health"],
    summary: "The process answers; touches neither database nor queue",
    responses: { 200: json(Health, "It runs") },
  });
const ready = route({
  method: "get",
  operationId: "readiness",
  path: "/api/readyz",
  "x-permission": "public",
  tags: ["Health"],
  summary: "The process can work: database and queue answer",
  responses: { 200: json(Ready, "It can"), 503: json(Ready, "It cannot; which part is down") },
});

export function healthRoutes(
  { db, tasks, version }: { db: Db; tasks: Pick<TaskQueue, "ping">; version: string },
) {
  return newRouter("framework")
    .openapi(
      healthSpec("/api/health", "health"),
      (c) => c.json({ ok: true as const, version }, 200),
    )
    .openapi(
      healthSpec("/api/healthz", "healthz"),
      (c) => c.json({ ok: true as const, version }, 200),
    )
    .openapi(ready, async (c) => {
      const [database, queue] = await Promise.all([
        answers(() => db.execute(sql`select 1`)),
        answers(() => tasks.ping()),
      ]);
      const ok = database && queue;
      const body = { ok, database: database ? "up" : "down", queue: queue ? "up" : "down" };
      if (ok) return c.json(body, 200);
      c.header("Retry-After", "5");
      return c.json(body, 503);
    });
}

async function answers(ask: () => PromiseLike<unknown>): Promise<boolean> {
  try {
    const tooLate = new Promise((_, reject) =>
      AbortSignal.timeout(2_000).addEventListener("abort", reject, { once: true })
    );
    await Promise.race([ask(), tooLate]);
    return true;
  } catch {
    return false;
  }
}
