import { toColumns } from "#src/kernel/i18n/kept.ts";
import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import { isOpenSubmission } from "#src/domain/submission/state.ts";
import { settlingRuns } from "#src/gateway/runs/mod.ts";
import { toSettlement } from "./run_item.ts";
import { recordFailed, type SettleDeps } from "./settle.ts";
import { lockSubmission, updateSubmission } from "./store.ts";

/**
 * Ends a submission whose task gave up. A person must decide if the PA may have it; otherwise it has failed to be sent
 * (9904).
 */
export async function submissionDied(
  deps: SettleDeps,
  id: string,
  reason: Sentence,
): Promise<void> {
  await settlingRuns(deps, async (tx, settle) => {
    const submission = await lockSubmission(tx, id);
    if (!submission || !isOpenSubmission(submission.state)) return;
    const parked = submission.state !== "intent";
    await updateSubmission(tx, id, {
      state: parked ? "parked" : "rejected",
      ...toColumns("lastError", reason),
    });
    if (!parked) await recordFailed(deps, tx, { submission, reason });
    const state = parked ? "blocked" : "send_failed";
    await settle(toSettlement(submission, { state, message: reason }));
  });
}
