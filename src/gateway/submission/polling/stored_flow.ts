import { z } from "zod";
import type { Flow } from "#src/ports/pa.ts";

const text = z.string().optional();

const StoredFlow = z.object({
  flowId: z.string().min(1),
  trackingId: text,
  name: text,
  syntax: text,
  profile: text,
  processingRule: text,
  processingRuleSource: text,
  flowType: text,
  direction: text,
  submittedAt: text,
  updatedAt: text,
  ack: z.object({
    status: z.string(),
    details: z.array(z.object({
      level: z.string(),
      item: z.string(),
      reasonCode: z.string(),
      reasonMessage: z.string(),
    })),
  }),
  answer: text,
  /** Earlier name of the field. */
  told: text,
});

/** Parses a quarantined flow as the PA listed it; returns undefined for invalid data. */
export function storedFlow(metadata: unknown): Flow | undefined {
  const { data } = StoredFlow.safeParse(metadata);
  if (!data) return undefined;
  const { trackingId, name, syntax, profile, processingRule, flowType, direction } = data;
  const { flowId, submittedAt, updatedAt, ack, answer, told, processingRuleSource } = data;
  return {
    flowId,
    trackingId,
    name,
    syntax,
    profile,
    processingRule,
    processingRuleSource,
    flowType,
    direction,
    submittedAt,
    updatedAt,
    ack,
    answer: answer ?? told,
  };
}
