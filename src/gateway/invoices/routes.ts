import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { fileAnswer, sendFile } from "#src/http/file_answer.ts";
import { splitPage } from "#src/http/list.ts";
import { body, Done, done, failing, json, newRouter, route } from "#src/http/router.ts";
import { InvoicePath } from "#src/http/wire.ts";
import { sendWorkbook, workbookAnswer } from "#src/http/workbook.ts";
import { notFound } from "#src/kernel/errors.ts";
import { Details, Lines, Vat } from "./content_schemas.ts";
import {
  AttachmentPath,
  ExportBody,
  FindingPage,
  FindingQuery,
  InvoiceQuery,
  StatsQuery,
  TotalsQuery,
} from "./query_schemas.ts";
import {
  FindingList,
  Findings,
  InvoiceDetail,
  InvoiceList,
  Lifecycle,
  RejectionCauses,
  Stats,
  Totals,
} from "./schemas.ts";
import { listRejectionCauses, MAX_GROUPED } from "./cause_views.ts";
import { AttentionHandled } from "./attention_schemas.ts";
import { attentionDetails } from "./attention_views.ts";
import { exportInvoices } from "./export_invoices.ts";
import { listFindings } from "./finding_views.ts";
import { handleAttention, reopenStatus } from "./handle_attention.ts";
import { countByStatus, detailView, listInvoices } from "./list_views.ts";
import { readStatusReason } from "./reason_views.ts";
import { attachmentOfInvoice, detailsOfInvoice } from "./detail_views.ts";
import { linesOfInvoice } from "./line_views.ts";
import { findInvoice, type InvoiceRow } from "./store.ts";
import { MAX_SUMMED, sumInvoices } from "./total_views.ts";
import { findingsOfInvoice, historyOfInvoice, vatOfInvoice } from "./views.ts";

const READ = {
  "x-permission": "invoices:read" as const,
  tags: ["Invoices"],
  method: "get" as const,
};

