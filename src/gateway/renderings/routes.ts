import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { sendFile } from "#src/http/file_answer.ts";
import { failing, newRouter, route } from "#src/http/router.ts";
import { InvoicePath } from "#src/http/wire.ts";
import { LANGUAGES } from "#src/kernel/language.ts";
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

export function renderingRoutes(deps: Pick<Deps, "db" | "pdf">) {
  return newRouter("invoicing")
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
