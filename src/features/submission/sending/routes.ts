import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { pageOf } from "#src/http/list.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import { InvoicePath } from "#src/http/wire.ts";
import { allowedActions } from "./allowed.ts";
import { replaySubmission } from "./replay.ts";
import { resend } from "./resend.ts";
import {
  AllowedActions,
  Replay,
  Replayed,
  Resent,
  SubmissionDetail,
  SubmissionList,
  SubmissionPath,
  SubmissionQuery,
} from "./schemas.ts";
import { listSubmissions, showSubmission } from "./views.ts";

const TAGS = ["Submissions"];

const list = route({
  method: "get",
  operationId: "listSubmissions",
  path: "/api/submissions",
  "x-permission": "invoices:read",
  tags: TAGS,
  summary: "One page of sendings to the PA, newest first",
  request: { query: SubmissionQuery },
  responses: { 200: json(SubmissionList, "The page and the total of all pages") },
});
const show = route({
  method: "get",
  operationId: "getSubmission",
  path: "/api/submissions/{id}",
  "x-permission": "invoices:read",
  tags: TAGS,
  summary: "A sending with its attempts",
  request: { params: SubmissionPath },
  responses: { 200: json(SubmissionDetail, "The sending") },
});
const replay = route({
  method: "post",
  operationId: "replaySubmission",
  "x-audit": "submission.replayed",
  path: "/api/submissions/{id}/replay",
  "x-permission": "invoices:run",
  tags: TAGS,
  summary: "Take a sending that stands still further; told twice, it is done once",
  description:
    "Without a body the PA is asked first (`probe`). A failed sending gets a new generation, whose id is answered.",
  request: {
    params: SubmissionPath,
    body: { ...json(Replay, "What a person decided"), required: false },
  },
  responses: { 200: json(Replayed, "The sending that goes on") },
});
const resendRoute = route({
  method: "post",
  operationId: "resendInvoice",
  "x-audit": "invoice.resent",
  path: "/api/invoices/{id}/resend",
  "x-permission": "invoices:run",
  tags: ["Processing"],
  summary: "Send an invoice again: a failed sending, or a new one by force",
  request: { params: InvoicePath },
  responses: {
    200: json(Resent, "The sending is on its way; `uuid` is its tracking id at the PA"),
  },
});

const allowed = route({
  method: "get",
  operationId: "listInvoiceActions",
  path: "/api/invoices/{id}/actions",
  "x-permission": "invoices:read",
  tags: ["Invoices"],
  summary: "What can be done with an invoice now",
  description:
    "The statuses its side may tell the PA, each with what must be given; it depends on nobody's permissions.",
  request: { params: InvoicePath },
  responses: { 200: json(AllowedActions, "By the present state") },
});

export function sendingRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(list, async (c) => {
      const { page, rest: filter } = pageOf(c.req.valid("query"));
      return c.json(
        await listSubmissions(deps.db, { ...filter, page, language: c.var.language }),
        200,
      );
    })
    .openapi(
      show,
      async (c) =>
        c.json(await showSubmission(deps.db, c.req.valid("param").id, c.var.language), 200),
    )
    .openapi(replay, async (c) => {
      const given = c.req.valid("json"); // empty without a body
      const decision = "action" in given ? given : { action: "probe" as const };
      const user = c.var.actor.username;
      const { id } = c.req.valid("param");
      const { before, ...goesOn } = await replaySubmission(deps, id, { ...decision, user });
      c.set("before", before);
      return c.json({ success: true as const, ...goesOn }, 200);
    })
    .openapi(
      allowed,
      async (c) => c.json(await allowedActions(deps, c.req.valid("param").id, c.var.language), 200),
    )
    .openapi(resendRoute, async (c) => {
      const { username: user } = c.var.actor;
      const key = c.req.valid("param").id;
      c.set("target", formatInvoiceKey(key));
      const { id: uuid, before } = await resend(deps, key, { user });
      c.set("before", before);
      c.set("after", { submission: { id: uuid } });
      return c.json({ success: true as const, uuid }, 200);
    });
}
