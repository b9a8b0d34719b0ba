import type { Deps } from "#src/deps.ts";
import { newPreflight } from "#src/gateway/directory/mod.ts";
import {
  newAcceptanceWriter,
  newRetryBudget,
  newTogether,
  submissionDied,
  submitInvoice,
  submitTask,
} from "#src/gateway/submission/mod.ts";
import { consumer } from "#workers/consumer.ts";

export function submissionConsumers(deps: Deps) {
  const { retriesPerSecond: perSecond } = deps.settings.submission;
  const now = () => performance.now();
  const sending = {
    ...deps,
    accepting: newAcceptanceWriter(deps),
    together: newTogether(deps),
    budget: newRetryBudget({ perSecond, now }),
    preflight: newPreflight(deps, now),
  };
  return [
    consumer(
      submitTask,
      ({ submissionId }, attempt) => submitInvoice(sending, submissionId, attempt),
      ({ submissionId }, reason) => submissionDied(deps, submissionId, reason),
    ),
  ];
}
