import type { Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Attempt, Consumer, Task } from "#src/ports/task_queue.ts";

/** Ties a task to what is done about it, keeping the payload's type in between. */
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
