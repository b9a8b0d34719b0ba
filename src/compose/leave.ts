import { breakOffFor, leaveFor } from "#src/adapters/telemetry/leave.ts";
import type { Variables } from "#src/config/environment.ts";
import { collectorOfDeno } from "#src/config/telemetry.ts";

/** Ends this process, also where what Deno has to tell of it is taken by nobody. */
export function leave(code: number, env: Variables): Promise<never> {
  return leaveFor(collectorOfDeno(env), code);
}

/** The same at once: nothing that waits in this process runs any more. */
export function breakOff(code: number, env: Variables): never {
  return breakOffFor(collectorOfDeno(env), code);
}
