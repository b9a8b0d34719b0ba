import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { sendFile } from "#src/http/file_answer.ts";
import { body, failing, newRouter, route } from "#src/http/router.ts";
import { sendStreamed } from "#src/http/streamed_file.ts";
import { InvoicePath } from "#src/http/wire.ts";
import { LANGUAGES } from "#src/kernel/language.ts";
import { downloadSelection, MAX_DOWNLOADED } from "./download_selection.ts";
import { renderFacturX, renderPdf, storedErp, storedXml } from "./render_invoice.ts";

const LanguageQuery = z.object({
  lang: z.enum(LANGUAGES).optional().openapi({
    description: "Language of the document; overrides `X-Service-Lang`. Default: French",
  }),
});
const READ = {
  "x-permission": "invoices:read" as const,
  tags: ["Invoices"],
  method: "get" as const,
  request: { params: InvoicePath, query: LanguageQuery },
};
const FILE = {
  200: {
    description: "File content",
    content: { "application/pdf": { schema: z.string().openapi({ format: "binary" }) } },
  },
};

const pdf = route({
  ...READ,
  operationId: "getInvoicePdf",
  path: "/api/invoices/{id}/pdf",
  summary: "Download the PDF of an invoice",
  description:
    "For users who read or print an invoice. The product renders the PDF from the stored document.",
  responses: { ...FILE, ...failing(413) },
});
const facturX = route({
  ...READ,
  operationId: "getInvoiceFacturX",
  path: "/api/invoices/{id}/factur-x",
  summary: "Download an invoice as Factur-X",
  description:
    "For users and ERP systems. A received Factur-X file is returned unchanged; otherwise the product makes one from the PDF and the CII form, profile EN 16931.",
  responses: { ...FILE, ...failing(413, 422) },
});

const source = (
  path: "xml" | "erp",
  texts: { operationId: string; summary: string; description: string },
) =>
  route({
    ...READ,
    request: { params: InvoicePath },
    ...texts,
    path: `/api/invoices/{id}/${path}`,
    responses: {
      200: {
        description: "Stored file, byte for byte",
        content: { "application/xml": { schema: { type: "string" as const } } },
      },
    },
  });
const xml = source(
  "xml",
  {
    operationId: "getInvoiceXml",
    summary: "Download the XML of an invoice",
    description:
      "For users and ERP systems. The file is the UBL or CII document that was sent or received.",
  },
);
const erp = source(
  "erp",
  {
    operationId: "getInvoiceErpPiece",
    summary: "Download the ERP document of an invoice",
    description:
      "For users who compare an invoice with the ERP. The file is the part of the ERP export that the invoice was made from.",
  },
);

/** The limit of the API document; longer lists are refused by a sentence that counts the invoices. */
const MAX_NAMED = 10_000;

const selection = route({
  method: "post",
  operationId: "downloadInvoices",
  path: "/api/invoices/bulk-download",
  "x-permission": READ["x-permission"],
  "x-audit": "invoices.downloaded",
  "x-once": false, // it only reads
  tags: READ.tags,
  summary: "Download the documents of several invoices",
  description:
    `For users who hand documents on. The ZIP file has the PDF and the XML of each invoice, at most ${MAX_DOWNLOADED} of them. A CSV file lists the invoices, and the reason of a missing document.`,
  request: {
    body: body(
      z.strictObject({
        ids: z.array(InvoicePath.shape.id).min(1).max(MAX_NAMED).openapi({
          type: "array",
          items: { type: "string" },
          description:
            `Invoice keys \`<doc>-<dct>-<kco>\`, at most ${MAX_DOWNLOADED}; a repeated key counts once`,
          example: ["100000-RI-00001", "100001-RI-00001"],
        }),
      }).openapi("BulkDownload", { description: "Invoices to download" }),
    ),
  },
  responses: {
    200: {
      description: "ZIP file as a stream",
      content: { "application/zip": { schema: { type: "string" as const, format: "binary" } } },
    },
    ...failing(413),
  },
});

export function renderingRoutes(deps: Pick<Deps, "archive" | "clock" | "db" | "pdf">) {
  return newRouter("invoicing")
    .openapi(selection, (c) =>
      sendStreamed(c, (signal) => {
        const { ids } = c.req.valid("json");
        const asked = { language: c.var.language, signal };
        return Promise.resolve(downloadSelection(deps, ids, asked));
      }))
    .openapi(pdf, async (c) => {
      const language = c.req.valid("query").lang ?? c.var.language;
      return sendFile(c, await renderPdf(deps, c.req.valid("param").id, language), language);
    })
    .openapi(facturX, async (c) => {
      const language = c.req.valid("query").lang ?? c.var.language;
      return sendFile(c, await renderFacturX(deps, c.req.valid("param").id, language), language);
    })
    .openapi(xml, async (c) => sendFile(c, await storedXml(deps, c.req.valid("param").id)))
    .openapi(erp, async (c) => sendFile(c, await storedErp(deps, c.req.valid("param").id)));
}
