import { homedir } from "node:os";
import { systemClock } from "#src/adapters/clock/system.ts";
import { createFacturXReader } from "#src/adapters/pdf/factur_x_reader.ts";
import { type OpenRuleProcesses, openRuleProcesses } from "#src/adapters/rules/rule_processes.ts";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { toPlain } from "#src/adapters/rules/snapshot.ts";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import type { Deps } from "#src/deps.ts";
import type { Log } from "#src/ports/log.ts";
import type { RuleBook } from "#src/ports/rule_book.ts";

/**
 * Creates the validators of documents from the shipped rule sets and schemas. They need no database or installation.
 */
export function createShippedValidation(
  /** Variables that child processes of the runtime need in addition to `HOME`; see `config.childEnvironment`. */
  environment: Readonly<Record<string, string>> = {},
): Pick<Deps, "clock" | "facturX" | "rules" | "xsd"> {
  const facturX = createFacturXReader({
    log: SILENT,
    environment: { HOME: homedir(), ...environment },
  });
  return { clock: systemClock, facturX, rules: shippedRuleBook(), xsd: createXsd() };
}

const RULE_PROCESS = new URL("../processes/rules_process.ts", import.meta.url);
/** Deadline of a command, in milliseconds. A command may wait longer than the client of a server. */
const MINUTES = 10 * 60_000;

/** Data and files that the processes of a command may read. */
interface Reach {
  readonly environment: Readonly<Record<string, string>>;
  /** Folders of the files that the processes read themselves. */
  readonly folders: readonly string[];
  /** Rule sets and overrides in force when the command starts. */
  readonly rules: RuleBook;
}

/** Opens `jobs` processes that validate in parallel; each starts when it is first needed. */
export function openValidationProcesses(
  jobs: number,
  { environment, folders, rules }: Reach,
): Pick<OpenRuleProcesses, "processes" | "close"> {
  const primer = { sets: toPlain(rules.sets()), overrides: rules.overrides() };
  return openRuleProcesses({
    entry: RULE_PROCESS,
    deadlines: { judgeMs: MINUTES, prepareMs: MINUTES },
    log: SILENT,
    environment: { HOME: homedir(), ...environment },
    primer: () => ({ key: "", value: () => primer }),
    judges: jobs,
    folders,
  });
}

/** Log that drops every entry, because a command prints its own messages. */
const SILENT: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  within: (_, work) => work(),
};
