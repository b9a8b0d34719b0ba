import { translate } from "#src/kernel/i18n/sentence.ts";
import type { EvidenceEntry } from "#src/gateway/evidence/mod.ts";
import type { AttemptEnd, SubmissionAttempt } from "./store.ts";

/** Returns evidence of an attempt that may have reached the PA: the data sent and the answer. */
export function buildEvidence(begun: SubmissionAttempt, end: AttemptEnd): EvidenceEntry[] {
  const { outcome, flowId, error, httpStatus, answer } = end;
  if (outcome === "not-sent" || outcome === "throttled" || outcome === "unknown") return [];
  const { id: trackingId, invoiceId, generation, n: attempt, payloadSha256: contentSha256, probe } =
    begun;
  const meta = { trackingId, generation, attempt };
  const sent: EvidenceEntry[] = probe ? [] : [{ invoiceId, kind: "sent", contentSha256, meta }];
  if (outcome !== "accepted") {
    const failure = { ...meta, outcome, error: error && translate(error), httpStatus };
    return [...sent, { invoiceId, kind: "failure", content: answer, meta: failure }];
  }
  // If the submission's own call got no answer, the receipt is evidence of the sent file too.
  const found = probe ? { contentSha256 } : { content: answer };
  return [...sent, {
    invoiceId,
    kind: "receipt",
    ...found,
    meta: { ...meta, flowId, lookedUp: probe, ...probe && { answer } },
  }];
}