const list = route({
  ...READ,
  operationId: "listInvoices",
  path: "/api/invoices",
  summary: "List invoices",
  description:
    "For users and ERP systems that look up invoices. Invoices are sorted by their issue date, newest first, unless `sortBy` names another field.",
  request: { query: InvoiceQuery },
  responses: { 200: json(InvoiceList, "Page of the list with the total number of entries") },
});
const exported = route({
  tags: READ.tags,
  method: "post",
  operationId: "exportInvoices",
  path: "/api/invoices/export",
  "x-permission": READ["x-permission"],
  "x-audit": "invoices.exported",
  "x-once": false, // it only reads
  summary: "Export invoices as XLSX",
  description:
    "For users who continue in a spreadsheet. The file follows the filters, the order and the columns of the request.",
  request: { body: body(ExportBody) },
  responses: {
    200: workbookAnswer("XLSX file as a stream; a second sheet describes the content"),
  },
});
const stats = route({
  ...READ,
  operationId: "getInvoiceStats",
  path: "/api/invoices/stats",
  summary: "Count invoices per status",
  description:
    "For overviews. The period selects invoices by issue date, or by time of recording with `recordedFrom`.",
  request: { query: StatsQuery },
  responses: { 200: json(Stats, "Number of invoices per status") },
});
const totals = route({
  ...READ,
  operationId: "getInvoiceTotals",
  path: "/api/invoices/totals",
  summary: "Sum invoices per currency",
  description:
    `For overviews and lists. The answer adds up the invoices that match the filters of the list, at most ${MAX_SUMMED} of them.`,
  request: { query: TotalsQuery },
  responses: { 200: json(Totals, "Sums per currency") },
});
const causes = route({
  ...READ,
  operationId: "listRejectionCauses",
  path: "/api/invoices/causes",
  summary: "List the causes of rejected invoices",
  description:
    `For users who correct invoices. The answer groups the newest ${MAX_GROUPED} issued invoices in status 9907 by the rule of their first blocking finding.`,
  responses: { 200: json(RejectionCauses, "Causes of rejections") },
});
const show = route({
  ...READ,
  operationId: "getInvoice",
  path: "/api/invoices/{id}",
  summary: "Read an invoice",
  description:
    "For users and ERP systems that look up invoices. The answer contains all fields, including the tax treatment and points that require action.",
  request: { params: InvoicePath },
  responses: { 200: json(InvoiceDetail, "Invoice") },
});
const ofInvoice = { ...READ, request: { params: InvoicePath } };
const lines = route({
  ...ofInvoice,
  operationId: "getInvoiceLines",
  path: "/api/invoices/{id}/lines",
  summary: "List the lines of an invoice",
  description: "For users who read an invoice. The lines are in document order.",
  responses: { 200: json(Lines, "Lines in document order") },
});
const details = route({
  ...ofInvoice,
  operationId: "getInvoiceDetails",
  path: "/api/invoices/{id}/details",
  summary: "Read payment terms and attachments of an invoice",
  description: "For users who read an invoice. The answer comes from the stored document.",
  responses: { 200: json(Details, "Details of the stored document") },
});
const attachment = route({
  ...READ,
  operationId: "getInvoiceAttachment",
  path: "/api/invoices/{id}/attachments/{position}",
  summary: "Download an attachment of an invoice",
  description:
    "For users who read an invoice. `position` is the number from the list of attachments.",
  request: { params: AttachmentPath },
  responses: fileAnswer("File content; a file of an unexpected type gets the suffix `.bin`"),
});
const vat = route({
  ...ofInvoice,
  operationId: "getInvoiceVat",
  path: "/api/invoices/{id}/vat",
  summary: "Read the VAT breakdown of an invoice",
  description:
    "For users who read an invoice. The answer contains one subtotal per category and rate.",
  responses: { 200: json(Vat, "VAT subtotals in document order") },
});
const lifecycle = route({
  ...ofInvoice,
  operationId: "getInvoiceLifecycle",
  path: "/api/invoices/{id}/lifecycle",
  summary: "Read the history of an invoice",
  description:
    "For users and ERP systems that follow an invoice. The events are sorted from oldest to newest.",
  responses: { 200: json(Lifecycle, "Events, oldest first") },
});
const errors = route({
  ...ofInvoice,
  operationId: "getInvoiceErrors",
  path: "/api/invoices/{id}/errors",
  summary: "List the findings of an invoice",
  description: "For users who correct invoices.",
  request: { params: InvoicePath, query: FindingPage },
  responses: { 200: json(Findings, "Page of findings with their total number") },
});
const handled = route({
  method: "post",
  operationId: "handleInvoiceAttention",
  path: "/api/invoices/{id}/attention",
  "x-permission": "invoices:status",
  "x-audit": "invoice.attention_handled",
  tags: READ.tags,
  summary: "Mark points as handled",
  description:
    "For users who handle problems of invoices. The status and the history do not change; the audit trail records the comment. A status that is marked no longer counts as waiting; the next status counts again.",
  request: { params: InvoicePath, body: body(AttentionHandled) },
  responses: { 200: json(Done, "The points are closed") },
});
const reopened = route({
  method: "delete",
  operationId: "reopenInvoice",
  path: "/api/invoices/{id}/attention",
  "x-permission": "invoices:status",
  "x-audit": "invoice.reopened",
  tags: READ.tags,
  summary: "Reopen a sale that is marked as handled",
  description:
    "For users who marked the wrong sale. The mark of its status is removed, so that it counts as waiting again; the audit trail keeps the mark.",
  request: { params: InvoicePath },
  responses: { 200: json(Done, "The sale waits again"), ...failing(409) },
});
const integration = route({
  ...READ,
  operationId: "listIntegrationErrors",
  path: "/api/integration-errors",
  summary: "List the findings of all documents",
  description: "For users who correct invoices and administrators of rules.",
  request: { query: FindingQuery },
  responses: { 200: json(FindingList, "Page of the list with the total number of entries") },
});

type RoutesDeps = Pick<Deps, "clock" | "db" | "live" | "notifier" | "rules" | "spreadsheets">;

export function invoiceRoutes(deps: RoutesDeps) {
  const router = newRouter("invoicing");
  for (const it of [listRoutes, singleRoutes, attentionRoutes, findingRoutes]) {
    router.route("/", it(deps));
  }
  return router;
}

