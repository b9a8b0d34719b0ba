import { issueOf } from "#src/kernel/sentences/schema.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { z } from "@hono/zod-openapi";
import { SUBMISSION_STATES } from "#src/domain/submission/state.ts";
import { counted, pageQuery } from "#src/http/list.ts";
import { InvoicePath } from "#src/http/wire.ts";
import { LONGEST_ID } from "#src/ports/pa.ts";

export const SubmissionPath = z.object({ id: z.uuid() });

export const SubmissionQuery = pageQuery().extend({
  state: z.enum([...SUBMISSION_STATES, "open", "stuck"]).optional().openapi({
    description: "`open`: a worker goes on by itself. `stuck`: waits for a person, to be replayed",
  }),
  invoice: InvoicePath.shape.id.optional(),
});

const shape = {
  id: z.uuid().openapi({ description: "The tracking id the PA knows it by" }),
  invoice: z.string(),
  ublNumber: z.string().nullable(),
  invoiceStatus: z.string(),
  generation: z.int(),
  state: z.enum(SUBMISSION_STATES),
  flowId: z.string().nullable(),
  attempts: z.int(),
  probes: z.int(),
  lastError: z.string().nullable(),
  taskState: z.enum(["ready", "running", "dead", "poisoned"]).nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  nextAt: z.string().nullable().openapi({ description: "When a worker goes on by itself" }),
};

export const SubmissionList = z.object({ submissions: z.array(z.object(shape)), ...counted })
  .openapi("SubmissionList");

export const SubmissionDetail = z.object({
  ...shape,
  attemptList: z.array(z.object({
    n: z.int(),
    kind: z.enum(["send", "probe"]),
    startedAt: z.string(),
    finishedAt: z.string().nullable(),
    outcome: z.string().nullable(),
    httpStatus: z.int().nullable(),
    detail: z.string().nullable(),
  })),
}).openapi("Submission");

/** What is to be done with a sending that stands still; adopting names the flow, nothing else does. */
export const Replay = z.strictObject({
  action: z.enum(["probe", "send", "adopt"]).default("probe").openapi({
    description: "`probe` asks the PA first, `send` sends again, `adopt` takes over the PA's flow",
  }),
  flowId: z.string().trim().min(1).max(LONGEST_ID).optional().openapi({
    description: "The PA's flow, where `action` is `adopt`",
  }),
}).superRefine(({ action, flowId }, issues) => {
  if ((action === "adopt") === (flowId !== undefined)) return;
  const sentence = action === "adopt"
    ? say`adopt needs the flow to take over`
    : say`${action} takes no flow`;
  issues.addIssue({ ...issueOf(sentence), path: ["flowId"] });
}).transform(({ action, flowId }) =>
  action === "adopt" ? { action, flowId: flowId ?? "" } : { action }
).openapi("Replay");

export const Replayed = z.object({
  success: z.literal(true),
  id: z.uuid(),
  replayed: z.boolean(),
}).openapi("Replayed");

export const Resent = z.object({ success: z.literal(true), uuid: z.string() }).openapi("Resent");

const labelled = {
  code: z.string(),
  label: z.string(),
  labelEn: z.string().openapi({ description: "The label in English", example: "In dispute" }),
};
export const AllowedActions = z.object({
  resend: z.boolean().openapi({
    description:
      "It can be sent anew: issued, without a fatal finding, and no sending is under way",
  }),
  statuses: z.array(z.object({
    ...labelled,
    paName: z.string().openapi({
      description: "The `name` for `POST /api/invoices/{id}/status` with `target: pa`",
      example: "PAYMENT_RECEIVED",
    }),
    needs: z.array(z.string()).openapi({
      description: "What must be given with it: `reason`, `comment` or `amounts`",
    }),
    reasons: z.array(z.object(labelled)).openapi({ description: "Reasons that may be given" }),
  })).openapi({ description: "Statuses that may be told to the PA" }),
}).openapi("AllowedActions");
