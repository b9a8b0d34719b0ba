import { z } from "@hono/zod-openapi";
import { AGES } from "#src/domain/finance/mod.ts";
import { ROLES, TREATMENTS } from "#src/domain/treatment/mod.ts";
import { FROM_TO, inOrder } from "#src/http/list.ts";
import { day } from "#src/http/wire.ts";

export const PeriodQuery = inOrder(
  z.object({
    from: day().openapi({ description: "First issue date, `YYYY-MM-DD`", example: "2026-10-01" }),
    to: day().openapi({ description: "Last issue date, `YYYY-MM-DD`", example: "2026-10-31" }),
  }),
  FROM_TO,
);

const amount = (description: string) =>
  z.string().openapi({ description: `${description}, as a decimal number`, example: "1200.00" });
const count = (description: string) => z.int().openapi({ description, example: 12 });
const aDay = (description: string) =>
  z.string().openapi({ description: `${description}, \`YYYY-MM-DD\``, example: "2026-10-31" });
const currency = z.string().openapi({ description: "Currency, ISO 4217", example: "EUR" });
const treatment = z.enum(TREATMENTS).openapi({ description: "Tax treatment", example: "B2B" });
const isInTotal = z.boolean().openapi({
  description: "False when the VAT is shown apart: it is not part of the French declaration",
});
const period = { from: aDay("First day"), to: aDay("Last day") };
const computedAt = z.string().openapi({
  description: "Time of the computation; figures are never cached",
  example: "2026-11-20T09:30:00.000Z",
});

const VatLine = z.object({
  treatment,
  isInTotal,
  category: z.string().openapi({ description: "VAT category (BT-118)", example: "S" }),
  rate: z.string().openapi({ description: "VAT rate in percent", example: "20" }),
  invoices: count("Number of invoices with this VAT"),
  base: amount("Taxable amount in EUR"),
  vat: amount("VAT in EUR"),
  vatOnReceipt: amount("Part of the VAT that becomes due with the payment"),
}).openapi("VatLine", { description: "VAT of one treatment, category and rate" });
const ForeignLine = z.object({
  currency,
  treatment,
  isInTotal,
  invoices: count("Number of invoices"),
  base: amount("Total without VAT in this currency"),
  vat: amount("VAT in this currency, in no total"),
  statedInvoices: count("Number of invoices that state their VAT in EUR (BT-111)"),
  statedVat: amount("VAT in EUR that these invoices state"),
}).openapi("VatForeignLine", { description: "Invoices in one other currency" });
const VatSide = z.object({
  base: amount("Taxable amounts in EUR of the lines in the total"),
  vat: amount("VAT in EUR of the lines in the total, and stated by invoices in other currencies"),
  vatOnReceipt: amount("Part of the lines in the total that becomes due with the payment"),
  lines: z.array(VatLine).openapi({ description: "VAT by treatment, category and rate" }),
  foreign: z.array(ForeignLine).openapi({ description: "Invoices in other currencies" }),
}).openapi("VatSide", { description: "VAT of sales or of purchases; credit notes are subtracted" });
const sides = {
  sales: VatSide,
  purchases: VatSide,
  balance: amount("VAT collected less VAT deductible"),
};
const Month = z.object({
  month: z.string().openapi({ description: "Month, `YYYY-MM`", example: "2026-10" }),
  ...sides,
}).openapi("VatMonth", { description: "VAT of one month" });
const Before = z.object({
  ...period,
  collected: amount("VAT collected"),
  deductible: amount("VAT deductible"),
  balance: amount("VAT collected less VAT deductible"),
}).openapi("VatBefore", { description: "Totals of the period before" });
const Uncounted = z.object({
  role: z.enum(ROLES).openapi({ description: "`seller` for sales, `buyer` for purchases" }),
  status: z.string().openapi({ description: "Status code", example: "213" }),
  statusLabel: z.string().openapi({ description: "Status label", example: "Rejetée" }),
  statusLabelEn: z.string().openapi({
    description: "Status label in English",
    example: "Rejected",
  }),
  currency,
  invoices: count("Number of invoices"),
  base: amount("Total without VAT"),
  vat: amount("VAT"),
}).openapi("VatUncounted", { description: "Invoices of one status that do not count" });

