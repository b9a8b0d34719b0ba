import { z } from "@hono/zod-openapi";
import {
  REPORTS,
  ROLES,
  TREATMENT_CHOICES,
  TREATMENT_SOURCES,
  TREATMENTS,
} from "#src/domain/treatment/mod.ts";
import { counted } from "#src/http/list.ts";
import { Finding, paidAmounts } from "#src/http/wire.ts";
import { AttentionDetails, AttentionPoint, StatusHandling } from "./attention_schemas.ts";
import { fieldShapes } from "./field_schemas.ts";
import { MAX_PER_STATUS } from "./list_views.ts";

const labels = {
  statusLabel: z.string().openapi({
    description: "Status label in the caller's language",
    example: "Déposée",
  }),
  statusLabelEn: z.string().openapi({
    description: "Status label in English",
    example: "Deposited",
  }),
};

const { dueDate, ...listFields } = fieldShapes("list");
export const InvoiceSummary = z.object({
  ...listFields,
  status: z.string().openapi({ description: "Status code of the invoice", example: "10" }),
  ...labels,
  statusReason: z.string().nullable().openapi({
    description:
      "Reason why the invoice was rejected, refused, disputed, suspended or not sent; null for other statuses",
    example: "Non-compliant VAT rate: 20 % instead of 10 %",
  }),
  statusReasonCode: z.string().nullable().optional().openapi({
    description:
      "Reason code of the national list in `statusReason`; null when the reason is a text only",
    example: "TX_TVA_ERR",
  }),
  direction: z.enum(["issued", "received"]).openapi({
    description: "`issued` for a sale, `received` for a purchase",
    example: "issued",
  }),
  template: z.string().nullable().openapi({
    description: "Document template that processed the invoice",
    example: "R42565",
  }),
  dueDate,
  role: z.enum(ROLES).openapi({ description: "Our role on the invoice" }),
  treatment: z.enum(TREATMENTS).nullable().openapi({
    description: "Tax treatment of the invoice; null before it is decided",
    example: "B2B",
  }),
  attention: z.array(AttentionPoint).openapi({
    description: "Points that require action by a person, most severe first; empty without one",
  }),
  blockedSubmission: z.string().nullable().optional().openapi({
    description:
      "Identifier of the latest submission if it is blocked, because the PA cannot tell whether it has the invoice; only in lists",
    example: null,
  }),
  breaksBindingRule: z.boolean().optional().openapi({
    description:
      "True for a received invoice that breaks a binding rule (a finding of level `FATAL`); only in lists",
    example: false,
  }),
  statusHandling: z.union([StatusHandling, z.null()]).openapi({
    description:
      "Whether a person marked the status of a sale as handled, until its next status (`POST /api/invoices/{id}/attention`, `status`); null for other statuses than rejected by checks, not sent, rejected or refused",
    example: null,
  }),
  settledAmount: z.number().nullable().openapi({
    description: "Amount reported as collected, or as paid to the supplier; null without any",
    example: 200,
  }),
  openAmount: z.number().nullable().openapi({
    description: "Amount left to collect or to pay; negative for a credit note",
    example: 1000,
  }),
}).openapi("InvoiceSummary", { description: "Invoice as shown in lists" });

