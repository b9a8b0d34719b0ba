import { createIssue } from "#src/kernel/i18n/schema.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { z } from "@hono/zod-openapi";
import { PA_STATUS_NAMES } from "#src/domain/invoice/status.ts";
import { SUBMISSION_STATES } from "#src/domain/submission/state.ts";
import { TREATMENT_CHOICES } from "#src/domain/treatment/mod.ts";
import { counted, pageQuery } from "#src/http/list.ts";
import { InvoicePath } from "#src/http/wire.ts";
import { MAX_ID_LENGTH } from "#src/ports/pa.ts";

export const SubmissionPath = z.object({
  id: z.uuid().openapi({
    description: "Identifier of the submission",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
});

export const SubmissionQuery = pageQuery().extend({
  state: z.enum([...SUBMISSION_STATES, "open", "stuck"]).optional().openapi({
    description: "State, `open` (a worker continues) or `stuck` (requires a replay)",
  }),
  invoice: InvoicePath.shape.id.optional().openapi({
    description: "Invoice key `<doc>-<dct>-<kco>`",
    example: "100000-RI-00001",
  }),
});

const shape = {
  id: z.uuid().openapi({ description: "Tracking identifier at the PA" }),
  invoice: z.string().openapi({
    description: "Invoice key `<doc>-<dct>-<kco>`",
    example: "100000-RI-00001",
  }),
  ublNumber: z.string().nullable().openapi({
    description: "Number of the invoice (BT-1)",
    example: "100000-RI-00001",
  }),
  customer: z.string().nullable().openapi({
    description: "Name of the customer",
    example: "Ateliers Morvan",
  }),
  amount: z.string().nullable().openapi({
    description: "Total with VAT; negative for a credit note",
    example: "1200.00",
  }),
  currency: z.string().nullable().openapi({ description: "Currency, ISO 4217", example: "EUR" }),
  invoiceStatus: z.string().openapi({ description: "Status code of the invoice", example: "9906" }),
  generation: z.int().openapi({
    description: "Number of the submission of this invoice, from 1",
    example: 1,
  }),
  state: z.enum(SUBMISSION_STATES).openapi({ description: "State of the submission" }),
  flowId: z.string().nullable().openapi({
    description: "Flow identifier at the PA; null before it is accepted",
    example: "b7a3c7b2-7d6d-4c1e-9c56-2f0d2a1b3c4d",
  }),
  attempts: z.int().openapi({ description: "Number of attempts so far", example: 1 }),
  probes: z.int().openapi({
    description: "Number of queries to the PA about the flow",
    example: 0,
  }),
  lastError: z.string().nullable().openapi({
    description: "Last error; null without one",
    example: "The PA answered 503",
  }),
  taskState: z.enum(["ready", "running", "dead", "poisoned"]).nullable().openapi({
    description: "State of the pending task; null without one",
  }),
  createdAt: z.string().openapi({
    description: "Time of creation",
    example: "2026-11-20T09:30:00.000Z",
  }),
  updatedAt: z.string().openapi({
    description: "Time of the last change",
    example: "2026-11-20T09:30:00.000Z",
  }),
  nextAt: z.string().nullable().openapi({
    description: "Time of the next automatic attempt; null when none is planned",
    example: null,
  }),
};

export const SubmissionList = z.object({
  submissions: z.array(
    z.object(shape).openapi({ description: "Submission of an invoice to the PA" }),
  ).openapi({ description: "Submissions of this page" }),
  ...counted,
})
  .openapi("SubmissionList", { description: "Page of submissions" });

export const SubmissionDetail = z.object({
  ...shape,
  attemptList: z.array(
    z.object({
      n: z.int().openapi({ description: "Number of the attempt, from 1", example: 1 }),
      kind: z.enum(["send", "probe"]).openapi({
        description: "`send` sends the invoice, `probe` queries the PA",
      }),
      startedAt: z.string().openapi({
        description: "Time of the start",
        example: "2026-11-20T09:30:00.000Z",
      }),
      finishedAt: z.string().nullable().openapi({
        description: "Time of the end; null before it",
        example: "2026-11-20T09:30:12.000Z",
      }),
      outcome: z.string().nullable().openapi({
        description: "Outcome of the attempt; null while it runs",
        example: "accepted",
      }),
      httpStatus: z.int().nullable().openapi({
        description: "HTTP status of the PA; null without an answer",
        example: 202,
      }),
      detail: z.string().nullable().openapi({
        description: "Detail of the outcome",
        example: "The PA accepted the flow",
      }),
    }).openapi({ description: "Attempt to send or query a submission" }),
  ).openapi({ description: "Attempts, oldest first" }),
}).openapi("Submission", { description: "Submission with its attempts" });

/** Action for a blocked submission. Only `adopt` takes a flow id. */
export const Replay = z.strictObject({
  action: z.enum(["probe", "send", "adopt"]).default("probe").openapi({
    description:
      "`probe` queries the PA first. `send` sends the invoice again. `adopt` takes over a flow of the PA",
  }),
  flowId: z.string().trim().min(1).max(MAX_ID_LENGTH).optional().openapi({
    description: "Flow identifier at the PA, for `adopt`",
    example: "b7a3c7b2-7d6d-4c1e-9c56-2f0d2a1b3c4d",
  }),
}).superRefine(({ action, flowId }, issues) => {
  if ((action === "adopt") === (flowId !== undefined)) return;
  const sentence = action === "adopt"
    ? say`adopt needs the flow to take over`
    : say`${action} takes no flow`;
  issues.addIssue({ ...createIssue(sentence), path: ["flowId"] });
}).transform(({ action, flowId }) =>
  action === "adopt" ? { action, flowId: flowId ?? "" } : { action }
).openapi("Replay", { description: "Way to continue a submission" });

export const Replayed = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  id: z.uuid().openapi({
    description: "Identifier of the submission; a failed submission gets a new one",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
  replayed: z.boolean().openapi({
    description: "False when there was nothing to do",
    example: true,
  }),
}).openapi("Replayed", { description: "Submission that continues" });

export const TreatmentChosen = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  uuid: z.string().optional().openapi({
    description: "Tracking identifier of the submission that the choice started",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
}).openapi("TreatmentChosen", { description: "Result of the choice" });
export const TreatmentBody = z.strictObject({
  treatment: z.enum(TREATMENT_CHOICES).openapi({
    description: "Tax treatment of the invoice",
    example: "B2C",
  }),
}).openapi("TreatmentChoice", { description: "Tax treatment to set" });
export const Resend = z.strictObject({
  force: z.literal(true).optional().openapi({
    description: "True to send an invoice that the PA holds or may hold",
  }),
  reason: z.string().trim().min(1).max(500).optional().openapi({
    description: "Reason, required with `force`; shown in the audit trail and in the history",
    example: "The PA lost the file after an incident",
  }),
}).superRefine(({ force, reason }, issues) => {
  if ((force === undefined) === (reason === undefined)) return;
  const sentence = say`force needs a reason, and a reason needs force`;
  issues.addIssue({ ...createIssue(sentence), path: [force ? "reason" : "force"] });
}).openapi("Resend", { description: "Options of a new submission" });

export const Resent = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  uuid: z.string().openapi({
    description: "Tracking identifier of the submission at the PA",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
}).openapi("Resent", { description: "New submission of an invoice" });

/** Fields of a code of the national list, with examples. */
const labell = ([code, fr, en]: readonly [code: string, fr: string, en: string]) => ({
  code: z.string().openapi({ description: "Code of the national list", example: code }),
  label: z.string().openapi({ description: "Label in the caller's language", example: fr }),
  labelEn: z.string().openapi({ description: "Label in English", example: en }),
});
export const AllowedActions = z.object({
  resend: z.boolean().openapi({
    description:
      "True when the invoice can be sent again: it is issued, has no fatal finding and no open submission",
  }),
  force: z.boolean().openapi({
    description:
      "True when sending again requires `force` and a reason, because the PA holds or may hold the invoice",
  }),
  statuses: z.array(
    z.object({
      ...labell(["212", "Encaissée", "Payment received"]),
      paName: z.string().openapi({
        enum: PA_STATUS_NAMES,
        description: "Name for `POST /api/invoices/{id}/status` with `target: pa`",
        example: "PAYMENT_RECEIVED",
      }),
      needs: z.array(z.string()).openapi({
        description: "Information required with the status: `reason`, `comment` or `amounts`",
        example: ["amounts"],
      }),
      reasons: z.array(
        z.object(labell(["PU_ERR", "Erreur de prix unitaire", "Unit price error"]))
          .openapi({ description: "Reason for a status" }),
      ).openapi({ description: "Allowed reasons" }),
    }).openapi({ description: "Status that can be sent to the PA" }),
  ).openapi({ description: "Statuses that can be sent to the PA" }),
  collectedByHand: z.boolean().openapi({
    description:
      "True for a sale whose payment the PA does not take. `POST /api/invoices/{id}/status` with `target: db` and `payment` records it",
  }),
  withheld: z.string().nullable().openapi({
    description: "Reason why the tax treatment excludes statuses; null when it excludes none",
    example: null,
  }),
}).openapi("AllowedActions", { description: "Actions that the state of the invoice allows" });