function listRoutes(deps: RoutesDeps) {
  return newRouter("invoicing")
    .openapi(list, async (c) => {
      const { page, rest: { sortBy, sortDir, ...filter } } = splitPage(c.req.valid("query"));
      const language = c.var.language;
      const asked = { filter, page, sortBy, sortDir, language };
      return c.json(await listInvoices(deps.db, asked), 200);
    })
    .openapi(exported, (c) =>
      sendWorkbook(c, (signal) =>
        exportInvoices(deps, {
          request: c.req.valid("json"),
          actor: c.var.actor,
          language: c.var.language,
          signal,
        })))
    .openapi(
      stats,
      async (c) =>
        c.json({
          stats: await countByStatus(deps.db, c.req.valid("query"), c.var.language),
        }, 200),
    );
}

/** Creates the routes of one invoice, but those of its points and findings. */
function singleRoutes(deps: RoutesDeps) {
  return newRouter("invoicing")
    .openapi(totals, async (c) => c.json(await sumInvoices(deps.db, c.req.valid("query")), 200))
    .openapi(
      causes,
      async (c) => c.json({ causes: await listRejectionCauses(deps.db, c.var.language) }, 200),
    )
    .openapi(show, async (c) => {
      const invoice = await requireInvoice(deps, c.req.valid("param").id);
      const { language } = c.var;
      const details = await attentionDetails(deps.db, invoice, language);
      const reason = await readStatusReason(deps.db, invoice.id, language);
      return c.json({
        invoice: { ...detailView(invoice, language), ...reason, attentionDetails: details },
      }, 200);
    })
    .openapi(lines, async (c) => {
      const { id } = await requireInvoice(deps, c.req.valid("param").id);
      return c.json({ lines: await linesOfInvoice(deps, id, { signal: c.req.raw.signal }) }, 200);
    })
    .openapi(details, async (c) => {
      const invoice = await requireInvoice(deps, c.req.valid("param").id);
      const { signal } = c.req.raw;
      return c.json(
        await detailsOfInvoice(deps, invoice, { language: c.var.language, signal }),
        200,
      );
    })
    .openapi(attachment, async (c) => {
      const { id, position } = c.req.valid("param");
      const { signal } = c.req.raw;
      const invoice = await requireInvoice(deps, id);
      return sendFile(c, await attachmentOfInvoice(deps, invoice, { position, signal }));
    })
    .openapi(vat, async (c) => {
      const { id } = await requireInvoice(deps, c.req.valid("param").id);
      return c.json({ vat: await vatOfInvoice(deps.db, id) }, 200);
    })
    .openapi(lifecycle, async (c) => {
      const { id } = await requireInvoice(deps, c.req.valid("param").id);
      return c.json({ events: await historyOfInvoice(deps.db, id, c.var.language) }, 200);
    });
}

function attentionRoutes(deps: RoutesDeps) {
  return newRouter("invoicing")
    .openapi(handled, async (c) => {
      const key = c.req.valid("param").id;
      const given = c.req.valid("json");
      c.set("target", formatInvoiceKey(key));
      const before = await handleAttention(deps, { key, ...given, user: c.var.actor.username });
      c.set("before", before);
      // A status that is marked as handled stays.
      c.set("after", { ...given, ...before.status !== undefined && { status: before.status } });
      return c.json(done, 200);
    })
    .openapi(reopened, async (c) => {
      const key = c.req.valid("param").id;
      c.set("target", formatInvoiceKey(key));
      const before = await reopenStatus(deps, { key, user: c.var.actor.username });
      c.set("before", before);
      c.set("after", { status: before.status });
      return c.json(done, 200);
    });
}

function findingRoutes(deps: RoutesDeps) {
  return newRouter("invoicing")
    .openapi(errors, async (c) => {
      const { id } = await requireInvoice(deps, c.req.valid("param").id);
      const asked = { ...c.req.valid("query"), language: c.var.language };
      return c.json(await findingsOfInvoice(deps.db, id, asked), 200);
    })
    .openapi(integration, async (c) => {
      const { page, rest: { sortBy, sortDir, ...filter } } = splitPage(c.req.valid("query"));
      return c.json(
        await listFindings(deps.db, { filter, page, sortBy, sortDir, language: c.var.language }),
        200,
      );
    });
}

async function requireInvoice({ db }: Pick<Deps, "db">, key: InvoiceKey): Promise<InvoiceRow> {
  const invoice = await findInvoice(db, key);
  if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
  return invoice;
}