const Treatment = z.object({
  source: z.enum(TREATMENT_SOURCES).openapi({ description: "Origin of the decision" }),
  processingRule: z.string().nullable().openapi({
    description: "Processing rule declared to the PA (XP Z12-013); null when the PA decides",
    example: "B2B",
  }),
  businessProcess: z.string().openapi({
    description: "Business process of lifecycle messages (MDT-2)",
    example: "REGULATED",
  }),
  reports: z.array(z.enum(REPORTS)).openapi({
    description: "E-reporting flows that follow from the treatment",
  }),
  warnings: z.array(z.string()).openapi({
    description: "Contradictions that do not block the submission",
  }),
  question: z.object({
    reason: z.string().openapi({
      description: "Reason why the invoice waits",
      example: "The country of the buyer is missing",
    }),
    choices: z.array(z.enum(TREATMENT_CHOICES)).openapi({ description: "Suitable treatments" }),
  }).nullable().openapi({
    description: "Choice that a person must make before the submission; null without one",
    example: null,
  }),
  paRule: z.string().nullable().openapi({
    description: "Processing rule under which the PA filed the invoice",
    example: "B2B",
  }),
  paRuleSource: z.string().nullable().openapi({
    description: "`Input` when the sender declared the rule, `Computed` when the PA determined it",
    example: "Input",
  }),
  differsFromPa: z.boolean().openapi({
    description: "True when the PA filed the invoice under another rule",
  }),
}).openapi("InvoiceTreatment", { description: "Origin and consequences of the tax treatment" });
export const RejectionCauses = z.object({
  causes: z.array(
    z.object({
      rule: z.string().openapi({
        description: "Rule of the first blocking finding; the value of the filter `cause`",
        example: "BR-CO-15",
      }),
      message: z.string().openapi({
        description: "Message of one of these invoices",
        example: "The payment due date (BT-9) must not be before the issue date (BT-2).",
      }),
      count: z.int().openapi({ description: "Number of invoices", example: 13 }),
      amounts: z.array(
        z.object({
          currency: z.string().openapi({ description: "Currency, ISO 4217", example: "EUR" }),
          amount: z.string().openapi({
            description: "Sum of the totals with VAT; credit notes are negative",
            example: "1200",
          }),
        }).openapi({ description: "Amount in one currency" }),
      ).openapi({ description: "Amounts of these invoices" }),
    }).openapi({ description: "Cause of rejections" }),
  ).openapi({ description: "Causes, the most frequent first" }),
}).openapi("RejectionCauses", { description: "Causes for which the checks rejected invoices" });
export const InvoiceDetail = z.object({
  invoice: InvoiceSummary.extend({
    id: z.string().openapi({
      description: "Invoice key `<doc>-<dct>-<kco>`",
      example: "100000-RI-00001",
    }),
    ...fieldShapes("detail"),
    statusAt: z.string().openapi({
      description: "Time since which the status applies",
      example: "2026-11-20T09:30:00.000Z",
    }),
    reasonCode: z.string().nullable().openapi({
      description: "Reason code of the national list; null without one",
      example: "PU_ERR",
    }),
    jobNumber: z.string().openapi({ description: "Job number in the ERP", example: "12345" }),
    generation: z.int().openapi({
      description: "Number of the latest submission; 0 before the first",
    }),
    paUuid: z.string().nullable().openapi({
      description: "Flow identifier of the accepted submission at the PA",
      example: "b7a3c7b2-7d6d-4c1e-9c56-2f0d2a1b3c4d",
    }),
    createdAt: z.string().openapi({
      description: "Time of creation",
      example: "2026-11-20T09:30:00.000Z",
    }),
    updatedAt: z.string().openapi({
      description: "Time of the last change",
      example: "2026-11-20T09:30:00.000Z",
    }),
    treatmentDetails: z.union([Treatment, z.null()]).openapi({
      description: "Origin and consequences of the tax treatment",
    }),
    attentionDetails: z.array(AttentionDetails).openapi({
      description: "Points that require action by a person, with what happened and what to do",
    }),
  }).openapi("InvoiceFields", { description: "Invoice with all its fields" }),
}).openapi("Invoice", { description: "Answer with one invoice" });

export const InvoiceList = z.object({
  invoices: z.array(InvoiceSummary).openapi({ description: "Invoices of this page" }),
  ...counted,
}).openapi(
  "InvoiceList",
  { description: "Page of invoices" },
);

