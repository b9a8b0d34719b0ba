import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { newRouter, route } from "#src/http/router.ts";
import { METRICS_TYPE } from "./scrape.ts";

const metrics = route({
  method: "get",
  operationId: "readMetrics",
  path: "/metrics",
  "x-permission": "metrics:read",
  tags: ["Health"],
  summary: "What this process measures, as Prometheus reads it",
  description:
    "Durations are of this process; levels of queues, invoices and peers are of the whole installation. " +
    "A program with `METRICS_TOKEN` as its bearer token, and whoever calls from this machine past any proxy, needs no account.",
  responses: {
    200: {
      description: "Text format 0.0.4",
      content: {
        "text/plain": {
          schema: z.string(),
          example:
            '# TYPE passerelle_tasks gauge\npasserelle_tasks{queue="submission",state="ready"} 3\n',
        },
      },
    },
  },
});

export function metricsRoutes({ telemetry }: Pick<Deps, "telemetry">) {
  return newRouter("framework")
    .openapi(
      metrics,
      async (c) => c.text(await telemetry.print(), 200, { "content-type": METRICS_TYPE }),
    );
}
