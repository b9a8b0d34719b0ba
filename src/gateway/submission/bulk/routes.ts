import type { Deps } from "#src/deps.ts";
import { body, json, newRouter, route } from "#src/http/router.ts";
import { previewBulk } from "./preview.ts";
import { resendAll, tellAll } from "./run.ts";
import {
  BulkPreview,
  BulkPreviewBody,
  BulkResendBody,
  BulkResult,
  BulkStatusBody,
} from "./schemas.ts";

const TAGS = ["Invoices"];

const preview = route({
  method: "post",
  operationId: "previewBulkActions",
  "x-audit": false,
  path: "/api/invoices/bulk-preview",
  "x-permission": "invoices:read",
  tags: TAGS,
  summary: "Preview actions on several invoices",
  description:
    "For users who select invoices of a list. The answer tells which invoices each action would change, and why it leaves the others out. It changes nothing and does not depend on the permissions of the caller.",
  request: { body: body(BulkPreviewBody) },
  responses: { 200: json(BulkPreview, "Actions with the invoices that allow them") },
});
const status = route({
  method: "post",
  operationId: "setBulkStatus",
  "x-audit": "invoice.status_set",
  path: "/api/invoices/bulk-status",
  "x-permission": "invoices:status",
  tags: TAGS,
  summary: "Send a status for several invoices",
  description:
    "For users who approve or collect many invoices. Each invoice has its own result: a refused one does not stop the others. A repeated call changes nothing more.",
  request: { body: body(BulkStatusBody) },
  responses: { 200: json(BulkResult, "Results, one for each invoice") },
});
const resent = route({
  method: "post",
  operationId: "resendInvoices",
  "x-audit": "invoice.resent",
  path: "/api/invoices/bulk-resend",
  "x-permission": "invoices:run",
  tags: TAGS,
  summary: "Send several invoices again",
  description:
    "For users who send invoices. Each invoice has its own result: a refused one does not stop the others. Invoices that the PA holds or may hold are refused; send them one by one, with a reason.",
  request: { body: body(BulkResendBody) },
  responses: { 200: json(BulkResult, "Results, one for each invoice") },
});

/** Routes of actions on several invoices. */
export function bulkRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(preview, async (c) => c.json(await previewBulk(deps.db, c.req.valid("json").ids), 200))
    .openapi(status, async (c) => {
      const { ids: keys, name, statusAt } = c.req.valid("json");
      const { actor, language } = c.var;
      c.set("isAudited", true); // each change has its own entry, a refused one has none
      return c.json(
        { results: await tellAll(deps, { keys, name, statusAt }, { actor, language }) },
        200,
      );
    })
    .openapi(resent, async (c) => {
      const { ids: keys } = c.req.valid("json");
      const { actor, language } = c.var;
      c.set("isAudited", true); // each change has its own entry, a refused one has none
      return c.json({ results: await resendAll(deps, keys, { actor, language }) }, 200);
    });
}
