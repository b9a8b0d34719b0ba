import { writeSync } from "node:fs";
import process from "node:process";
import { systemClock } from "#src/adapters/clock/system.ts";
import { jsonLinesLog } from "#src/adapters/log/json_lines.ts";
import type { Variables } from "#src/config/environment.ts";
import { breakOff } from "./leave.ts";

/** EX_SOFTWARE: whoever supervises the process sees that nobody told it to stop. */
const EXIT = 70;
const STDERR = 2;

/**
 * The last to hear of an error nobody caught. A rejection nobody waits for is logged and the process goes on. Any other
 * error may have left something half changed: the process ends at once, its tasks come back when their leases are over, with
 * this death in their evidence, and whoever supervises it starts another. The log has the error's place and sentence,
 * never the values of a query.
 */
export function installUncaughtHandler(env: Variables): void {
  const write = (line: string) => void writeSync(STDERR, line);
  const log = jsonLinesLog({ level: "ERROR", write, now: systemClock.now });
  const asError = (thrown: unknown) => thrown instanceof Error ? thrown : new Error(String(thrown));
  process.on(
    "unhandledRejection",
    (thrown) => log.error("process.rejection.unhandled", { error: asError(thrown) }),
  );
  process.on("uncaughtException", (thrown) => {
    log.error("process.exception.uncaught", { error: asError(thrown) });
    breakOff(EXIT, env);
  });
}
