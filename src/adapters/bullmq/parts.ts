import type { Crash } from "#src/kernel/crash_points.ts";
import { messageOf } from "#src/kernel/errors.ts";
import type { Database } from "#src/ports/db.ts";
import type { LiveBus } from "#src/ports/live_bus.ts";
import type { Log } from "#src/ports/log.ts";
import type { Broker } from "./brokers.ts";

/** Times in milliseconds. */
export interface TaskQueueOptions {
  readonly leaseMs: number;
  readonly retryBaseMs: number;
  readonly retryCapMs: number;
  /** How often the relay looks without being woken; the sweeper does too, but no more than some times a lease. */
  readonly pollMs: number;
  /** A handed-over task that nobody claimed in this time is handed over again. */
  readonly relayTimeoutMs: number;
  /** A task that was the only one of so many processes when they died is set aside, as their cause. */
  readonly deaths: number;
}

/** What the queue of one process is made of. */
export interface Parts {
  readonly database: Database;
  readonly broker: Broker;
  readonly crash: Crash;
  /** Hears of tasks that stop. */
  readonly live?: Pick<LiveBus, "publish"> | undefined;
  readonly log: Log;
  readonly options: TaskQueueOptions;
  /** This process, in the evidence of tasks it dies of. */
  readonly holder: string;
}

/** A loop of the queue outlives its database and its broker; it says what failed and goes on, as if there had been nothing to do. */
export async function guarded<T>(
  parts: Parts,
  event: string,
  action: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    parts.log.warn(event, { error: messageOf(error) });
    return undefined;
  }
}
