import type { Deps } from "#src/deps.ts";
import {
  pollPa,
  pollTask,
  sendStatus,
  statusDied,
  statusTask,
} from "#src/gateway/submission/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { RetryLater } from "#src/ports/task_queue.ts";
import { consumer } from "#workers/consumer.ts";

const BUSY_MS = 2_000;

export function pollingConsumers(deps: Deps) {
  return [
    consumer(pollTask, async ({ scope }, { signal }) => {
      try {
        await pollPa(deps, { scope, signal, waitMs: 0 });
      } catch (error) {
        throw waits(error) ?? error;
      }
    }),
    consumer(
      statusTask,
      ({ messageId }, attempt) => sendStatus(deps, messageId, attempt),
      ({ messageId }, reason) => statusDied(deps, messageId, reason),
    ),
  ];
}

/** Repeats a poll that finds another running, or the PA unavailable, because its cause must be read. */
function waits(error: unknown): RetryLater | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (error.code === "conflict") {
    return new RetryLater(error.sentence, { delayMs: BUSY_MS, free: true });
  }
  if (error.retryAfter === undefined) return undefined;
  return new RetryLater(error.sentence, { delayMs: error.retryAfter * 1000, free: true });
}
