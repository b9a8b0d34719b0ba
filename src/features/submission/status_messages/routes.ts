import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { findInvoice, type InvoiceRow, setStatusByHand } from "#src/features/invoices/mod.ts";
import { IfMatch, ifMatchOf, tagged } from "#src/http/etag.ts";
import { pageOf, pageQuery } from "#src/http/list.ts";
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
import { checkToldOf, tellPa } from "./tell.ts";
import { replayStatus } from "./replay.ts";
import { listStuckMessages, showMessagesOf } from "./views.ts";

const status = route({
  method: "post",
  operationId: "setInvoiceStatus",
  "x-audit": "invoice.status_set",
  path: "/api/invoices/{id}/status",
  "x-permission": "invoices:status",
  tags: ["Invoices"],
  summary: "Set the stored status, or tell the PA a status",
  description:
    "`target: db` sets the stored status at once. `target: pa` writes a lifecycle message and sends it; the stored status moves when the PA has taken it. With `If-Match`, the `ETag` of the invoice's status messages, either is done only where no status was told to the PA since.",
  request: { params: InvoicePath, headers: IfMatch, body: body(StatusUpdate) },
  responses: { 200: json(StatusTold, "The status is set, or on its way"), ...failing(412) },
});
const messages = route({
  method: "get",
  operationId: "listStatusMessages",
  path: "/api/invoices/{id}/status-messages",
  "x-permission": "invoices:read",
  tags: ["Invoices"],
  summary: "Statuses told to the PA, and what became of them",
  request: { params: InvoicePath },
  responses: { 200: tagged(StatusMessages, "The messages, newest first") },
});
const stuck = route({
  method: "get",
  operationId: "listStuckStatuses",
  path: "/api/status-messages",
  "x-permission": "invoices:read",
  tags: ["Invoices"],
  summary: "Statuses told to the PA that need a person, newest first",
  description:
    "Those that stand still, to be replayed, and those that the PA refused where no other status was told since and the invoice has not changed its own.",
  request: { query: pageQuery() },
  responses: { 200: json(StatusMessageList, "The page and the total of all pages") },
});
const replayMessage = route({
  method: "post",
  "x-permission": "invoices:run",
  operationId: "replayStatusMessage",
  "x-audit": "status_message.replayed",
  path: "/api/status-messages/{id}/replay",
  tags: ["Invoices"],
  summary: "Take a parked status message further; the PA is asked for it first",
  request: { params: MessagePath },
  responses: { 200: json(Done, "It goes on") },
});

/** What a person sets or tells, and what became of what was told. */
export function statusRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(status, async (c) => {
      const key = c.req.valid("param").id;
      const given = c.req.valid("json");
      const user = c.var.actor.username;
      const ifMatch = ifMatchOf(c);
      c.set("target", formatInvoiceKey(key));
      if (given.target === "db") {
        const { code, reason } = given;
        const check = (tx: Db, invoice: InvoiceRow) => checkToldOf(tx, invoice, ifMatch);
        c.set("before", await setStatusByHand(deps, { key, code, reason, user, check }));
        return c.json(done, 200);
      }
      const { name, reason, statusAt, data } = given;
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
      const messages = await showMessagesOf(deps.db, invoice.id, c.var.language);
      c.header("ETag", tagOfMessages(messages));
      return c.json({ messages }, 200);
    })
    .openapi(stuck, async (c) => {
      const { page } = pageOf(c.req.valid("query"));
      return c.json(await listStuckMessages(deps.db, { page, language: c.var.language }), 200);
    })
    .openapi(replayMessage, async (c) => {
      c.set("before", await replayStatus(deps, c.req.valid("param").id));
      return c.json(done, 200);
    });
}
