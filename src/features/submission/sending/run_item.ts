import type { Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Settlement } from "#src/features/runs/mod.ts";
import type { SubmissionRow } from "./store.ts";

/** What a sending comes to that a run waits for, or waited for. */
export interface ItemOutcome {
  readonly state: "submitted" | "retrying" | "send_failed";
  readonly message: Sentence;
}

const SEVERITY = { submitted: "INFO", retrying: "WARNING", send_failed: "ERROR" } as const;

/** Tells the run that started a sending what came of it; nothing for a sending that no run started. */
export function settlementOf(
  { runId, runItem: index }: Pick<SubmissionRow, "runId" | "runItem">,
  { state, message }: ItemOutcome,
): Settlement[] {
  if (runId === null || index === null) return [];
  const entry = { severity: SEVERITY[state], module: "submission", submodule: state, message };
  return [{ runId, index, state, entry }];
}
