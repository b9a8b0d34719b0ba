import { z } from "@hono/zod-openapi";
import { LEVELS } from "#src/domain/validation/finding.ts";
import { wholeNumber } from "#src/http/wire.ts";
import { FINDING_SORT, INVOICE_SORT } from "./views.ts";

export const PageQuery = z.object({
  page: wholeNumber(1, 1_000_000, 1),
  pageSize: wholeNumber(1, 500, 50),
  sortDir: z.enum(["asc", "desc"]).default("desc"),
});

const day = z.iso.date().openapi({ example: "2026-11-20" });
const dayOrTime = z.string().regex(/^\d{4}-\d{2}-\d{2}(T.*)?$/, "expected an ISO date").transform((
  it,
) => it.slice(0, 10))
  .pipe(z.iso.date()).openapi({ type: "string", example: "2026-11-20" });
const filter = z.string().trim().max(200).transform((it) => it || undefined).optional().openapi({
  type: "string",
});
const keys = <K extends string>(table: Record<K, unknown>) =>
  z.enum(Object.keys(table) as [K, ...K[]]);

export const InvoiceQuery = PageQuery.extend({
  search: filter,
  status: filter,
  ublNumber: filter,
  customer: filter,
  direction: z.enum(["issued", "received"]).optional(),
  dateFrom: day.optional(),
  dateTo: day.optional(),
  sortBy: keys(INVOICE_SORT).default("issueDate"),
});
export const StatsQuery = z.object({
  dateFrom: dayOrTime.optional(),
  dateTo: dayOrTime.optional(),
});
export const FindingQuery = PageQuery.extend({
  search: filter,
  level: z.enum(LEVELS).optional(),
  sortBy: keys(FINDING_SORT).default("id"),
});

const amount = z.number().nullable();
const labels = { statusLabel: z.string(), statusLabelEn: z.string() };

export const InvoiceSummary = z.object({
  fedoc: z.string(),
  fedct: z.string(),
  kco: z.string(),
  ublNumber: z.string(),
  issueDate: z.string().openapi({ description: "`yyyy-MM-dd`; empty when the document has none" }),
  invoiceType: z.string(),
  totalHT: amount,
  totalTTC: amount,
  amountDue: amount,
  customerRef: z.string(),
  customerName: z.string(),
  currency: z.string(),
  status: z.string(),
  ...labels,
  direction: z.enum(["issued", "received"]),
  dueDate: z.string(),
}).openapi("InvoiceSummary");
export const InvoiceList = z.object({ invoices: z.array(InvoiceSummary), total: z.int() }).openapi(
  "InvoiceList",
);

export const Stats = z.object({
  stats: z.array(z.object({ status: z.string(), ...labels, count: z.int() })),
}).openapi("InvoiceStats");

export const Lines = z.object({
  lines: z.array(z.object({
    lineId: z.int(),
    description: z.string(),
    itemId: z.string(),
    quantity: amount,
    unit: z.string(),
    unitPrice: amount,
    lineAmount: amount,
    allowance: amount,
    currency: z.string(),
    taxCategory: z.string(),
    taxRate: amount,
    taxExemption: z.string(),
  })),
}).openapi("InvoiceLines");

export const Vat = z.object({
  vat: z.array(z.object({
    sequence: z.int(),
    taxCategory: z.string(),
    taxRate: amount,
    taxableAmount: amount,
    taxAmount: amount,
    currency: z.string(),
    taxExemption: z.string(),
  })),
}).openapi("InvoiceVat");

export const Lifecycle = z.object({
  events: z.array(z.object({
    sequence: z.int(),
    statusCode: z.string(),
    ...labels,
    message: z.string(),
    createdAt: z.string().openapi({ description: "`yyyy-MM-ddTHH:mm:ss`, UTC" }),
    reasonCode: z.string().nullable(),
    actionCode: z.string().nullable(),
    source: z.string(),
  })),
}).openapi("Lifecycle");

const finding = {
  level: z.enum(LEVELS),
  source: z.string(),
  rule: z.string(),
  message: z.string(),
  messageEn: z.string(),
  businessTerm: z.string().nullable(),
  location: z.string(),
  line: z.int(),
  column: z.int(),
  value: z.string().nullable(),
  expected: z.string().nullable(),
  sourceField: z.string().nullable(),
};
export const Findings = z.object({ errors: z.array(z.object(finding)) }).openapi("InvoiceFindings");
export const FindingList = z.object({
  errors: z.array(
    z.object({ doc: z.string(), dct: z.string(), kco: z.string(), seqn: z.int(), ...finding }),
  ),
  total: z.int(),
}).openapi("IntegrationErrors");
