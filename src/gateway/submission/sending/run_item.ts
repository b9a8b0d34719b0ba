import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Settlement } from "#src/gateway/runs/mod.ts";
import type { SubmissionRow } from "./store.ts";

/** Outcome of a submission for the run that waits, or waited, for it. */
export interface SubmissionOutcome {
  readonly state: "submitted" | "retrying" | "blocked" | "send_failed";
  readonly message: Sentence;
}

/** Returns the run's outcome for an invoice that the PA has. */
export function describeSubmitted(flowId: string): SubmissionOutcome {
  return { state: "submitted", message: say`The PA has it as flow ${flowId}` };
}

const SEVERITY = {
  submitted: "INFO",
  retrying: "WARNING",
  blocked: "ERROR",
  send_failed: "ERROR",
} as const;

/** Reports the outcome of a submission to the run that started it, if any. */
export function toSettlement(
  { runId, runItem: index }: Pick<SubmissionRow, "runId" | "runItem">,
  { state, message }: SubmissionOutcome,
): Settlement[] {
  if (runId === null || index === null) return [];
  const entry = { severity: SEVERITY[state], module: "submission", submodule: state, message };
  // The validation message stays unless sending failed or is blocked; then the send error replaces it.
  const isFailure = state === "send_failed" || state === "blocked";
  return [{ runId, index, state, entry, ...isFailure && { message } }];
}
