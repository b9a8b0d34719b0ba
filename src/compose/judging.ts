import { homedir } from "node:os";
import { systemClock } from "#src/adapters/clock/system.ts";
import { createFacturXReader } from "#src/adapters/pdf/factur_x_reader.ts";
import { type OpenRuleProcesses, openRuleProcesses } from "#src/adapters/rules/rule_processes.ts";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import type { Deps } from "#src/deps.ts";
import type { Log } from "#src/ports/log.ts";

/** What judges documents, from the shipped rule sets and schemas alone: no database, no installation. */
export function shippedJudging(
  /** What child processes of the runtime need besides the home folder; see `config.childEnvironment`. */
  environment: Readonly<Record<string, string>> = {},
): Pick<Deps, "clock" | "facturX" | "rules" | "xsd"> {
  const facturX = createFacturXReader({
    log: SILENT,
    environment: { HOME: homedir(), ...environment },
  });
  return { clock: systemClock, facturX, rules: shippedRuleBook(), xsd: createXsd() };
}

const RULE_PROCESS = new URL("../processes/rules_process.ts", import.meta.url);
/** A command may wait; whoever waits for a server may not. */
const MINUTES = 10 * 60_000;

/** So many processes that judge by the shipped rule sets at once; they start when they are first needed. */
export function judgingBeside(
  jobs: number,
  environment: Readonly<Record<string, string>> = {},
): Pick<OpenRuleProcesses, "processes" | "close"> {
  return openRuleProcesses({
    entry: RULE_PROCESS,
    deadlines: { judgeMs: MINUTES, prepareMs: MINUTES },
    log: SILENT,
    environment: { HOME: homedir(), ...environment },
    judges: jobs,
  });
}

/** A command says what it has to say itself. */
const SILENT: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  within: (_, work) => work(),
};
