import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { failing, newRouter, route } from "#src/http/router.ts";
import { InvoicePath } from "#src/http/wire.ts";
import { LANGUAGES } from "#src/kernel/language.ts";
import {
  type RenderedFile,
  renderFacturX,
  renderPdf,
  storedErp,
  storedXml,
} from "./render_invoice.ts";

const LanguageQuery = z.object({
  lang: z.enum(LANGUAGES).optional().openapi({
    description: "Before `X-Service-Lang`; French without either",
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
    description: "The file",
    content: { "application/pdf": { schema: z.string().openapi({ format: "binary" }) } },
  },
};

const pdf = route({
  ...READ,
  operationId: "getInvoicePdf",
  path: "/api/invoices/{id}/pdf",
  summary: "The readable PDF of an invoice",
  responses: { ...FILE, ...failing(413) },
});
const facturX = route({
  ...READ,
  operationId: "getInvoiceFacturX",
  path: "/api/invoices/{id}/factur-x",
  summary:
    "The Factur-X file the invoice came as; else one made of it: the readable PDF with the CII form embedded, profile EN 16931",
  responses: { ...FILE, ...failing(413, 422) },
});

const source = (path: "xml" | "erp", operationId: string, summary: string) =>
  route({
    ...READ,
    request: { params: InvoicePath },
    operationId,
    path: `/api/invoices/{id}/${path}`,
    summary,
    responses: {
      200: {
        description: "The file, byte for byte as it is kept",
        content: { "application/xml": { schema: { type: "string" as const } } },
      },
    },
  });
const xml = source(
  "xml",
  "getInvoiceXml",
  "The UBL or CII of an invoice, as it is sent or was received",
);
const erp = source(
  "erp",
  "getInvoiceErpPiece",
  "The piece of the ERP's file an invoice was made of",
);

export function renderingRoutes(deps: Pick<Deps, "db" | "pdf">) {
  return newRouter("invoicing")
    .openapi(pdf, async (c) => {
      const language = c.req.valid("query").lang ?? c.var.language;
      return answer(c, await renderPdf(deps, c.req.valid("param").id, language), language);
    })
    .openapi(facturX, async (c) => {
      const language = c.req.valid("query").lang ?? c.var.language;
      return answer(c, await renderFacturX(deps, c.req.valid("param").id, language), language);
    })
    .openapi(xml, async (c) => answer(c, await storedXml(deps, c.req.valid("param").id)))
    .openapi(erp, async (c) => answer(c, await storedErp(deps, c.req.valid("param").id)));
}

function answer(c: Context<HttpEnv>, { name, type, content }: RenderedFile, language?: string) {
  return c.body(new Uint8Array(content), 200, {
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${name}"`,
    ...language !== undefined && { "Content-Language": language },
    "X-Content-Type-Options": "nosniff",
  });
}
