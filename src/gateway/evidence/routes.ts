import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { newRouter, route } from "#src/http/router.ts";
import { InvoicePath } from "#src/http/wire.ts";
import { exportEvidence } from "./export_evidence.ts";

const evidence = route({
  method: "get",
  operationId: "exportEvidence",
  path: "/api/invoices/{id}/evidence",
  "x-permission": "invoices:read",
  tags: ["Invoices"],
  summary: "Export the evidence of an invoice",
  description:
    "For auditors. The zip contains everything sent, received and decided, in a hash chain. Store the header `Evidence-Head` separately: with it, `cli evidence verify FILE --head HASH` also detects records that were cut off at the end.",
  request: { params: InvoicePath },
  responses: {
    200: {
      description: "Zip with the files and `manifest.json`, which `cli evidence verify` checks",
      headers: z.object({
        "Evidence-Head": z.string().openapi({
          description: "Hash of the last record, 64 hexadecimal digits",
          example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        }),
      }),
      content: {
        "application/zip": { schema: z.unknown().openapi({ type: "string", format: "binary" }) },
      },
    },
  },
});

export function evidenceRoutes(deps: Deps) {
  return newRouter("invoicing").openapi(evidence, async (c) => {
    const key = c.req.valid("param").id;
    const { zip, head } = await exportEvidence(deps, key);
    const name = `${formatInvoiceKey(key).replace(/[^\w.-]/g, "_")}-evidence.zip`;
    return c.body(zip, 200, {
      "content-type": "application/zip",
      "evidence-head": head,
      "content-disposition": `attachment; filename="${name}"`,
    });
  });
}
