import { inBoth, say } from "#src/kernel/i18n/sentence.ts";
import { availableParallelism, homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { openChildren } from "#src/adapters/children/mod.ts";
import { record } from "#src/adapters/telemetry/record.ts";
import { inSpan } from "#src/adapters/telemetry/spans.ts";
import { ChildDied } from "#src/ports/children.ts";
import type { Log } from "#src/ports/log.ts";
import { LimitExceeded, type RuleProcesses } from "#src/ports/rule_book.ts";
import { readChecked } from "./checked.ts";
import { checkedRuleSet } from "./rule_set.ts";
import type { Check } from "./snapshot.ts";

const XSL = fileURLToPath(new URL("../../../xsl/", import.meta.url)).replace(/\/$/, "");
/** MB of JavaScript heap. */
const MEMORY = 1024;

/** A command line is bounded. */
const MAX_FOLDERS = 100;

/** Milliseconds a child process may take. */
export interface Deadlines {
  readonly judgeMs: number;
  /** Time limit for unpacking and compiling a release. */
  readonly prepareMs: number;
}

interface RuleProcessesOptions {
  /** The entry of the processes. */
  readonly entry: URL;
  readonly deadlines: Deadlines;
  readonly log: Log;
  readonly environment: Readonly<Record<string, string>> | undefined;
  /** Registry state for the validating processes, by revision; without it they know the shipped sets. */
  readonly primer?: (() => { readonly key: string; value(): unknown }) | undefined;
  /** Number of validating processes; by the cores, two to four. */
  readonly judges?: number | undefined;
  /** Folders that validating processes may read. */
  readonly folders?: readonly string[] | undefined;
}

/** Child processes of rule sets, until `close`. */
export interface OpenRuleProcesses {
  readonly processes: RuleProcesses;
  readonly check: Check;
  close(): Promise<void>;
}

/** Opens the child processes for rule sets. Validating, preparing and reading never wait for each other. */
export function openRuleProcesses(
  { entry, deadlines, log, environment, primer, judges: atOnce, folders = [] }:
    RuleProcessesOptions,
): OpenRuleProcesses {
  const program = {
    name: "rules",
    entry,
    memory: MEMORY,
    read: [XSL],
    packages: ["libxml2-wasm"],
    environment: environment ?? { HOME: homedir() },
  };
  const busy = atOnce ?? Math.max(2, Math.min(4, availableParallelism()));
  const prime = () => primer && { primer: primer() };
  const read = [XSL, ...folders.filter(isGrantable).slice(0, MAX_FOLDERS)];
  const judges = openChildren({ program: { ...program, read }, log, busy, kept: busy });
  const others = openChildren({ program, log, busy: 2, kept: 2 });
  const readers = openChildren({ program, log, busy: 2, kept: 1 });
  const prepareMs = { deadlineMs: deadlines.prepareMs };
  const processes: RuleProcesses = {
    judge: (job, read, { signal } = {}) => {
      const request = {
        job: { judge: job },
        read,
        ...prime(),
        deadlineMs: deadlines.judgeMs,
        signal,
      };
      return measureValidation(() => judges.run(request)).catch(getCause);
    },
    read: (job, read, { signal } = {}) =>
      readers.run({ job, read, deadlineMs: deadlines.judgeMs, signal }).catch(getCause),
    prepare: (job, read) =>
      others.run({ job: { prepare: job }, read, ...prime(), alone: true, ...prepareMs })
        .catch(getCause),
  };
  const check: Check = async (manifest, files) => {
    const request = { job: { check: { manifest, files } }, read: readChecked, ...prepareMs };
    return checkedRuleSet(manifest, files, await others.run(request).catch(getCause));
  };
  return {
    processes,
    check,
    close: async () => void await Promise.all([judges.close(), others.close(), readers.close()]),
  };
}

/** A comma ends the name of a folder on the command line of a process. */
function isGrantable(folder: string): boolean {
  return !folder.includes(",");
}

/** Its time includes the wait for a process. */
async function measureValidation<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await inSpan("rules", {}, work);
  } finally {
    const seconds = (performance.now() - start) / 1000;
    record("passerelle_rules_duration_seconds", seconds, { set: "beside" });
  }
}

/**
 * Handles a failure: work stopped from outside may be retried; work that broke its process would break the next.
 */
function getCause(error: unknown): never {
  if (!(error instanceof ChildDied)) throw error;
  const { cause, how } = error.death;
  if (cause === "killed" || cause === "start" || cause === "budget") throw error;
  const isLate = cause === "deadline";
  throw new LimitExceeded(
    inBoth(isLate ? how : say`it broke down (${how}; a process may take ${MEMORY} MB of memory)`),
  );
}
