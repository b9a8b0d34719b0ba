import { z } from "@hono/zod-openapi";
import { counted, pageQuery } from "#src/http/list.ts";
import { LogEntry } from "#src/http/wire.ts";
import { LONGEST_ID } from "#src/ports/pa.ts";

export const Polled = z.object({ success: z.literal(true), logs: z.array(LogEntry) }).openapi(
  "Polled",
);
export const Empty = z.object({}).openapi("Nothing");

export const QuarantineQuery = pageQuery().extend({
  kind: z.enum(["unreadable", "failed", "waiting"]).optional(),
});
export const FlowPath = z.object({
  flowId: z.string().min(1).max(LONGEST_ID).openapi({
    example: "b7a3c7b2-7d6d-4a5e-9a58-3f1f0f6a2a11",
  }),
});
export const Quarantine = z.object({
  flows: z.array(z.object({
    flowId: z.string(),
    kind: z.enum(["unreadable", "failed", "waiting"]),
    reason: z.string(),
    attempts: z.int(),
    nextAt: z.string().nullable(),
    invoiceNumber: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()).openapi({
      description: "The flow as the PA listed it",
    }),
    content: z.string().nullable().openapi({ description: "The start of the file" }),
    replayable: z.boolean().openapi({
      description: "Whether it can be read once more: false where the PA listed no flow by it",
    }),
    createdAt: z.string(),
  })),
  ...counted,
}).openapi("Quarantine");
