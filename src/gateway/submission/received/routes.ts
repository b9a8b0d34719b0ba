import type { Deps } from "#src/deps.ts";
import { fileAnswer, sendFile } from "#src/http/file_answer.ts";
import { failing, newRouter, route } from "#src/http/router.ts";
import { InvoicePath } from "#src/http/wire.ts";
import { readableView } from "./readable_view.ts";

const readable = route({
  method: "get",
  operationId: "getInvoiceReadableView",
  path: "/api/invoices/{id}/readable-view",
  "x-permission": "invoices:read",
  tags: ["Invoices"],
  summary: "Read the supplier's view of an invoice",
  description:
    "For users who read a received invoice. The view is the Factur-X file, otherwise the attachment `LISIBLE`, otherwise the view of the PA.",
  request: { params: InvoicePath },
  responses: { ...fileAnswer("PDF file"), ...failing(422, 502, 503) },
});

/** Files of received invoices that the PA may hold. */
export function receivedRoutes(deps: Pick<Deps, "db" | "pa" | "rules" | "settings" | "vault">) {
  return newRouter("invoicing").openapi(readable, async (c) => {
    const { signal } = c.req.raw;
    return sendFile(c, await readableView(deps, c.req.valid("param").id, signal));
  });
}
