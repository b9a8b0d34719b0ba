import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { Failure, failures, json, newRouter, route } from "#src/http/router.ts";
import { checkPa } from "./check_pa.ts";

const PaHealth = z.object({
  name: z.string(),
  reachable: z.boolean(),
  latencyMs: z.int().openapi({ description: "Until it answered, or was found not to" }),
  error: z.string().optional().openapi({ description: "Why it is not reachable" }),
  breaker: z.enum(["closed", "open", "trial"]).openapi({
    description:
      "`open`: it failed and nobody calls it for now · `trial`: one call finds out whether it answers again",
  }),
  retryInMs: z.int().optional().openapi({ description: "Until it is called again" }),
}).openapi("PaHealth");

const health = route({
  method: "get",
  path: "/api/pa/health",
  "x-permission": "invoices:read",
  tags: ["Platform"],
  summary: "Ask the platform how it is; 200 also when it does not answer",
  responses: {
    200: json(PaHealth, "What was found"),
    ...failures,
    503: json(Failure, "No platform is configured"),
  },
});

export function paHealthRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(health, async (c) => c.json(await checkPa(deps, c.req.raw.signal), 200));
}
