import { z } from "@hono/zod-openapi";
import { SUBMISSION_STATES } from "#src/domain/submission/state.ts";
import { InvoicePath, wholeNumber } from "#src/http/wire.ts";

export const SubmissionPath = z.object({ id: z.uuid() });

export const SubmissionQuery = z.object({
  state: z.enum([...SUBMISSION_STATES, "open", "stuck"]).optional().openapi({
    description: "`open`: a worker goes on by itself. `stuck`: waits for a person, to be replayed",
  }),
  invoice: InvoicePath.shape.id.optional(),
  page: wholeNumber(1, 1_000_000, 1),
  pageSize: wholeNumber(1, 500, 50),
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
  taskState: z.enum(["ready", "running", "dead"]).nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  nextAt: z.string().nullable().openapi({ description: "When a worker goes on by itself" }),
};

export const SubmissionList = z.object({ submissions: z.array(z.object(shape)), total: z.int() })
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

export const Replay = z.discriminatedUnion("action", [
  z.object({
    action: z.enum(["probe", "send"]).optional().transform((it) => it ?? "probe").openapi({
      description: "`probe` by default: the PA is asked first",
    }),
  }),
  z.object({ action: z.literal("adopt"), flowId: z.string().trim().min(1).max(200) }),
]).openapi("Replay");

export const Replayed = z.object({
  success: z.literal(true),
  id: z.uuid(),
  replayed: z.boolean(),
}).openapi("Replayed");

export const Resent = z.object({ success: z.literal(true), uuid: z.string() }).openapi("Resent");