export const Totals = z.object({
  totals: z.array(
    z.object({
      currency: z.string().openapi({ description: "Currency, ISO 4217", example: "EUR" }),
      count: z.int().openapi({ description: "Number of invoices", example: 12 }),
      totalTTC: z.string().openapi({
        description: "Sum of the totals with VAT (BT-112); credit notes count negative",
        example: "14400.5",
      }),
      openAmount: z.string().optional().openapi({
        description:
          "Sum of the amounts still to be paid; only with `open=true` or a status of payment",
        example: "9400.5",
      }),
    }).openapi({ description: "Sum of one currency" }),
  ).nullable().openapi({
    description: "Sums by currency; null when the sum took too long",
  }),
  isCapped: z.boolean().openapi({
    description: "True when more invoices match than the sums cover",
    example: false,
  }),
}).openapi("InvoiceTotals", { description: "Sums of the invoices that match a filter" });

/** Number of invoices per status. */
export const Stats = z.object({
  stats: z.array(
    z.object({
      status: z.string().openapi({ description: "Status code", example: "10" }),
      ...labels,
      count: z.int().openapi({
        description: `Number of invoices in this status, at most ${MAX_PER_STATUS}`,
        example: 12,
      }),
      countIsCapped: z.boolean().openapi({
        description: "There are more invoices in this status than `count`",
        example: false,
      }),
    }).openapi({ description: "Number of invoices in one status" }),
  ).openapi({ description: "Statuses with their number of invoices" }),
}).openapi("InvoiceStats", { description: "Number of invoices per status" });

export const Lifecycle = z.object({
  events: z.array(
    z.object({
      sequence: z.int().openapi({ description: "Position, from 1", example: 1 }),
      statusCode: z.string().openapi({ description: "Status code of the event", example: "10" }),
      ...labels,
      message: z.string().openapi({
        description: "Message of the event in the caller's language",
        example: "La facture est déposée",
      }),
      createdAt: z.string().openapi({
        description: "Time of the event, `YYYY-MM-DDThh:mm:ss` in UTC",
        example: "2026-11-20T09:30:00",
      }),
      reasonCode: z.string().nullable().openapi({
        description: "Reason code of the national list; null without one",
        example: "PU_ERR",
      }),
      actionCode: z.string().nullable().openapi({
        description:
          "Action code of the national list that the other party must take; null without one",
        example: "NIN",
      }),
      source: z.string().openapi({
        description: "Origin of the event: the product, the PA or a person",
        example: "PA",
      }),
      amounts: paidAmounts.openapi({
        description: "Amounts collected by VAT rate, for a payment received (status 212)",
      }),
    }).openapi({ description: "Status event of an invoice" }),
  ).openapi({ description: "Events of the invoice, oldest first" }),
}).openapi("Lifecycle", { description: "History of an invoice" });

export const Findings = z.object({
  errors: z.array(Finding).openapi({ description: "Findings of this page" }),
  total: counted.total.openapi({ description: "Number of findings on all pages", example: 1 }),
}).openapi("InvoiceFindings", { description: "Page of findings of an invoice" });
export const FindingList = z.object({
  errors: z.array(
    z.object({
      doc: z.string().openapi({ description: "Document number in the ERP", example: "100000" }),
      dct: z.string().openapi({ description: "Document type in the ERP", example: "RI" }),
      kco: z.string().openapi({ description: "Company code in the ERP", example: "00001" }),
      seqn: z.int().openapi({
        description: "Number of the finding in its invoice",
        example: 1,
      }),
      runId: z.uuid().nullable().openapi({
        description: "Identifier of the run that produced the finding",
        example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
      }),
      createdAt: z.string().openapi({
        description: "Time of creation",
        example: "2026-11-20T09:30:00.000Z",
      }),
      ...Finding.shape,
    }).openapi({ description: "Finding with its invoice and run" }),
  ).openapi({ description: "Findings of this page" }),
  ...counted,
}).openapi("IntegrationErrors", { description: "Page of findings of all documents" });
