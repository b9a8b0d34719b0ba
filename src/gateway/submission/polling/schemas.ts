import { z } from "@hono/zod-openapi";
import { counted, pageQuery } from "#src/http/list.ts";
import { LogEntry } from "#src/http/wire.ts";
import { MAX_ID_LENGTH } from "#src/ports/pa.ts";

export const Polled = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  logs: z.array(LogEntry).openapi({ description: "Log entries, oldest first" }),
}).openapi(
  "Polled",
  { description: "Result of reading from the PA" },
);
export const Empty = z.object({}).openapi("Nothing", { description: "Empty object" });

export const QuarantineQuery = pageQuery().extend({
  kind: z.enum(["unreadable", "failed", "waiting"]).optional().openapi({
    description: "Only flows with this cause",
  }),
});
export const FlowPath = z.object({
  flowId: z.string().min(1).max(MAX_ID_LENGTH).openapi({
    example: "b7a3c7b2-7d6d-4a5e-9a58-3f1f0f6a2a11",
    description: "Flow identifier at the PA",
  }),
});
export const Quarantine = z.object({
  reasons: z.array(
    z.object({
      reason: z.string().openapi({
        description: "Reason, as the flows state it",
        example: "The file is not valid XML",
      }),
      count: z.int().openapi({ description: "Number of flows with this reason", example: 3 }),
    }).openapi({ description: "Reason with the number of its flows" }),
  ).openapi({ description: "Most frequent reasons of all quarantined flows, at most 50" }),
  flows: z.array(
    z.object({
      flowId: z.string().openapi({
        description: "Flow identifier at the PA",
        example: "b7a3c7b2-7d6d-4c1e-9c56-2f0d2a1b3c4d",
      }),
      kind: z.enum(["unreadable", "failed", "waiting"]).openapi({
        description: "Cause of the quarantine",
      }),
      reason: z.string().openapi({
        description: "Reason in the caller's language",
        example: "The file is not valid XML",
      }),
      attempts: z.int().openapi({ description: "Number of attempts so far", example: 1 }),
      nextAt: z.string().nullable().openapi({
        description: "Time of the next attempt; null when none is planned",
        example: "2026-11-20T09:35:00.000Z",
      }),
      invoiceNumber: z.string().nullable().openapi({
        description: "Invoice number at the PA (BT-1)",
        example: "100000-RI-00001",
      }),
      metadata: z.record(z.string(), z.unknown()).openapi({
        description: "Flow as the PA listed it",
      }),
      content: z.string().nullable().openapi({
        description: "Start of the file; null without a file",
        example: "<Invoice/>",
      }),
      fileSize: z.int().nullable().openapi({
        description: "Size of the stored file in bytes; null when the PA provided no file",
        example: 4200,
      }),
      replayable: z.boolean().openapi({
        description: "True when the flow can be read again; false when the PA does not list it",
      }),
      createdAt: z.string().openapi({
        description: "Time of creation",
        example: "2026-11-20T09:30:00.000Z",
      }),
    }).openapi({ description: "Flow of the PA that the product could not process" }),
  ).openapi({ description: "Flows of this page" }),
  ...counted,
}).openapi("Quarantine", { description: "Page of quarantined flows" });
