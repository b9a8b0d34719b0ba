import process from "node:process";
import { bundleConsole } from "#src/adapters/console/bundle.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { jsonLinesLog } from "#src/adapters/log/json_lines.ts";
import { composeConsole } from "#src/compose/console.ts";
import { loadConfig } from "#src/config/config.ts";

/** Builds the console into the folder it is given; given none, where the product that is started later looks for it. */
const [folder] = process.argv.slice(2);
if (folder !== undefined) await bundleConsole(folder);
else {
  const log = jsonLinesLog({
    level: "WARN",
    write: (line) => void process.stderr.write(line),
    now: () => systemClock.now(),
  });
  await composeConsole(loadConfig(process.env), log).entry();
}
process.exit(0);
