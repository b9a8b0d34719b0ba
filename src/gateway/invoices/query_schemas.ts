import { say } from "#src/kernel/i18n/sentence.ts";
import { words } from "#src/kernel/i18n/schema.ts";
import { z } from "@hono/zod-openapi";
import { storedCode } from "#src/domain/invoice/status.ts";
import { PAID_SHARES } from "#src/domain/invoice/paid_label.ts";
import { ROLES, TREATMENTS } from "#src/domain/treatment/mod.ts";
import { LEVELS } from "#src/domain/validation/finding.ts";
import { acceptSeveral, inOrder, pageQuery, sortQuery, textFilter } from "#src/http/list.ts";
import { day, InvoicePath, moment, wholeNumber } from "#src/http/wire.ts";
import { ATTENTION_FILTERS } from "./attention_views.ts";
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
  kco: textFilter.openapi({ description: "Company code in the ERP", example: "00001" }),
  dct: textFilter.openapi({ description: "Document type in the ERP", example: "RI" }),
};
const recordedFrom = moment().optional().openapi({
  description: "Only invoices recorded at this time or later, whatever their issue date",
  example: "2026-11-25T00:00:00+01:00",
});
const YesNo = z.enum(["true", "false"]).transform((it) => it === "true");
const YES_NO = { type: "string" as const, enum: ["true", "false"] };
const YesNoInBody = z.preprocess((it) => typeof it === "boolean" ? String(it) : it, YesNo)
  .optional();
const YES_NO_IN_BODY = { type: ["boolean", "string"] as ["boolean", "string"] };
const PAYABLE = "`true`: neither credit notes nor invoices of which nothing is to be paid";
const COUNTED =
  "`true`: invoices that count in figures; `false`: not sent, rejected, refused or cancelled";
const OPEN = "`true`: invoices and credit notes of which an amount is not paid or collected yet";
const UNANSWERED =
  "`true`: received invoices that wait for our answer; purchases that accept no answer do not";
const FIRST_ACCEPTED =
  "`true`: sales that the PA accepted at the first submission; `false`: sales with another outcome, or submitted again";
/** VAT category (BT-118) and rate, such as `S-20`. */
const vatChoice = z.string().regex(
  /^[A-Z]{0,3}-\d{1,3}(\.\d{1,6})?$/,
  words(say`a VAT category and a rate are expected, as in S-20`),
).transform((it) => {
  const [category = "", rate = "0"] = it.split("-");
  return { category, rate };
});
const listed = {
  search: textFilter.openapi({
    description:
      "Words of number, parties, order and contract numbers and of the items of lines, `*` after the beginning of one; or an amount, which finds equal totals with VAT (without cents, those with any cents)",
    example: "7 211,99",
  }),
  // A PA may use its own codes. A name such as `deposited` would silently match nothing, so a digit is required.
  status: acceptSeveral(
    z.string().max(20).regex(
      RegExp(`\\d|^(?:${PAID_SHARES.join("|")})$`),
      words(say`the code of a status is expected, as /api/catalogues/statuses lists them`),
    ).transform(storedCode),
  ).openapi({
    type: "string",
    description:
      "Status codes, separated by commas. The national code 200 is stored as 10; both are accepted. `paid-in-full` and `paid-in-part` select sales in 212, and purchases in 211 or 212, without or with an open amount",
    example: "9904,9907",
  }),
  ublNumber: textFilter.openapi({
    description: "Number of the invoice (BT-1)",
    example: "100000-RI-00001",
  }),
  customer: textFilter.openapi({
    description: "Words of the buyer's name or number",
    example: "Imprimerie Vallée",
  }),
  supplier: textFilter.openapi({
    description: "Words of the supplier's name, for received invoices",
    example: "Papeterie",
  }),
  ...ofKey,
  direction: z.enum(["issued", "received"]).optional().openapi({
    description: "`issued` for sales, `received` for purchases",
    example: "issued",
  }),
  dateFrom: aDay.optional().openapi({
    description: "First issue date, `YYYY-MM-DD`",
    example: "2026-11-01",
  }),
  dateTo: aDay.optional().openapi({
    description: "Last issue date, `YYYY-MM-DD`",
    example: "2026-11-30",
  }),
  dueFrom: aDay.optional().openapi({
    description: "First due date, `YYYY-MM-DD`",
    example: "2026-12-01",
  }),
  dueTo: aDay.optional().openapi({
    description: "Last due date, `YYYY-MM-DD`",
    example: "2026-12-31",
  }),
  recordedFrom,
  role: z.enum(ROLES).optional().openapi({
    description: "Our role: `seller` for sales, `buyer` for purchases; reversed for self-billing",
  }),
  treatment: acceptSeveral(z.enum(TREATMENTS)).openapi({
    type: "string",
    description: `One or several of ${TREATMENTS.join(", ")}; UNDECIDED waits for a person`,
    example: "UNDECIDED",
  }),
  attention: acceptSeveral(z.enum(ATTENTION_FILTERS)).openapi({
    type: "string",
    description: `Points that wait for a person, one or several of ${
      ATTENTION_FILTERS.join(", ")
    }. \`status\` selects sales whose status waits for a person, \`waiting\` those and all invoices with a point`,
    example: "any",
  }),
  payable: YesNo.optional().openapi({ ...YES_NO, description: PAYABLE }),
  counted: YesNo.optional().openapi({ ...YES_NO, description: COUNTED }),
  open: YesNo.optional().openapi({ ...YES_NO, description: OPEN }),
  unanswered: YesNo.optional().openapi({ ...YES_NO, description: UNANSWERED }),
  firstAccepted: YesNo.optional().openapi({ ...YES_NO, description: FIRST_ACCEPTED }),
  currency: z.string().max(3).optional().openapi({
    description: "Currency of the invoice, ISO 4217",
    example: "EUR",
  }),
  cause: z.string().max(100).optional().openapi({
    description:
      "Rule for which the checks rejected the invoice; its first blocking finding counts",
    example: "BR-CO-15",
  }),
  vat: vatChoice.optional().openapi({
    type: "string",
    description: "Category and rate of VAT that the invoice contains, `<category>-<rate>`",
    example: "S-20",
  }),
  ...sortQuery(INVOICE_SORT, {
    sortBy: "issueDate",
    // Each status has one label, so the labels are grouped as the codes are.
    aliases: { statusLabel: "status", statusLabelEn: "status" },
  }),
};
const inBothOrders = <S extends z.ZodType>(query: S): S =>
  inOrder(inOrder(query), ["dueFrom", "dueTo"]);