export const VatReport = z.object({
  ...period,
  computedAt,
  currency: z.string().openapi({ description: "Currency of all totals", example: "EUR" }),
  ...sides,
  months: z.array(Month).openapi({ description: "Figures of each month with invoices" }),
  before: Before.openapi({ description: "Totals of the period before" }),
  uncounted: z.array(Uncounted).openapi({
    description: "Invoices of the period that do not count: not sent, rejected, refused, cancelled",
  }),
}).openapi("VatReport", { description: "VAT of a period" });

const Age = z.object({
  age: z.enum(AGES).openapi({ description: "Days after the due date", example: "1-30" }),
  invoices: count("Number of invoices"),
  amount: amount("Open amount"),
  dueFrom: aDay("First due date of the class").nullable(),
  dueTo: aDay("Last due date of the class").nullable(),
}).openapi("AgeClass", { description: "Open amounts of one age" });
const Balance = z.object({
  currency,
  invoices: count("Number of invoices"),
  total: amount("Open amount"),
  overdue: amount("Open amount after its due date"),
  ages: z.array(Age).openapi({ description: "Open amounts by age" }),
}).openapi("AgedBalance", { description: "Open amounts in one currency" });
const Debtor = z.object({
  reference: z.string().openapi({ description: "Number of the customer", example: "702042755" }),
  name: z.string().openapi({ description: "Name of the customer", example: "Imprimerie Vallée" }),
  invoices: count("Number of invoices"),
  amount: amount("Open amount in EUR"),
  oldestDue: aDay("Oldest due date").nullable(),
}).openapi("Debtor", { description: "Customer with an open amount" });
const percent = (description: string) =>
  z.number().nullable().openapi({ description, example: 97.5 });
const Dso = z.object({
  days: z.number().nullable().openapi({
    description:
      "Open sales ÷ sales × days; null without sales, and where credit notes exceed the open sales",
    example: 42.5,
  }),
  receivables: amount("Open sales in EUR"),
  sales: amount("Sales with VAT of these days in EUR"),
  periodDays: count("Number of days"),
  ...period,
}).openapi("DaysSalesOutstanding", { description: "Days sales outstanding, and its formula" });
const Acceptance = z.object({
  submitted: count("Number of invoices whose first submission has an outcome"),
  accepted: count("Number of them that the PA accepted at the first submission"),
  rate: percent("Share in percent; null without any"),
  before: percent("Share of the period before"),
}).openapi("FirstAcceptance", { description: "First-time acceptance of issued invoices" });
const Deposits = z.object({
  deposited: count("Number of deposited invoices"),
  late: count("Number deposited later than the day after the invoice date"),
  waiting: count("Number of invoices that are not deposited"),
  oldest: aDay("Oldest issue date of those").nullable(),
}).openapi("Deposits", { description: "Deposits of the invoices issued in the period" });
const Unanswered = z.object({
  currency,
  invoices: count("Number of invoices"),
  overdue: count("Number of invoices after their due date"),
  amount: amount("Total with VAT"),
  oldest: aDay("Day since when the oldest waits: its receipt, in Paris").nullable(),
}).openapi("Unanswered", { description: "Received invoices without an answer" });

export const FinanceOverview = z.object({
  ...period,
  computedAt,
  today: aDay("Day of the open amounts, in Paris"),
  receivables: z.array(Balance).openapi({ description: "Sales to collect, by currency" }),
  payables: z.array(Balance).openapi({ description: "Purchases to pay, by currency" }),
  dso: Dso,
  debtors: z.array(Debtor).openapi({ description: "Customers with the largest open amounts" }),
  acceptance: Acceptance,
  deposits: Deposits,
  unanswered: z.array(Unanswered).openapi({
    description: "Received invoices without an answer, by currency",
  }),
}).openapi("FinanceOverview", { description: "Open amounts, deposits and answers" });
