import { translate } from "#src/kernel/sentences/sentence.ts";
import type { Fact } from "#src/features/evidence/mod.ts";
import type { AttemptEnd, Begun } from "./store.ts";

/** Evidence of an attempt that may have reached the PA: what was sent and what came back. */
export function factsOf(begun: Begun, end: AttemptEnd): Fact[] {
  const { outcome, flowId, error, httpStatus, answer } = end;
  if (outcome === "not-sent" || outcome === "throttled" || outcome === "unknown") return [];
  const { id: trackingId, invoiceId, generation, n: attempt, payloadSha256: contentSha256, probe } =
    begun;
  const meta = { trackingId, generation, attempt };
  const sent: Fact[] = probe ? [] : [{ invoiceId, kind: "sent", contentSha256, meta }];
  if (outcome !== "accepted") {
    const failure = { ...meta, outcome, error: error && translate(error), httpStatus };
    return [...sent, { invoiceId, kind: "failure", content: answer, meta: failure }];
  }
  // Where its sending was never heard of again the receipt stands for what was sent, too.
  const found = probe ? { contentSha256 } : { content: answer };
  return [...sent, {
    invoiceId,
    kind: "receipt",
    ...found,
    meta: { ...meta, flowId, lookedUp: probe, ...probe && { answer } },
  }];
}
