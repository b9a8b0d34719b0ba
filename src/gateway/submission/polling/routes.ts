import type { Deps } from "#src/deps.ts";
import type { Context } from "hono";
import { shownLogs } from "#src/gateway/runs/mod.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { fileAnswer, sendFile } from "#src/http/file_answer.ts";
import { splitPage } from "#src/http/list.ts";
import { done, json, newRouter, route } from "#src/http/router.ts";
import { pollPa, type PollScope } from "./poll.ts";
import { quarantinedFile, replayFlow, showQuarantine } from "./quarantine.ts";
import { Empty, FlowPath, Polled, Quarantine, QuarantineQuery } from "./schemas.ts";

const RUN = { "x-permission": "invoices:run" as const, method: "post" as const };

const importRoute = route({
  ...RUN,
  operationId: "importFromPa",
  "x-audit": "pa.imported",
  path: "/api/import",
  tags: ["Processing"],
  summary: "Import from the PA",
  description:
    "For operators. The call reads the answers of the PA to open invoices. Of two calls at the same time the second waits and then reads again.",
  request: { body: { ...json(Empty, "Nothing"), required: false } },
  responses: { 200: json(Polled, "Log of the recorded answers") },
});
const retrieve = route({
  ...RUN,
  operationId: "retrieveStatuses",
  "x-audit": "pa.statuses_retrieved",
  path: "/api/retrieve-statuses",
  tags: ["Processing"],
  summary: "Retrieve statuses from the PA",
  description:
    "For operators. The call reads the latest lifecycle events and repeats the last day, because the PA may list messages late.",
  request: { body: { ...json(Empty, "Nothing"), required: false } },
  responses: { 200: json(Polled, "Log of the recorded answers") },
});
const quarantine = route({
  method: "get",
  operationId: "listQuarantine",
  path: "/api/pa/quarantine",
  "x-permission": "invoices:read",
  tags: ["PA"],
  summary: "List quarantined flows",
  description:
    "For operators. A quarantined flow could not be processed; the list shows the reason.",
  request: { query: QuarantineQuery },
  responses: { 200: json(Quarantine, "Page of the list with the total number of entries") },
});
const file = route({
  method: "get",
  operationId: "getQuarantinedFile",
  path: "/api/pa/quarantine/{flowId}/file",
  "x-permission": "invoices:read",
  tags: ["PA"],
  summary: "Download the file of a quarantined flow",
  description: "For operators. The file is returned byte for byte.",
  request: { params: FlowPath },
  responses: fileAnswer("File content; a file of an unexpected type gets the suffix `.bin`"),
});
const replay = route({
  ...RUN,
  operationId: "replayQuarantinedFlow",
  "x-audit": "flow.replayed",
  path: "/api/pa/quarantine/{flowId}/replay",
  tags: ["PA"],
  summary: "Retry a quarantined flow",
  description: "For operators. The flow leaves the quarantine when it can be processed.",
  request: { params: FlowPath },
  responses: { 200: json(Polled, "The flow was processed") },
});

/** Routes for polls requested by a user, and for quarantined flows. */
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
      const { page, rest: { kind } } = splitPage(c.req.valid("query"));
      return c.json(await showQuarantine(deps, { kind, page, language: c.var.language }), 200);
    })
    .openapi(
      file,
      async (c) => sendFile(c, await quarantinedFile(deps, c.req.valid("param").flowId)),
    )
    .openapi(replay, async (c) => {
      const { flowId } = c.req.valid("param");
      const { logs, before } = await replayFlow(deps, flowId, c.req.raw.signal);
      c.set("before", before);
      return c.json({ ...done, logs: shownLogs(logs, c.var.language) }, 200);
    });
}
