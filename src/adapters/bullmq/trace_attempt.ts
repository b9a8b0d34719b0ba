import { record } from "#src/adapters/telemetry/record.ts";
import { inSpan } from "#src/adapters/telemetry/spans.ts";
import type { ClaimedTask } from "./task_rows.ts";

/** Outcome of an attempt. */
export type TaskOutcome = "done" | "retried" | "dead" | "poisoned";

/** Runs an attempt as a span of the trace that created the task; a retry is another span. */
export async function traceAttempt(
  task: ClaimedTask,
  work: () => Promise<TaskOutcome>,
): Promise<void> {
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
