import { z } from "@hono/zod-openapi";
import { Checklist } from "#src/gateway/first_steps/mod.ts";
import { CONNECTION_KINDS } from "#src/platform/connection_states/mod.ts";
import { EMAIL_DAYS, MAX_WAITING, WAITING_KINDS } from "./waiting_views.ts";

const amounts = z.array(
  z.object({
    currency: z.string().openapi({ description: "Currency, ISO 4217", example: "EUR" }),
    amount: z.string().openapi({
      description: "Total with VAT, as a decimal number; credit notes are subtracted",
      example: "1200.00",
    }),
  }).openapi("HomeAmount", { description: "Amount in one currency" }),
).openapi({ description: "Amounts by currency, EUR first" });

const Waiting = z.object({
  kind: z.enum(WAITING_KINDS).openapi({
    description:
      `Kind of work. \`connection-failed\`: connections whose last test or use failed, \`email-given-up\`: e-mails of the last ${EMAIL_DAYS} days that were given up`,
    example: "disputed",
  }),
  count: z.int().openapi({
    description: `Number of records, at most ${MAX_WAITING}`,
    example: 3,
  }),
  countIsCapped: z.boolean().openapi({
    description: "There are more records than `count`",
    example: false,
  }),
  amounts,
  oldest: z.string().nullable().openapi({
    description: "Day of the oldest record in Paris, for overdue invoices their due date",
    example: "2026-11-02",
  }),
  connections: z.array(
    z.object({
      kind: z.enum(CONNECTION_KINDS).openapi({ description: "Outside system", example: "mail" }),
      name: z.string().openapi({
        description: "Name of the pool; empty for systems with one connection",
        example: "",
      }),
    }).openapi({ description: "Outside system and its connection" }),
  ).optional().openapi({
    description: "Failing connections, as `GET /api/connections` lists them; absent for other work",
  }),
}).openapi("WaitingWork", { description: "Work of one kind that waits for a person" });

const today = z.string().openapi({ description: "Current day in Paris", example: "2026-11-20" });

export const Home = z.object({
  today,
  waiting: z.array(Waiting).openapi({
    description: "Kinds of work that wait for a person, the most urgent first",
  }),
  sales: z.object({
    count: z.int().openapi({
      description: `Number of sales, at most ${MAX_WAITING}`,
      example: 24,
    }),
    countIsCapped: z.boolean().openapi({
      description: "There are more sales than `count`",
      example: false,
    }),
  }).openapi({
    description:
      "Sales with a point or a status that waits for a person, each counted once, as `GET /api/invoices?direction=issued&attention=waiting` lists them",
  }),
  unread: z.int().openapi({ description: "Number of unread portal messages", example: 2 }),
  withSamples: z.boolean().openapi({
    description: "True while sample invoices are loaded, which all figures include",
    example: false,
  }),
}).openapi("Home", { description: "Work that waits for the caller" });

const Figure = z.object({
  invoices: z.int().openapi({ description: "Number of invoices", example: 12 }),
  amounts,
});
const Month = z.object({
  from: z.string().openapi({ description: "First day, `YYYY-MM-DD`", example: "2026-11-01" }),
  to: z.string().openapi({ description: "Last day, `YYYY-MM-DD`", example: "2026-11-30" }),
  issued: Figure.openapi({ description: "Sales by issue date that count in figures" }),
  firstTimeRate: z.number().nullable().openapi({
    description: "Percent of the invoices that the PA accepted at the first submission",
    example: 97.5,
  }),
  firstTime: z.object({
    accepted: z.int().openapi({ description: "Accepted at the first submission", example: 39 }),
    submitted: z.int().openapi({ description: "Submitted, with an answer of the PA", example: 40 }),
  }).openapi({ description: "Numbers of invoices behind `firstTimeRate`" }),
  disputed: Figure.openapi({
    description:
      "Issued invoices that are in dispute now, of any month; for the month before, those issued until its end",
  }),
  toCollect: Figure.openapi({ description: "Open sales that are due in the month" }),
  late: Figure.openapi({
    description: "Open sales that are overdue today; for the month before, at its end",
  }),
});

export const Figures = z.object({
  today,
  month: Month.openapi({ description: "Current month" }),
  before: Month.openapi({ description: "Month before" }),
  /** Absent without `setup:write`. */
  firstSteps: Checklist.optional(),
}).openapi("HomeFigures", { description: "Figures of the current month" });
