import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { pageOf } from "#src/http/list.ts";
import { body, json, newRouter, route } from "#src/http/router.ts";
import { InvoicePath } from "#src/http/wire.ts";
import { sendWorkbook, workbookAnswer } from "#src/http/workbook.ts";
import { notFound } from "#src/kernel/errors.ts";
import {
  ExportBody,
  FindingList,
  FindingPage,
  FindingQuery,
  Findings,
  InvoiceDetail,
  InvoiceList,
  InvoiceQuery,
  Lifecycle,
  Lines,
  Stats,
  StatsQuery,
  Vat,
} from "./schemas.ts";
import { exportInvoices } from "./export_invoices.ts";
import { listFindings } from "./finding_views.ts";
import { countByStatus, detailView, listInvoices } from "./list_views.ts";
import { findInvoice } from "./store.ts";
import { findingsOfInvoice, historyOfInvoice, linesOfInvoice, vatOfInvoice } from "./views.ts";

const READ = {
  "x-permission": "invoices:read" as const,
  tags: ["Invoices"],
  method: "get" as const,
};

const list = route({
  ...READ,
  operationId: "listInvoices",
  path: "/api/invoices",
  summary: "One page of invoices, newest first",
  request: { query: InvoiceQuery },
  responses: { 200: json(InvoiceList, "The page and the total of all pages") },
});
const exported = route({
  tags: READ.tags,
  method: "post",
  operationId: "exportInvoices",
  path: "/api/invoices/export",
  "x-permission": READ["x-permission"],
  "x-audit": "invoices.exported",
  summary: "The list of invoices as an XLSX file, with its filters, its order and its columns",
  request: { body: body(ExportBody) },
  responses: {
    200: workbookAnswer("The file, as it is made; a second sheet says what it holds"),
  },
});
const stats = route({
  ...READ,
  operationId: "getInvoiceStats",
  path: "/api/invoices/stats",
  summary: "Invoices per status",
  request: { query: StatsQuery },
  responses: { 200: json(Stats, "Counts per status, by issue date or by when they were recorded") },
});
const show = route({
  ...READ,
  operationId: "getInvoice",
  path: "/api/invoices/{id}",
  summary: "One invoice, as in the list and with what else is known of it",
  request: { params: InvoicePath },
  responses: { 200: json(InvoiceDetail, "The invoice") },
});
const ofInvoice = { ...READ, request: { params: InvoicePath } };
const lines = route({
  ...ofInvoice,
  operationId: "getInvoiceLines",
  path: "/api/invoices/{id}/lines",
  summary: "Lines of an invoice",
  responses: { 200: json(Lines, "The lines in document order") },
});
const vat = route({
  ...ofInvoice,
  operationId: "getInvoiceVat",
  path: "/api/invoices/{id}/vat",
  summary: "VAT breakdown of an invoice",
  responses: { 200: json(Vat, "The subtotals in document order") },
});
const lifecycle = route({
  ...ofInvoice,
  operationId: "getInvoiceLifecycle",
  path: "/api/invoices/{id}/lifecycle",
  summary: "History of an invoice",
  responses: { 200: json(Lifecycle, "The events, oldest first") },
});
const errors = route({
  ...ofInvoice,
  operationId: "getInvoiceErrors",
  path: "/api/invoices/{id}/errors",
  summary: "Validation findings of an invoice",
  request: { params: InvoicePath, query: FindingPage },
  responses: { 200: json(Findings, "The page, in order, and the total of all pages") },
});
const integration = route({
  ...READ,
  operationId: "listIntegrationErrors",
  path: "/api/integration-errors",
  summary: "Validation findings of all documents",
  request: { query: FindingQuery },
  responses: { 200: json(FindingList, "The page and the total of all pages") },
});

export function invoiceRoutes(deps: Pick<Deps, "clock" | "db" | "spreadsheets">) {
  const idOf = async (key: InvoiceKey): Promise<number> => {
    const invoice = await findInvoice(deps.db, key);
    if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
    return invoice.id;
  };
  return newRouter("invoicing")
    .openapi(list, async (c) => {
      const { page, rest: { sortBy, sortDir, ...filter } } = pageOf(c.req.valid("query"));
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
    )
    .openapi(show, async (c) => {
      const key = c.req.valid("param").id;
      const invoice = await findInvoice(deps.db, key);
      if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
      return c.json({ invoice: detailView(invoice, c.var.language) }, 200);
    })
    .openapi(
      lines,
      async (c) =>
        c.json({ lines: await linesOfInvoice(deps.db, await idOf(c.req.valid("param").id)) }, 200),
    )
    .openapi(
      vat,
      async (c) =>
        c.json({ vat: await vatOfInvoice(deps.db, await idOf(c.req.valid("param").id)) }, 200),
    )
    .openapi(lifecycle, async (c) => {
      const id = await idOf(c.req.valid("param").id);
      return c.json({ events: await historyOfInvoice(deps.db, id, c.var.language) }, 200);
    })
    .openapi(
      errors,
      async (c) => {
        const id = await idOf(c.req.valid("param").id);
        return c.json(
          await findingsOfInvoice(deps.db, id, {
            ...c.req.valid("query"),
            language: c.var.language,
          }),
          200,
        );
      },
    )
    .openapi(integration, async (c) => {
      const { page, rest: { sortBy, sortDir, ...filter } } = pageOf(c.req.valid("query"));
      return c.json(
        await listFindings(deps.db, { filter, page, sortBy, sortDir, language: c.var.language }),
        200,
      );
    });
}
