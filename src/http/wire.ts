import { createIssue, words } from "#src/kernel/i18n/schema.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { z } from "@hono/zod-openapi";
import { type InvoiceKey, parseInvoiceKey } from "#src/domain/invoice/key.ts";
import { LEVELS } from "#src/domain/validation/finding.ts";

/** Path parameter `{id}` of an invoice. */
export const InvoicePath = z.object({
  id: z.string().transform((text, ctx): InvoiceKey => {
    const key = parseInvoiceKey(text);
    if (key) return key;
    ctx.addIssue(
      createIssue(say`expected <doc>-<dct>-<kco>, got ${JSON.stringify(text.slice(0, 100))}`),
    );
    return z.NEVER;
  }).openapi({
    type: "string",
    example: "100000-RI-00001",
    description: "Invoice key `<doc>-<dct>-<kco>`; the last two parts never contain a hyphen",
  }),
});

/** Whole number in a query. Only decimal digits are accepted, so `0x10`, `1e2` and blanks are refused. */
export function wholeNumber(min: number, max: number, fallback: number) {
  return z.string().regex(/^\d{1,100}$/, words(say`decimal digits are expected`)).transform(Number)
    .pipe(z.number().min(min).max(max)).default(fallback)
    .openapi({ type: "integer", minimum: min, maximum: max, default: fallback });
}

/** Years that the database reads and writes in ISO 8601. */
const YEARS = words(say`a year from 0001 to 9999 is expected`);

/** Requires a moment within those years, in UTC. */
export function inYears(schema: z.ZodType<Date, string>) {
  return schema.refine(isInYears, YEARS);
}

function isInYears(it: Date): boolean {
  return it.getUTCFullYear() >= 1 && it.getUTCFullYear() <= 9999;
}

/** Day, `YYYY-MM-DD`. */
export function day() {
  return z.iso.date().refine((it) => isInYears(new Date(it)), YEARS);
}

/** Moment in ISO 8601 with an offset; the text is kept unchanged. */
export function momentText() {
  return z.iso.datetime({ offset: true }).refine((it) => isInYears(new Date(it)), YEARS);
}

/** Moment, or a day, which stands for its start in UTC. */
export function moment() {
  const given = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);
  return inYears(given.transform((it) => new Date(it)))
    .openapi({ type: "string", format: "date-time" });
}

/** Paid or collected amounts in answers. */
export const paidAmounts = z.array(
  z.object({
    amount: z.string().openapi({
      description: "Amount with VAT as a decimal number",
      example: "1200.00",
    }),
    currency: z.string().openapi({ description: "Currency, ISO 4217", example: "EUR" }),
    rate: z.string().openapi({ description: "VAT rate in percent", example: "20" }),
  }).openapi("PaidAmount", { description: "Paid or collected amount of one VAT rate" }),
).openapi({ description: "Paid or collected, by VAT rate; empty where nothing was" });

/** Number of an ERP, given as text or as a number; stored as text. */
export const textOrNumber = z.union(
  [z.string(), z.number()],
  words(say`text or a number is expected`),
)
  .transform(String);

export const LogEntry = z.object({
  severity: z.string().openapi({ description: "Severity of the entry", example: "INFO" }),
  module: z.string().openapi({
    description: "Module that wrote the entry",
    example: "validation",
  }),
  submodule: z.string().openapi({
    description: "Object of the entry, for example an invoice",
    example: "100000-RI-00001",
  }),
  message: z.string().openapi({
    description: "Message in the caller's language",
    example: "La facture est déposée",
  }),
}).openapi("LogEntry", { description: "Log entry of a run" });

/**
 * Allows null next to a named schema. `nullable()` would change the named schema itself, in the document and in
 * generated clients.
 */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()]);
}

/** Failed check of a document. */
export const Finding = z.object({
  level: z.enum(LEVELS).openapi({
    description: "Severity of the finding; a `FATAL` finding blocks the submission",
    example: "FATAL",
  }),
  source: z.string().openapi({
    description: "Rule set or check that produced the finding",
    example: "en16931-ubl",
  }),
  rule: z.string().openapi({ description: "Identifier of the rule", example: "BR-CO-15" }),
  message: z.string().openapi({
    description: "Message in the caller's language",
    example: "[BR-CO-15] Total with VAT = total without VAT + VAT",
  }),
  messageFr: z.string().openapi({
    description: "Message in French",
    example: "[BR-CO-15] Total TTC = total HT + TVA",
  }),
  messageEn: z.string().openapi({
    description: "Message in English",
    example: "[BR-CO-15] Total with VAT = total without VAT + VAT",
  }),
  businessTerm: z.string().nullable().openapi({
    description: "Business term of EN 16931 that the finding concerns",
    example: "BT-112",
  }),
  location: z.string().openapi({
    description: "Path in the invoice, which may be UBL made from an ERP file",
    example: "/Invoice/cac:LegalMonetaryTotal",
  }),
  line: z.int().openapi({
    description:
      "Line in the submitted file, from 1. In an ERP file it is the line of the field or of the invoice",
    example: 42,
  }),
  column: z.int().openapi({ description: "Column in the submitted file, from 1", example: 5 }),
  value: z.string().nullable().openapi({ description: "Value that was found", example: "1199.99" }),
  expected: z.string().nullable().openapi({
    description: "Value that the rule expects",
    example: "1200.00",
  }),
  evaluated: z.boolean().openapi({
    description: "False when the rule could not be evaluated, so its condition is unknown",
  }),
  sourceField: z.string().nullable().openapi({
    description: "Field of the ERP file that the value comes from",
    example: "Invoice_Detail_S20[2]/TaxRate_ID311",
  }),
  followsFrom: z.string().nullable().optional().openapi({
    description:
      "Rule of the finding before it that this finding follows from; null for a cause. Absent in lists of several documents",
    example: "BR-CO-10",
  }),
}).openapi("Finding", { description: "Failed check of a document" });
