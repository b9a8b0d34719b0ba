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
  /** What it was called before. */
  told: text,
});

/** A flow as the PA listed it, read back from the quarantine; undefined for what is none. */
export function storedFlow(metadata: unknown): Flow | undefined {
  const { data } = StoredFlow.safeParse(metadata);
  if (!data) return undefined;
  const { trackingId, name, syntax, profile, processingRule, flowType, direction } = data;
  const { flowId, submittedAt, updatedAt, ack, answer, told } = data;
  return {
    flowId,
    trackingId,
    name,
    syntax,
    profile,
    processingRule,
    flowType,
    direction,
    submittedAt,
    updatedAt,
    ack,
    answer: answer ?? told,
  };
}
