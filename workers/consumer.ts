import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Attempt, Consumer, Task } from "#src/ports/task_queue.ts";

/** Connects a task to its handler with the payload's type. */
export function consumer<P>(
  task: Task<P>,
  handle: (payload: P, attempt: Attempt) => Promise<void>,
  dead?: (payload: P, reason: Sentence) => Promise<void>,
): Consumer {
  return {
    task: task as Task<unknown>,
    handle: (payload, attempt) => handle(task.payload.parse(payload), attempt),
    ...dead &&
      { dead: (payload: unknown, reason: Sentence) => dead(task.payload.parse(payload), reason) },
  };
}
