import { kept } from "#src/kernel/sentences/kept.ts";
import type { Sentence } from "#src/kernel/sentences/sentence.ts";
import { isOpenSubmission } from "#src/domain/submission/state.ts";
import { settlingRuns } from "#src/features/runs/mod.ts";
import { settlementOf } from "./run_item.ts";
import { recordFailed, type SettleNeeds } from "./settle.ts";
import { lockSubmission, updateSubmission } from "./store.ts";

/** The task gave up: what the PA may have is left to a person, what never left the house has failed to be sent (9904). */
export async function submissionDied(
  needs: SettleNeeds,
  id: string,
  reason: Sentence,
): Promise<void> {
  await settlingRuns(needs, async (tx, settle) => {
    const submission = await lockSubmission(tx, id);
    if (!submission || !isOpenSubmission(submission.state)) return;
    const parked = submission.state !== "intent";
    await updateSubmission(tx, id, {
      state: parked ? "parked" : "rejected",
      ...kept("lastError", reason),
    });
    if (!parked) await recordFailed(needs, tx, { submission, reason });
    const state = parked ? "retrying" : "send_failed";
    await settle(settlementOf(submission, { state, message: reason }));
  });
}
