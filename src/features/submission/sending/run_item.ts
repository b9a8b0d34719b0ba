import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Settlement } from "#src/features/runs/mod.ts";
import type { SubmissionRow } from "./store.ts";

/** What a sending comes to that a run waits for, or waited for. */
export interface ItemOutcome {
  readonly state: "submitted" | "retrying" | "send_failed";
  readonly message: Sentence;
}

/** What a run says of an invoice the PA has. */
export function submitted(flowId: string): ItemOutcome {
  return { state: "submitted", message: say`The PA has it as flow ${flowId}` };
}

const SEVERITY = { submitted: "INFO", retrying: "WARNING", send_failed: "ERROR" } as const;

/** Tells the run that started a sending what came of it; nothing for a sending that no run started. */
export function settlementOf(
  { runId, runItem: index }: Pick<SubmissionRow, "runId" | "runItem">,
  { state, message }: ItemOutcome,
): Settlement[] {
  if (runId === null || index === null) return [];
  const entry = { severity: SEVERITY[state], module: "submission", submodule: state, message };
  // What the checks said of it stays, unless sending failed: then that is what is to be read of it.
  return [{ runId, index, state, entry, ...state === "send_failed" && { message } }];
}
