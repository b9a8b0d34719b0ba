import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { splitPage } from "#src/http/list.ts";
import { body, json, newRouter, route } from "#src/http/router.ts";
import { InvoicePath } from "#src/http/wire.ts";
import { allowedActions } from "./allowed.ts";
import { chooseTreatment } from "./choose_treatment.ts";
import { replaySubmission } from "./replay.ts";
import { resend } from "./resend.ts";
import {
  AllowedActions,
  Replay,
  Replayed,
  Resend,
  Resent,
  SubmissionDetail,
  SubmissionList,
  SubmissionPath,
  SubmissionQuery,
  TreatmentBody,
  TreatmentChosen,
} from "./schemas.ts";
import { listSubmissions, showSubmission } from "./views.ts";

const TAGS = ["Submissions"];

const list = route({
  method: "get",
  operationId: "listSubmissions",
  path: "/api/submissions",
  "x-permission": "invoices:read",
  tags: TAGS,
  summary: "List submissions",
  description: "For operators. Submissions to the PA are listed, newest first.",
  request: { query: SubmissionQuery },
  responses: { 200: json(SubmissionList, "Page of the list with the total number of entries") },
});
const show = route({
  method: "get",
  operationId: "getSubmission",
  path: "/api/submissions/{id}",
  "x-permission": "invoices:read",
  tags: TAGS,
  summary: "Read a submission",
  description: "For operators. The answer contains all attempts.",
  request: { params: SubmissionPath },
  responses: { 200: json(SubmissionDetail, "Submission with its attempts") },
});
const replay = route({
  method: "post",
  operationId: "replaySubmission",
  "x-audit": "submission.replayed",
  path: "/api/submissions/{id}/replay",
  "x-permission": "invoices:run",
  tags: TAGS,
  summary: "Continue a submission",
  description:
    "For operators. Without a body the product first queries the PA (`probe`). A failed submission is sent as a new one, whose identifier is returned. A repeated call has no further effect.",
  request: {
    params: SubmissionPath,
    body: { ...json(Replay, "What a person decided"), required: false },
  },
  responses: { 200: json(Replayed, "Submission that continues") },
});
const resendRoute = route({
  method: "post",
  operationId: "resendInvoice",
  "x-audit": "invoice.resent",
  path: "/api/invoices/{id}/resend",
  "x-permission": "invoices:run",
  tags: ["Processing"],
  summary: "Send an invoice again",
  description:
    "For users who send invoices. A failed submission (9904) needs no body. An invoice that the PA holds or may hold requires `force` and a reason; otherwise the answer is 409.",
  request: {
    params: InvoicePath,
    body: { ...json(Resend, "Why, where the PA holds it"), required: false },
  },
  responses: {
    200: json(Resent, "The submission was started; `uuid` is its tracking identifier at the PA"),
  },
});

const allowed = route({
  method: "get",
  operationId: "listInvoiceActions",
  path: "/api/invoices/{id}/actions",
  "x-permission": "invoices:read",
  tags: ["Invoices"],
  summary: "List the actions on an invoice",
  description:
    "For users and ERP systems that handle invoices. The answer lists the statuses that can be sent to the PA, with the required information. It does not depend on the permissions of the caller.",
  request: { params: InvoicePath },
  responses: { 200: json(AllowedActions, "Actions that the state of the invoice allows") },
});

const treatment = route({
  method: "post",
  operationId: "chooseInvoiceTreatment",
  "x-audit": "invoice.treatment_chosen",
  path: "/api/invoices/{id}/treatment",
  "x-permission": "invoices:run",
  tags: ["Invoices"],
  summary: "Choose the tax treatment of an invoice",
  description:
    "For users who decide about invoices. The invoice must be issued and not held by the PA. An invoice that waited for the choice is sent at once.",
  request: { params: InvoicePath, body: body(TreatmentBody) },
  responses: { 200: json(TreatmentChosen, "The tax treatment was set") },
});

export function sendingRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(list, async (c) => {
      const { page, rest: filter } = splitPage(c.req.valid("query"));
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
    .openapi(treatment, async (c) => {
      const key = c.req.valid("param").id;
      const given = c.req.valid("json");
      c.set("target", formatInvoiceKey(key));
      const user = c.var.actor.username;
      const { before, submissionId } = await chooseTreatment(deps, { key, user, ...given });
      c.set("before", before);
      c.set("after", given);
      return c.json({ success: true as const, ...submissionId && { uuid: submissionId } }, 200);
    })
    .openapi(resendRoute, async (c) => {
      const { username: user } = c.var.actor;
      const key = c.req.valid("param").id;
      c.set("target", formatInvoiceKey(key));
      const { force, reason } = c.req.valid("json");
      const forced = force && reason !== undefined ? { reason } : undefined;
      const { id: uuid, before } = await resend(deps, key, { user, force: forced });
      c.set("before", before);
      c.set("after", { submission: { id: uuid }, ...forced && { force: true, ...forced } });
      return c.json({ success: true as const, uuid }, 200);
    });
}
