import { record } from "#src/adapters/telemetry/record.ts";
import { inSpan } from "#src/adapters/telemetry/spans.ts";
import type { ClaimedTask } from "./task_rows.ts";

/** How an attempt ended. */
export type Outcome = "done" | "retried" | "dead" | "poisoned";

/** As a part of the trace of what made the task necessary; a retry is one more. */
export async function traced(task: ClaimedTask, work: () => Promise<Outcome>): Promise<void> {
  const start = performance.now();
  const attributes = { "passerelle.task": task.id, "passerelle.attempt": task.attempts };
  const outcome = await inSpan(
    `task ${task.name}`,
    { kind: "CONSUMER", from: task.trace, attributes },
    async (span) => {
      const outcome = await work();
      span.setAttribute("passerelle.outcome", outcome);
      return outcome;
    },
  );
  const seconds = (performance.now() - start) / 1000;
  record("passerelle_task_duration_seconds", seconds, { task: task.name, outcome });
}
