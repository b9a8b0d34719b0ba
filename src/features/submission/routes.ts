import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { setStatusByHand } from "#src/features/invoices/mod.ts";
import { body, Done, done, failures, json, newRouter, route } from "#src/http/router.ts";
import { InvoicePath, LogEntry } from "#src/http/wire.ts";
import { pollPa } from "./poll_pa.ts";

const RUN = { "x-permission": "invoices:run" as const, tags: ["Processing"], method: "post" as const };

const Polled = z.object({ success: z.literal(true), logs: z.array(LogEntry) }).openapi("Polled");
const Empty = z.object({}).openapi("Nothing");
const StatusUpdate = z.object({
  target: z.literal("db"),
  code: z.string().trim().min(1).max(10),
  reason: z.string().max(2000).default(""),
}).openapi("StatusUpdate");

const importRoute = route({
  ...RUN,
  path: "/api/import",
  summary: "Ask the PA about every invoice it has not answered for",
  request: { body: { ...json(Empty, "Nothing"), required: false } },
  responses: { 200: json(Polled, "What was read and recorded"), ...failures },
});
const retrieve = route({
  ...RUN,
  path: "/api/retrieve-statuses",
  summary: "Fetch the latest lifecycle events of all active invoices",
  request: { body: { ...json(Empty, "Nothing"), required: false } },
  responses: { 200: json(Polled, "What was read and recorded"), ...failures },
});
const status = route({
  method: "post",
  path: "/api/invoices/{id}/status",
  "x-permission": "invoices:status",
  tags: ["Invoices"],
  summary: "Set the stored status",
  request: { params: InvoicePath, body: body(StatusUpdate) },
  responses: { 200: json(Done, "The status is set"), ...failures },
});

export function submissionRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(importRoute, async (c) => c.json({ success: true as const, logs: await pollPa(deps, c.req.raw.signal) }, 200))
    .openapi(retrieve, async (c) => c.json({ success: true as const, logs: await pollPa(deps, c.req.raw.signal) }, 200))
    .openapi(status, async (c) => {
      const { code, reason } = c.req.valid("json");
      await setStatusByHand(deps, { key: c.req.valid("param").id, code, reason, user: c.var.actor.username });
      return c.json(done, 200);
    });
}
