import { writeSync } from "node:fs";
import process from "node:process";
import { systemClock } from "#src/adapters/clock/system.ts";
import { jsonLinesLog } from "#src/adapters/log/json_lines.ts";
import type { Variables } from "#src/config/environment.ts";
import type { Database, EngineFailure } from "#src/ports/db.ts";
import type { Log } from "#src/ports/log.ts";
import { breakOff } from "./leave.ts";

/** EX_SOFTWARE: shows the supervisor that the process was not stopped on purpose. */
const EXIT = 70;
const STDERR = 2;

/**
 * Handles uncaught errors. An unhandled rejection is logged, and the process continues.
 * Any other error may leave inconsistent state, so the process exits at once and its supervisor restarts it. Its tasks
 * run again when their leases expire, with this crash in their evidence. The log contains the error's position and
 * sentence, never the values of a query.
 */
export function installUncaughtHandler(env: Variables): void {
  const log = lastLog();
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

/**
 * Ends the process with the failure's code when its embedded database has failed. Deno treats an exception in a message
 * listener as a rejection and continues, so the exit is explicit. The next start recovers the folder, as after `kill
 * -9`.
 */
export function endWithEngine({ failure }: Pick<Database, "failure">, env: Variables): void {
  const end = () => {
    const error: EngineFailure = failure?.reason;
    lastLog().error("database.engine.failed", { error });
    breakOff(error.exitCode, env);
  };
  if (failure?.aborted) end();
  failure?.addEventListener("abort", end);
}

/** Creates a log that writes synchronously, since the process may end before the next statement. */
function lastLog(): Log {
  const write = (line: string) => void writeSync(STDERR, line);
  return jsonLinesLog({ level: "ERROR", write, now: systemClock.now });
}
