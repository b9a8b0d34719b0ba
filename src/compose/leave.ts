import { breakOffFor, leaveFor } from "#src/adapters/telemetry/leave.ts";
import type { Variables } from "#src/config/environment.ts";
import { collectorOfDeno } from "#src/config/telemetry.ts";

/** Ends this process, even if no collector accepts its last telemetry. */
export function leave(code: number, env: Variables): Promise<never> {
  return leaveFor(collectorOfDeno(env), code);
}

/** Ends this process at once, without waiting for pending work. */
export function breakOff(code: number, env: Variables): never {
  return breakOffFor(collectorOfDeno(env), code);
}
