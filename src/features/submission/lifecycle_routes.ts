import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { findInvoice, setStatusByHand } from "#src/features/invoices/mod.ts";
import { body, Done, done, failures, json, newRouter, route } from "#src/http/router.ts";
import { InvoicePath } from "#src/http/wire.ts";
import { notFound } from "#src/kernel/errors.ts";
import {
  Empty,
  FlowPath,
  MessagePath,
  Polled,
  Quarantine,
  QuarantineQuery,
  StatusMessages,
  StatusTold,
  StatusUpdate,
} from "./lifecycle_schemas.ts";
import { pollPa, type PollScope } from "./poll_pa.ts";
import { replayFlow, showQuarantine } from "./poll_quarantine.ts";
import { tellPa } from "./status_to_pa.ts";
import { replayStatus } from "./status_to_pa_replay.ts";
import { showMessages } from "./status_to_pa_views.ts";

const RUN = { "x-permission": "invoices:run" as const, method: "post" as const };
const PLATFORM = ["Platform"];

const importRoute = route({
  ...RUN,
  path: "/api/import",
  tags: ["Processing"],
  summary: "Read what the platform has to say about every invoice it has not answered for",
  description:
    "Two at once are one: the second waits, and is answered by a reading that began after its own call.",
  request: { body: { ...json(Empty, "Nothing"), required: false } },
  responses: { 200: json(Polled, "What was read and recorded"), ...failures },
});
const retrieve = route({
  ...RUN,
  path: "/api/retrieve-statuses",
  tags: ["Processing"],
  summary: "Fetch the latest lifecycle events of all active invoices",
  description:
    "As import, and the last day is gone through again for messages the platform listed late.",
  request: { body: { ...json(Empty, "Nothing"), required: false } },
  responses: { 200: json(Polled, "What was read and recorded"), ...failures },
});
const status = route({
  method: "post",
  path: "/api/invoices/{id}/status",
  "x-permission": "invoices:status",
  tags: ["Invoices"],
  summary: "Set the stored status, or tell the platform a status",
  description:
    "`target: db` sets the stored status at once. `target: pa` writes a lifecycle message and sends it; the stored status moves when the platform has taken it.",
  request: { params: InvoicePath, body: body(StatusUpdate) },
  responses: { 200: json(StatusTold, "The status is set, or on its way"), ...failures },
});
const messages = route({
  method: "get",
  path: "/api/invoices/{id}/status-messages",
  "x-permission": "invoices:read",
  tags: ["Invoices"],
  summary: "Statuses told to the platform, and what became of them",
  request: { params: InvoicePath },
  responses: { 200: json(StatusMessages, "The messages, newest first"), ...failures },
});
const replayMessage = route({
  ...RUN,
  path: "/api/status-messages/{id}/replay",
  tags: ["Invoices"],
  summary: "Take a parked status message further; the platform is asked for it first",
  request: { params: MessagePath },
  responses: { 200: json(Done, "It goes on"), ...failures },
});
const quarantine = route({
  method: "get",
  path: "/api/pa/quarantine",
  "x-permission": "invoices:read",
  tags: PLATFORM,
  summary: "Flows of the platform that could not be acted on, with the reason",
  request: { query: QuarantineQuery },
  responses: { 200: json(Quarantine, "The page and the total of all pages"), ...failures },
});
const replay = route({
  ...RUN,
  path: "/api/pa/quarantine/{flowId}/replay",
  tags: PLATFORM,
  summary: "Read a flow in quarantine once more",
  request: { params: FlowPath },
  responses: { 200: json(Polled, "It was understood and recorded"), ...failures },
});

export function lifecycleRoutes(deps: Deps) {
  const poll = async (scope: PollScope, signal: AbortSignal) => ({
    success: true as const,
    logs: await pollPa(deps, { scope, signal, waitMs: deps.settings.runWaitMs }),
  });
  return newRouter("invoicing")
    .openapi(importRoute, async (c) => c.json(await poll("pending", c.req.raw.signal), 200))
    .openapi(retrieve, async (c) => c.json(await poll("statuses", c.req.raw.signal), 200))
    .openapi(status, async (c) => {
      const key = c.req.valid("param").id;
      const told = c.req.valid("json");
      const user = c.var.actor.username;
      if (told.target === "db") {
        await setStatusByHand(deps, { key, code: told.code, reason: told.reason, user });
        return c.json(done, 200);
      }
      const { name, reason, statusAt, data } = told;
      const { reasonCode, comment, action, amounts } = data;
      const said = reasonCode
        ? { reason: reasonCode, comment: comment ?? reason }
        : { reason, comment };
      const uuid = await tellPa(deps, { key, name, ...said, action, amounts, statusAt, user });
      return c.json({ ...done, uuid }, 200);
    })
    .openapi(messages, async (c) => {
      const key = c.req.valid("param").id;
      const invoice = await findInvoice(deps.db, key);
      if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
      return c.json({ messages: await showMessages(deps.db, invoice.id) }, 200);
    })
    .openapi(replayMessage, async (c) => {
      await replayStatus(deps, c.req.valid("param").id);
      return c.json(done, 200);
    })
    .openapi(quarantine, async (c) => c.json(await showQuarantine(deps, c.req.valid("query")), 200))
    .openapi(replay, async (c) => {
      const logs = await replayFlow(deps, c.req.valid("param").flowId, c.req.raw.signal);
      return c.json({ ...done, logs }, 200);
    });
}
