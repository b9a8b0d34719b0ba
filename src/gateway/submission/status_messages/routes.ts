import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { findInvoice, type InvoiceRow, setStatusByHand } from "#src/gateway/invoices/mod.ts";
import { declareTagged, IfMatch, readIfMatch } from "#src/http/etag.ts";
import { pageQuery, splitPage } from "#src/http/list.ts";
import { body, Done, done, failing, json, newRouter, route } from "#src/http/router.ts";
import { InvoicePath } from "#src/http/wire.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import {
  MessagePath,
  StatusMessageList,
  StatusMessages,
  StatusTold,
  StatusUpdate,
} from "./schemas.ts";
import { tagOfMessages } from "./store.ts";
import { checkMatch, tellPa } from "./tell.ts";
import { recordPayment } from "./record_payment.ts";
import { replayStatus } from "./replay.ts";
import { listStuckMessages, showMessages } from "./views.ts";

const status = route({
  method: "post",
  operationId: "setInvoiceStatus",
  "x-audit": "invoice.status_set",
  path: "/api/invoices/{id}/status",
  "x-permission": "invoices:status",
  tags: ["Invoices"],
  summary: "Set the status of an invoice",
  description:
    "For users and ERP systems that handle invoices. `target: db` changes the stored status at once. `target: pa` sends a lifecycle message; the stored status changes when the PA accepts it. `If-Match` takes the `ETag` of the status messages of the invoice and refuses the call when another status was sent since.",
  request: { params: InvoicePath, headers: IfMatch, body: body(StatusUpdate) },
  responses: {
    200: json(StatusTold, "The status was stored, or the message is being sent"),
    ...failing(412),
  },
});
const messages = route({
  method: "get",
  operationId: "listStatusMessages",
  path: "/api/invoices/{id}/status-messages",
  "x-permission": "invoices:read",
  tags: ["Invoices"],
  summary: "List the status messages of an invoice",
  description: "For users who follow statuses sent to the PA, newest first.",
  request: { params: InvoicePath },
  responses: { 200: declareTagged(StatusMessages, "Status messages, newest first") },
});
const stuck = route({
  method: "get",
  operationId: "listStuckStatuses",
  path: "/api/status-messages",
  "x-permission": "invoices:read",
  tags: ["Invoices"],
  summary: "List status messages that require action",
  description:
    "For operators. The list contains parked messages and refused ones that no later status replaced, newest first.",
  request: { query: pageQuery() },
  responses: { 200: json(StatusMessageList, "Page of the list with the total number of entries") },
});
const replayMessage = route({
  method: "post",
  "x-permission": "invoices:run",
  operationId: "replayStatusMessage",
  "x-audit": "status_message.replayed",
  path: "/api/status-messages/{id}/replay",
  tags: ["Invoices"],
  summary: "Retry a status message",
  description: "For operators. The product first queries the PA about the message.",
  request: { params: MessagePath },
  responses: { 200: json(Done, "The message is processed again") },
});

/** Routes for statuses that a person sets or sends, and for the messages sent. */
export function statusRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(status, async (c) => {
      const key = c.req.valid("param").id;
      const given = c.req.valid("json");
      const user = c.var.actor.username;
      const ifMatch = readIfMatch(c);
      c.set("target", formatInvoiceKey(key));
      if (given.target === "db") {
        const { code, reason, payment } = given;
        const check = (tx: Db, invoice: InvoiceRow) => checkMatch(tx, invoice, ifMatch);
        const asked = { key, code, reason, user, check };
        c.set(
          "before",
          payment
            ? await recordPayment(deps, { ...asked, ...payment })
            : await setStatusByHand(deps, asked),
        );
        return c.json(done, 200);
      }
      const { name, reason, statusAt, confirm, data } = given;
      const { reasonCode, comment, action, amounts } = data;
      const reasons = reasonCode
        ? { reason: reasonCode, comment: comment ?? reason }
        : { reason, comment };
      const asked = {
        key,
        name,
        ...reasons,
        action,
        amounts,
        confirm,
        statusAt,
        user,
        ifMatch,
      };
      const { id: uuid, before } = await tellPa(deps, asked);
      c.set("before", before);
      return c.json({ ...done, uuid }, 200);
    })
    .openapi(messages, async (c) => {
      const key = c.req.valid("param").id;
      const invoice = await findInvoice(deps.db, key);
      if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
      const messages = await showMessages(deps.db, invoice.id, c.var.language);
      c.header("ETag", tagOfMessages(messages));
      return c.json({ messages }, 200);
    })
    .openapi(stuck, async (c) => {
      const { page } = splitPage(c.req.valid("query"));
      return c.json(await listStuckMessages(deps.db, { page, language: c.var.language }), 200);
    })
    .openapi(replayMessage, async (c) => {
      c.set("before", await replayStatus(deps, c.req.valid("param").id));
      return c.json(done, 200);
    });
}
