import type { Deps } from "#src/deps.ts";
import type { Context } from "hono";
import { shownLogs } from "#src/features/runs/mod.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { pageOf } from "#src/http/list.ts";
import { done, json, newRouter, route } from "#src/http/router.ts";
import { pollPa, type PollScope } from "./poll.ts";
import { replayFlow, showQuarantine } from "./quarantine.ts";
import { Empty, FlowPath, Polled, Quarantine, QuarantineQuery } from "./schemas.ts";

const RUN = { "x-permission": "invoices:run" as const, method: "post" as const };

const importRoute = route({
  ...RUN,
  operationId: "importFromPa",
  "x-audit": "pa.imported",
  path: "/api/import",
  tags: ["Processing"],
  summary: "Read what the PA has to say about every invoice it has not answered for",
  description:
    "Two at once are one: the second waits, and is answered by a reading that began after its own call.",
  request: { body: { ...json(Empty, "Nothing"), required: false } },
  responses: { 200: json(Polled, "What was read and recorded") },
});
const retrieve = route({
  ...RUN,
  operationId: "retrieveStatuses",
  "x-audit": "pa.statuses_retrieved",
  path: "/api/retrieve-statuses",
  tags: ["Processing"],
  summary: "Fetch the latest lifecycle events of all active invoices",
  description: "As import, and the last day is gone through again for messages the PA listed late.",
  request: { body: { ...json(Empty, "Nothing"), required: false } },
  responses: { 200: json(Polled, "What was read and recorded") },
});
const quarantine = route({
  method: "get",
  operationId: "listQuarantine",
  path: "/api/pa/quarantine",
  "x-permission": "invoices:read",
  tags: ["PA"],
  summary: "Flows of the PA that could not be acted on, with the reason",
  request: { query: QuarantineQuery },
  responses: { 200: json(Quarantine, "The page and the total of all pages") },
});
const replay = route({
  ...RUN,
  operationId: "replayQuarantinedFlow",
  "x-audit": "flow.replayed",
  path: "/api/pa/quarantine/{flowId}/replay",
  tags: ["PA"],
  summary: "Read a flow in quarantine once more",
  request: { params: FlowPath },
  responses: { 200: json(Polled, "It was understood and recorded") },
});

/** Readings of the PA that a person asks for, and the flows that were set aside. */
export function pollingRoutes(deps: Deps) {
  const poll = async (scope: PollScope, c: Context<HttpEnv>) => {
    const { signal } = c.req.raw;
    const logs = await pollPa(deps, { scope, signal, waitMs: deps.settings.runWaitMs });
    return { ...done, logs: shownLogs(logs, c.var.language) };
  };
  return newRouter("invoicing")
    .openapi(importRoute, async (c) => c.json(await poll("pending", c), 200))
    .openapi(retrieve, async (c) => c.json(await poll("statuses", c), 200))
    .openapi(quarantine, async (c) => {
      const { page, rest: { kind } } = pageOf(c.req.valid("query"));
      return c.json(await showQuarantine(deps, { kind, page, language: c.var.language }), 200);
    })
    .openapi(replay, async (c) => {
      const { flowId } = c.req.valid("param");
      const { logs, before } = await replayFlow(deps, flowId, c.req.raw.signal);
      c.set("before", before);
      return c.json({ ...done, logs: shownLogs(logs, c.var.language) }, 200);
    });
}
