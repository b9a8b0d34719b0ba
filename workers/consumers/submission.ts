import type { Deps } from "#src/deps.ts";
import { pollPa, pollTask, submissionDied, submitInvoice, submitTask } from "#src/features/submission/mod.ts";
import { consumer } from "#workers/consumer.ts";

export function submissionConsumers(deps: Deps) {
  return [
    consumer(
      submitTask,
      ({ submissionId }, attempt) => submitInvoice(deps, submissionId, attempt),
      ({ submissionId }, reason) => submissionDied(deps, submissionId, reason),
    ),
    consumer(pollTask, async (_, { signal }) => {
      await pollPa(deps, signal);
    }),
  ];
}
