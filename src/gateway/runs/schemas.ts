import { z } from "@hono/zod-openapi";
import { ITEM_STATES, RUN_MODES, RUN_STATES } from "#src/domain/processing/run.ts";
import {
  acceptSeveral,
  counted,
  inOrder,
  oneOrSeveral,
  pageQuery,
  sortQuery,
  textFilter,
} from "#src/http/list.ts";
import { day, LogEntry } from "#src/http/wire.ts";
import { RUN_SORT } from "./list_views.ts";

export const RunPath = z.object({
  runId: z.uuid().openapi({
    description: "Identifier of the run",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
});
export const RunPage = pageQuery({ pageSize: 500 }).omit({ after: true }).extend({
  outcome: acceptSeveral(z.enum(ITEM_STATES)).openapi({
    ...oneOrSeveral(ITEM_STATES),
    description: "Only invoices with one of these outcomes",
    example: ["rejected", "failed"],
  }),
  onlyFailed: z.enum(["true", "false"]).default("false").transform((it) => it === "true").openapi({
    type: "string",
    enum: ["true", "false"],
    default: "false",
    description:
      "`true` lists only invoices that failed and were not corrected since, with unchanged ones that failed before",
  }),
  failedFirst: z.enum(["true", "false"]).default("false").transform((it) => it === "true").openapi({
    type: "string",
    enum: ["true", "false"],
    default: "false",
    description:
      "`true` lists failed invoices first, with unchanged ones that failed before, then corrected ones; otherwise the order of the file",
  }),
});

const aDay = day().openapi({ example: "2026-11-20" });
export const RunQuery = inOrder(
  pageQuery().extend({
    state: acceptSeveral(z.enum(RUN_STATES)).openapi({
      ...oneOrSeveral(RUN_STATES),
      description: "Only runs in one of these states",
      example: ["splitting", "processing"],
    }),
    template: textFilter.openapi({
      description: "Only runs of this document template",
      example: "R42565",
    }),
    file: textFilter.openapi({
      description: "Only runs of files whose name contains this text, in capitals or not",
      example: "R42565",
    }),
    user: textFilter.openapi({
      description: "Only runs that this user started; `schedule of <template>` for a schedule",
      example: "mdurand",
    }),
    preview: z.enum(["true", "false"]).optional().transform((it) =>
      it === undefined ? undefined : it === "true"
    ).openapi({
      type: "string",
      enum: ["true", "false"],
      description: "`true` lists only previews, `false` only runs that are no previews",
      example: "false",
    }),
    failed: z.enum(["true", "false"]).default("false").transform((it) => it === "true").openapi({
      type: "string",
      enum: ["true", "false"],
      default: "false",
      description:
        "`true` lists only runs that failed or were stopped, with an incomplete file, or with an invoice that failed, also before, and was not corrected. It leaves out stopped runs that a later run resumed, because that one has their failures",
    }),
    dateFrom: aDay.optional().openapi({
      description: "Only runs started on this day or later (UTC)",
    }),
    dateTo: aDay.optional().openapi({
      description: "Only runs started on this day or earlier (UTC)",
    }),
    ...sortQuery(RUN_SORT, { sortBy: "createdAt" }),
  }),
);

const invoicesThat = (outcome: string) =>
  z.int().optional().openapi({ description: `Number of invoices ${outcome}`, example: 1 });

/** Numbers of invoices of a run by outcome. */
export const RunCounts = z.object(
  {
    pending: invoicesThat("in progress"),
    recorded: invoicesThat("recorded, waiting for their submission"),
    submitted: invoicesThat("accepted by the PA"),
    retrying: invoicesThat("whose submission is retried"),
    blocked: invoicesThat("whose submission is blocked: the PA cannot tell whether it has it"),
    send_failed: invoicesThat("whose submission failed"),
    undecided: invoicesThat("that wait for the choice of a tax treatment"),
    rejected: invoicesThat("rejected by the checks, or by the transformation"),
    stored: invoicesThat("recorded without a submission"),
    validated: invoicesThat("validated without being recorded"),
    unchanged: invoicesThat("recorded already with the same content: nothing to do"),
    new: invoicesThat("that a run would record (preview)"),
    replaced: invoicesThat("that replaced an earlier version"),
    conflict: invoicesThat(
      "recorded already with other content, and not replaced: a person must compare both",
    ),
    failed: invoicesThat("that could not be processed, and are not recorded by this run"),
    aborted: invoicesThat("that the run never started because it was stopped"),
  } satisfies Record<(typeof ITEM_STATES)[number], z.ZodType>,
);

const summary = {
  success: z.boolean().nullable().openapi({
    description: "True when every invoice succeeded; null while the run is in progress",
  }),
  error: z.string().optional().openapi({
    description: "Reason why the run failed",
    example: "The file is not valid XML",
  }),
  incomplete: z.boolean().openapi({
    description: "True when the file could not be read to its end; `error` gives the reason",
    example: false,
  }),
  runId: z.uuid().openapi({
    description: "Identifier of the run",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
  state: z.enum(RUN_STATES).openapi({ description: "State of the run", example: "finished" }),
  template: z.string().nullable().openapi({
    description: "Document template that processed the file",
    example: "R42565",
  }),
  file: z.string().openapi({
    description: "Processed file: a path in the data folder",
    example: "in/R42565.xml",
  }),
  mode: z.enum(RUN_MODES).openapi({
    description:
      "Processing mode. `SINGLE` and `BURST` transform an ERP file, `UBL` takes invoices as they are, `UBL_VALIDATE` only validates",
    example: "BURST",
  }),
  preview: z.boolean().openapi({
    description: "True for a preview, which records and sends nothing",
  }),
  replaceMode: z.boolean().openapi({
    description: "True if the run replaces recorded invoices that the PA does not hold",
  }),
  startedBy: z.string().nullable().openapi({
    description: "User who started the run; `schedule of <template>` for a schedule",
    example: "mdurand",
  }),
  jobNumber: z.string().openapi({ description: "Job number in the ERP", example: "12345" }),
  total: z.int().openapi({ description: "Number of invoices in the file", example: 12 }),
  counts: RunCounts.openapi({ description: "Number of invoices per outcome" }),
  unchangedFailed: z.int().openapi({
    description:
      "Number of the unchanged invoices that failed before: a status of failure, or a blocked submission",
    example: 0,
  }),
  corrected: RunCounts.openapi({
    description: "Number of failed invoices per outcome that no longer fail; empty in previews",
  }),
  laterRun: z.uuid().nullable().openapi({
    description:
      "Last run that recorded the same file after this run was stopped or showed its preview; null without one",
    example: null,
  }),
  createdAt: z.string().openapi({
    description: "Time of creation",
    example: "2026-11-20T09:30:00.000Z",
  }),
  finishedAt: z.string().nullable().openapi({
    description: "Time of the end; null before it",
    example: "2026-11-20T09:30:12.000Z",
  }),
};

const RunSummary = z.object(summary).openapi("RunSummary", {
  description: "Run without its invoices and log",
});
export const RunList = z.object({
  runs: z.array(RunSummary).openapi({ description: "Runs of this page" }),
  ...counted,
}).openapi("RunList", { description: "Page of runs" });

/** Amounts of the invoices of a preview by outcome and currency. */
export const Sums = z.array(
  z.object({
    outcome: z.enum(ITEM_STATES).openapi({ description: "Outcome of the invoices" }),
    currency: z.string().openapi({ description: "Currency, ISO 4217", example: "EUR" }),
    amount: z.number().openapi({
      description: "Sum of the totals with VAT; credit notes are negative",
      example: 1200,
    }),
    count: z.int().openapi({ description: "Number of invoices", example: 1 }),
  }).openapi({ description: "Amount of the invoices with one outcome and currency" }),
).openapi({ description: "Amounts of a preview, by outcome and currency" });

/** An invoice of a run with its outcome. */
export const RunItem = z.object({
  index: z.int().openapi({ description: "Position in the file, from 0", example: 0 }),
  line: z.int().openapi({
    description: "Line of the ERP file where the invoice starts",
    example: 120,
  }),
  state: z.enum(ITEM_STATES).openapi({
    description: "Outcome of the invoice",
    example: "submitted",
  }),
  id: z.string().nullable().openapi({
    description: "Invoice key `<doc>-<dct>-<kco>`; null while it is unknown",
    example: "100000-RI-00001",
  }),
  number: z.string().nullable().openapi({
    description:
      "Number of the recorded invoice (BT-1), in a preview that of the file; null if neither is known",
    example: "FA-2026-0001",
  }),
  customer: z.string().nullable().openapi({
    description:
      "Customer of the recorded invoice, in a preview that of the file; null if neither is known",
    example: "Ateliers Morvan",
  }),
  status: z.string().nullable().openapi({
    description: "Status code of the invoice",
    example: "10",
  }),
  blocked: z.boolean().openapi({
    description: "True if the last submission of the invoice is blocked",
    example: false,
  }),
  corrected: z.boolean().openapi({
    description: "True if the invoice failed in this run and no longer fails",
    example: false,
  }),
  statusLabel: z.string().nullable().openapi({
    description: "Status label in the caller's language",
    example: "Déposée",
  }),
  message: z.string().nullable().openapi({
    description: "Message in the caller's language",
    example: "La facture est déposée",
  }),
  amount: z.number().nullable().openapi({
    description: "Total with VAT; negative for a credit note, null while it is unknown",
    example: 1200,
  }),
  currency: z.string().nullable().openapi({
    description: "Currency, ISO 4217",
    example: "EUR",
  }),
}).openapi({ description: "Invoice of a run with its outcome" });

export const Run = z.object({
  ...summary,
  sums: Sums.optional(),
  invoices: z.array(RunItem).openapi({ description: "Invoices of the page with their outcomes" }),
  logs: z.array(LogEntry).openapi({ description: "Log entries, oldest first" }),
}).openapi("Run", { description: "Run with its invoices and log" });

/** Failed invoices of a run that have the same cause. Corrected ones are left out. */
const Cause = z.object({
  outcome: z.enum(ITEM_STATES).openapi({
    description:
      "Outcome of the invoices; of unchanged ones the outcome before, or `unchanged` after another failure",
    example: "rejected",
  }),
  source: z.string().nullable().openapi({
    description: "Rule set of the finding; null if the invoice failed without a finding",
    example: "en16931-ubl",
  }),
  rule: z.string().nullable().openapi({
    description: "Rule of the finding; null if the invoice failed without a finding",
    example: "BR-CO-15",
  }),
  message: z.string().nullable().openapi({
    description: "Cause of the first of these invoices",
    example: "The payment due date (BT-9) must not be before the issue date (BT-2).",
  }),
  field: z.string().nullable().openapi({
    description: "Element of the ERP file that holds the wrong value, as far as it is known",
    example: "Sold_To_S13/Country_ID45",
  }),
  count: z.int().openapi({
    description: "Number of invoices that failed for this cause",
    example: 13,
  }),
  amounts: z.array(
    z.object({
      currency: z.string().openapi({ description: "Currency, ISO 4217", example: "EUR" }),
      amount: z.string().openapi({
        description: "Sum of the totals with VAT; credit notes are negative",
        example: "1200",
      }),
    }).openapi({ description: "Amount in one currency" }),
  ).openapi({
    description: "Amounts of those of these invoices that are recorded, in a preview of all",
  }),
  invoices: z.array(
    z.object({
      index: z.int().openapi({ description: "Position in the file, from 0", example: 4 }),
      line: z.int().openapi({ description: "Line of the file where it begins", example: 120 }),
      id: z.string().nullable().openapi({
        description: "`<doc>-<dct>-<kco>`; null if the file gives no key",
        example: "100000-RI-00001",
      }),
      number: z.string().nullable().openapi({
        description:
          "Number of the recorded invoice (BT-1), in a preview that of the file; null if neither is known",
        example: "FA-2026-0001",
      }),
      stored: z.boolean().openapi({
        description: "True if the invoice can be read by its id",
        example: true,
      }),
    }).openapi({ description: "Failed invoice" }),
  ).openapi({ description: "The first 20 of them, in the order of the file" }),
}).openapi({ description: "Cause with its invoices" });
export const RunCauses = z.object({
  causes: z.array(Cause).openapi({ description: "Causes, the most frequent first" }),
}).openapi("RunCauses", { description: "Causes of the failed invoices of a run" });
