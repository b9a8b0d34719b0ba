import { inBoth, say } from "#src/kernel/sentences/sentence.ts";
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

/** Milliseconds a child process may take. */
export interface Deadlines {
  readonly judgeMs: number;
  /** For a release to be unpacked and compiled. */
  readonly prepareMs: number;
}

interface RuleProcessesOptions {
  /** The entry of the processes. */
  readonly entry: URL;
  readonly deadlines: Deadlines;
  readonly log: Log;
  readonly environment: Readonly<Record<string, string>> | undefined;
  /** What processes that judge know of the registry, by revision; absent: what ships. */
  readonly primer?: (() => { readonly key: string; value(): unknown }) | undefined;
  /** Processes that judge at once; by the cores, two to four. */
  readonly judges?: number | undefined;
}

/** Child processes of rule sets, until `close`. */
export interface OpenRuleProcesses {
  readonly processes: RuleProcesses;
  readonly check: Check;
  close(): Promise<void>;
}

/** Work of rule sets in child processes. Judging, preparing and reading never wait for each other. */
export function openRuleProcesses(
  { entry, deadlines, log, environment, primer, judges: atOnce }: RuleProcessesOptions,
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
  const primed = () => primer && { primer: primer() };
  const judges = openChildren({ program, log, busy, kept: busy });
  const others = openChildren({ program, log, busy: 2, kept: 2 });
  const readers = openChildren({ program, log, busy: 2, kept: 1 });
  const prepareMs = { deadlineMs: deadlines.prepareMs };
  const processes: RuleProcesses = {
    judge: (job, read, { signal } = {}) => {
      const request = {
        job: { judge: job },
        read,
        ...primed(),
        deadlineMs: deadlines.judgeMs,
        signal,
      };
      return judged(() => judges.run(request)).catch(causeOf);
    },
    read: (job, read, { signal } = {}) =>
      readers.run({ job, read, deadlineMs: deadlines.judgeMs, signal }).catch(causeOf),
    prepare: (job, read) =>
      others.run({ job: { prepare: job }, read, ...primed(), alone: true, ...prepareMs })
        .catch(causeOf),
  };
  const check: Check = async (manifest, files) => {
    const request = { job: { check: { manifest, files } }, read: readChecked, ...prepareMs };
    return checkedRuleSet(manifest, files, await others.run(request).catch(causeOf));
  };
  return {
    processes,
    check,
    close: async () => void await Promise.all([judges.close(), others.close(), readers.close()]),
  };
}

/** Its time includes the wait for a process. */
async function judged<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await inSpan("rules", {}, work);
  } finally {
    const seconds = (performance.now() - start) / 1000;
    record("passerelle_rules_duration_seconds", seconds, { set: "beside" });
  }
}

/** Stopped from outside, the work may be tried again; what broke down over its work would break down again. */
function causeOf(error: unknown): never {
  if (!(error instanceof ChildDied)) throw error;
  const { cause, how } = error.death;
  if (cause === "killed" || cause === "start" || cause === "budget") throw error;
  const isLate = cause === "deadline";
  throw new LimitExceeded(
    inBoth(isLate ? how : say`it broke down (${how}; a process may take ${MEMORY} MB of memory)`),
  );
}