export const InvoiceQuery = inBothOrders(pageQuery().extend(listed));
const { sortBy: _sortBy, sortDir: _sortDir, ...filters } = listed;
/** Filters of the list, without its order and pages. */
export const TotalsQuery = inBothOrders(z.object(filters));
export const ExportBody = inBothOrders(
  z.object({
    ...listed,
    payable: YesNoInBody.openapi({ ...YES_NO_IN_BODY, description: PAYABLE }),
    counted: YesNoInBody.openapi({ ...YES_NO_IN_BODY, description: COUNTED }),
    open: YesNoInBody.openapi({ ...YES_NO_IN_BODY, description: OPEN }),
    unanswered: YesNoInBody.openapi({ ...YES_NO_IN_BODY, description: UNANSWERED }),
    firstAccepted: YesNoInBody.openapi({ ...YES_NO_IN_BODY, description: FIRST_ACCEPTED }),
    columns: z.array(z.enum(EXPORT_COLUMNS)).min(1).max(EXPORT_COLUMNS.length).optional().openapi({
      description:
        "Columns of the file, in this order. Amounts are followed by their currency. Default: all columns",
      example: ["ublNumber", "customerName", "totalTTC", "status"],
    }),
  }).strict(),
).openapi("InvoiceExportRequest", {
  description: "Filters, order and columns of the exported list",
});
export const StatsQuery = inOrder(z.object({
  dateFrom: dayOrTime.optional().openapi({
    description: "First issue date, `YYYY-MM-DD`",
    example: "2026-11-01",
  }),
  dateTo: dayOrTime.optional().openapi({
    description: "Last issue date, `YYYY-MM-DD`",
    example: "2026-11-30",
  }),
  recordedFrom,
}));
export const FindingQuery = inOrder(
  pageQuery().extend({
    search: textFilter.openapi({
      description: "Words of the invoice number, the rule or the message, in French or English",
      example: "BR-CO-15",
    }),
    level: z.enum(LEVELS).optional().openapi({
      description: "Only findings of this severity",
      example: "FATAL",
    }),
    ...ofKey,
    file: textFilter.openapi({
      description: "Path or name of the processed file",
      example: "in/R42565.xml",
    }),
    run: z.uuid().optional().openapi({
      description: "Identifier of the run that produced the findings",
      example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
    }),
    dateFrom: aDay.optional().openapi({
      description: "First issue date, `YYYY-MM-DD`",
      example: "2026-11-01",
    }),
    dateTo: aDay.optional().openapi({
      description: "Last issue date, `YYYY-MM-DD`",
      example: "2026-11-30",
    }),
    ...sortQuery(FINDING_SORT, { sortBy: "id" }),
  }),
);
/**
 * Page of the findings of one invoice. The default `pageSize` is the most findings that a validation reports. Older
 * invoices may have more.
 */
export const FindingPage = z.object({
  page: wholeNumber(1, 1_000_000, 1).openapi({ description: "Page number, from 1", example: 1 }),
  pageSize: wholeNumber(1, 1_000, 1_000).openapi({
    description: "Number of entries per page",
    example: 50,
  }),
});
export const AttachmentPath = InvoicePath.extend({
  position: wholeNumber(1, 100_000, 1).openapi({
    description: "Position of the attachment in the document, from 1",
    example: 1,
  }),
});
