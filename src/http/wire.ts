import { issueOf, words } from "#src/kernel/sentences/schema.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { z } from "@hono/zod-openapi";
import { type InvoiceKey, parseInvoiceKey } from "#src/domain/invoice/key.ts";
import { LEVELS } from "#src/domain/validation/finding.ts";

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
  return z.string().regex(/^\d{1,100}$/, words(say`decimal digits are expected`)).transform(Number)
    .pipe(z.number().min(min).max(max)).default(fallback)
    .openapi({ type: "integer", minimum: min, maximum: max, default: fallback });
}

/** Years that the database writes and reads as ISO 8601 does. */
const YEARS = words(say`a year from 0001 to 9999 is expected`);

/** Whether it is in UTC of one of those years. */
export function inYears(schema: z.ZodType<Date, string>) {
  return schema.refine(isInYears, YEARS);
}

function isInYears(it: Date): boolean {
  return it.getUTCFullYear() >= 1 && it.getUTCFullYear() <= 9999;
}

/** A day, `YYYY-MM-DD`. */
export function day() {
  return z.iso.date().refine((it) => isInYears(new Date(it)), YEARS);
}

/** A moment as ISO 8601 with its offset; the text as it was given. */
export function momentText() {
  return z.iso.datetime({ offset: true }).refine((it) => isInYears(new Date(it)), YEARS);
}

/** A moment, or a day for its beginning in UTC. */
export function moment() {
  const given = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);
  return inYears(given.transform((it) => new Date(it)))
    .openapi({ type: "string", format: "date-time" });
}

/** What was paid or collected, as answers give it. */
export const paidAmounts = z.array(
  z.object({
    amount: z.string().openapi({ description: "VAT included, a decimal number" }),
    currency: z.string().openapi({ description: "ISO 4217" }),
    rate: z.string().openapi({ description: "VAT rate in percent" }),
  }).openapi("PaidAmount"),
).openapi({ description: "Paid or collected, by VAT rate; empty where nothing was" });

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

/**
 * Null in place of a schema that has a name. `nullable()` would say of the name itself, wherever it stands, that it may be
 * null, and so would every generated client.
 */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()]);
}

/** One failed check of one document. */
export const Finding = z.object({
  level: z.enum(LEVELS),
  source: z.string(),
  rule: z.string(),
  message: z.string(),
  messageFr: z.string(),
  messageEn: z.string(),
  businessTerm: z.string().nullable(),
  location: z.string(),
  line: z.int(),
  column: z.int(),
  value: z.string().nullable(),
  expected: z.string().nullable(),
  evaluated: z.boolean().openapi({
    description: "False where the rule could not be evaluated: what it asks may hold, or not",
  }),
  sourceField: z.string().nullable(),
}).openapi("Finding");
