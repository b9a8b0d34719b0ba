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
  summary: "Read metrics for Prometheus",
  description:
    "For Prometheus. Durations are those of this process; levels of queues, invoices and services are those of the whole installation. No account is needed with `METRICS_TOKEN` as the bearer token, or for a local call without a proxy.",
  responses: {
    200: {
      description: "Metrics in the Prometheus text format 0.0.4",
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
