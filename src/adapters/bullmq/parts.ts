import type { Crash } from "#src/kernel/crash_points.ts";
import { toMessage } from "#src/kernel/errors.ts";
import type { Database } from "#src/ports/db.ts";
import type { LiveBus } from "#src/ports/live_bus.ts";
import type { Log } from "#src/ports/log.ts";
import type { Broker } from "./brokers.ts";

/** Times in milliseconds. */
export interface TaskQueueOptions {
  readonly leaseMs: number;
  readonly retryBaseMs: number;
  readonly retryCapMs: number;
  /**
   * Interval at which the relay looks for tasks without being woken. The sweeper uses it too, but runs only a few
   * times per lease.
   */
  readonly pollMs: number;
  /** Time after which a task that was handed over and never claimed is handed over again. */
  readonly relayTimeoutMs: number;
  /** Number of deaths after which a task is quarantined as their cause, if each process ran only this task. */
  readonly deaths: number;
}

/** Parts of the queue of one process. */
export interface Parts {
  readonly database: Database;
  readonly broker: Broker;
  readonly crash: Crash;
  /** Receives events about stopped tasks. */
  readonly live?: Pick<LiveBus, "publish"> | undefined;
  readonly log: Log;
  readonly options: TaskQueueOptions;
  /** This process, in the evidence of tasks it dies of. */
  readonly holder: string;
}

/**
 * Runs one step of a loop that outlives its database and its broker: logs a failure and continues as if there had
 * been nothing to do.
 */
export async function runGuarded<T>(
  parts: Parts,
  event: string,
  action: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    parts.log.warn(event, { error: toMessage(error) });
    return undefined;
  }
}
