import { say } from "#src/kernel/sentences/sentence.ts";
import { words } from "#src/kernel/sentences/schema.ts";
import { z } from "@hono/zod-openapi";
import { storedCode } from "#src/domain/invoice/status.ts";
import { LEVELS } from "#src/domain/validation/finding.ts";
import { counted, inOrder, pageQuery, severalOf, sortQuery, textFilter } from "#src/http/list.ts";
import { day, Finding, moment, paidAmounts, wholeNumber } from "#src/http/wire.ts";
import { FINDING_SORT } from "./finding_views.ts";
import { EXPORT_COLUMNS } from "./export_invoices.ts";
import { INVOICE_SORT } from "./filter_views.ts";

const aDay = day().openapi({ example: "2026-11-20" });
const dayOrTime = z.string().regex(/^\d{4}-\d{2}-\d{2}(T.*)?$/, words(say`expected an ISO date`))
  .transform((
    it,
  ) => it.slice(0, 10))
  .pipe(day()).openapi({ type: "string", example: "2026-11-20" });
/** Filters by the parts of the key that many invoices share. */
const ofKey = {
  kco: textFilter.openapi({ description: "Company", example: "00001" }),
  dct: textFilter.openapi({ description: "Document type of the ERP", example: "RI" }),
};
const recordedFrom = moment().optional().openapi({
  description: "Of invoices the product took in at this moment or later, whenever they were issued",
  example: "2026-11-25T00:00:00+01:00",
});
const Payable = z.enum(["true", "false"]).transform((it) => it === "true");
const PAYABLE = "`true`: neither credit notes nor invoices of which nothing is to be paid";
const listed = {
  search: textFilter,
  // A PA may use codes of its own; a name such as `deposited` would find nothing, without a word.
  status: severalOf(
    z.string().max(20).regex(
      /\d/,
      words(say`the code of a status is expected, as /api/catalogues/statuses lists them`),
    ).transform(storedCode),
  ).openapi({
    type: "string",
    description: "One or several codes; the national 200 is stored as 10, and both are understood",
    example: "9904,9907",
  }),
  ublNumber: textFilter,
  customer: textFilter.openapi({ description: "Name or number" }),
  supplier: textFilter.openapi({
    description: "Words of the supplier's name, of invoices received",
    example: "Papeterie",
  }),
  ...ofKey,
  direction: z.enum(["issued", "received"]).optional(),
  dateFrom: aDay.optional(),
  dateTo: aDay.optional(),
  dueFrom: aDay.optional().openapi({ description: "First day the payment may be due" }),
  dueTo: aDay.optional().openapi({ description: "Last day the payment may be due" }),
  recordedFrom,
  payable: Payable.optional().openapi({
    type: "string",
    enum: ["true", "false"],
    description: PAYABLE,
  }),
  ...sortQuery(INVOICE_SORT, { sortBy: "issueDate" }),
};
const inBothOrders = <S extends z.ZodType>(query: S): S =>
  inOrder(inOrder(query), ["dueFrom", "dueTo"]);
export const InvoiceQuery = inBothOrders(pageQuery().extend(listed));
export const ExportBody = inBothOrders(
  z.object({
    ...listed,
    payable: z.preprocess((it) => typeof it === "boolean" ? String(it) : it, Payable).optional()
      .openapi({ type: ["boolean", "string"], description: PAYABLE }),
    columns: z.array(z.enum(EXPORT_COLUMNS)).min(1).max(EXPORT_COLUMNS.length).optional().openapi({
      description:
        "What the file shows, in this order; amounts bring their currency. Without it all there is",
      example: ["ublNumber", "customerName", "totalTTC", "status"],
    }),
  }).strict(),
).openapi("InvoiceExportRequest");
export const StatsQuery = inOrder(z.object({
  dateFrom: dayOrTime.optional(),
  dateTo: dayOrTime.optional(),
  recordedFrom,
}));
export const FindingQuery = inOrder(
  pageQuery().extend({
    search: textFilter.openapi({
      description: "Words of number, rule or sentence, French or English",
    }),
    level: z.enum(LEVELS).optional(),
    ...ofKey,
    file: textFilter.openapi({ description: "Path or name of the file that was processed" }),
    run: z.uuid().optional().openapi({ description: "Id of the run that found it" }),
    dateFrom: aDay.optional(),
    dateTo: aDay.optional(),
    ...sortQuery(FINDING_SORT, { sortBy: "id" }),
  }),
);

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
  supplierName: z.string(),
  currency: z.string(),
  status: z.string(),
  ...labels,
  direction: z.enum(["issued", "received"]),
  dueDate: z.string(),
}).openapi("InvoiceSummary");
export const InvoiceDetail = z.object({
  invoice: InvoiceSummary.extend({
    id: z.string().openapi({ description: "`<doc>-<dct>-<kco>`", example: "100000-RI-00001" }),
    totalVat: amount,
    processType: z.string(),
    supplierRef: z.string(),
    supplierSiren: z.string(),
    orderRef: z.string(),
    contractRef: z.string(),
    statusAt: z.string().openapi({ description: "When the status became true" }),
    reasonCode: z.string().nullable(),
    template: z.string().nullable(),
    jobNumber: z.string(),
    generation: z.int().openapi({
      description: "Number of the latest sending; 0 before the first",
    }),
    paUuid: z.string().nullable().openapi({
      description: "The PA's flow id of the accepted sending",
    }),
    createdAt: z.string(),
    updatedAt: z.string(),
  }).openapi("InvoiceFields"),
}).openapi("Invoice");

export const InvoiceList = z.object({ invoices: z.array(InvoiceSummary), ...counted }).openapi(
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
    amounts: paidAmounts,
  })),
}).openapi("Lifecycle");

/**
 * Without `pageSize` a page holds as many findings as are told of one document today; of documents judged before
 * there may be more.
 */
export const FindingPage = z.object({
  page: wholeNumber(1, 1_000_000, 1),
  pageSize: wholeNumber(1, 1_000, 1_000),
});
export const Findings = z.object({
  errors: z.array(Finding),
  total: counted.total,
}).openapi("InvoiceFindings");
export const FindingList = z.object({
  errors: z.array(
    z.object({
      doc: z.string(),
      dct: z.string(),
      kco: z.string(),
      seqn: z.int(),
      runId: z.uuid().nullable(),
      createdAt: z.string(),
      ...Finding.shape,
    }),
  ),
  ...counted,
}).openapi("IntegrationErrors");
