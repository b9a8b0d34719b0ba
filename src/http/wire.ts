import { z } from "@hono/zod-openapi";
import { type InvoiceKey, parseInvoiceKey } from "#src/domain/invoice/key.ts";

/** The `{id}` of an invoice. */
export const InvoicePath = z.object({
  id: z.string().transform((text, ctx): InvoiceKey => {
    const key = parseInvoiceKey(text);
    if (key) return key;
    ctx.addIssue({
      code: "custom",
      message: `expected <doc>-<dct>-<kco>, got ${JSON.stringify(text.slice(0, 100))}`,
    });
    return z.NEVER;
  }).openapi({
    type: "string",
    example: "100000-RI-00001",
    description: "`<doc>-<dct>-<kco>`, split from the right",
  }),
});

export const LogEntry = z.object({
  severity: z.string(),
  module: z.string(),
  submodule: z.string(),
  message: z.string(),
}).openapi("LogEntry");
