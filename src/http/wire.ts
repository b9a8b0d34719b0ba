import { issueOf, words } from "./schema_sentences.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { z } from "@hono/zod-openapi";
import { type InvoiceKey, parseInvoiceKey } from "#src/domain/invoice/key.ts";

/** The `{id}` of an invoice. */
export const InvoicePath = z.object({
  id: z.string().transform((text, ctx): InvoiceKey => {
    const key = parseInvoiceKey(text);
    if (key) return key;
    ctx.addIssue(
      issueOf(say`expected <doc>-<dct>-<kco>, got ${JSON.stringify(text.slice(0, 100))}`),
    );
    return z.NEVER;
  }).openapi({
    type: "string",
    example: "100000-RI-00001",
    description: "`<doc>-<dct>-<kco>`, split from the right",
  }),
});

/** A whole number in a query: decimal digits only, so that `0x10`, `1e2` and blanks are refused. */
export function wholeNumber(min: number, max: number, fallback: number) {
  return z.string().regex(/^\d{1,15}$/, words(say`decimal digits are expected`)).transform(Number)
    .pipe(z.number().min(min).max(max)).default(fallback)
    .openapi({ type: "integer", minimum: min, maximum: max });
}

/** Numbers of the ERP come as text or as numbers; kept as text. */
export const textOrNumber = z.union(
  [z.string(), z.number()],
  words(say`text or a number is expected`),
)
  .transform(String);

export const LogEntry = z.object({
  severity: z.string(),
  module: z.string(),
  submodule: z.string(),
  message: z.string(),
}).openapi("LogEntry");
