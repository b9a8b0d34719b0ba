import { homedir } from "node:os";
import { join } from "node:path";
import { consoleFiles } from "#src/adapters/console/console_files.ts";
import type { Config } from "#src/config/config.ts";
import type { ConsoleFiles } from "#src/ports/console.ts";
import type { Log } from "#src/ports/log.ts";

const PROGRAM = new URL("../processes/console_process.ts", import.meta.url);

/** Builds the console and caches it in the shared cache folder of the user, else in the data folder. */
export function composeConsole(
  config: Pick<Config, "cacheDir" | "privateDir" | "childEnvironment">,
  log: Log,
): ConsoleFiles {
  return consoleFiles({
    program: PROGRAM,
    folders: [config.cacheDir, join(config.privateDir, "console")],
    log,
    environment: { HOME: homedir(), ...config.childEnvironment },
  });
}
