import { availableParallelism, homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { openChildren } from "#src/adapters/children/mod.ts";
import { ChildDied } from "#src/ports/children.ts";
import type { Log } from "#src/ports/log.ts";
import { type Beside, GaveUp } from "#src/ports/rule_book.ts";
import { readChecked } from "./checked.ts";
import { checkedRuleSet } from "./rule_set.ts";
import type { Check } from "./shelf.ts";

const XSL = fileURLToPath(new URL("../../../xsl/", import.meta.url)).replace(/\/$/, "");
/** MB of JavaScript heap. */
const MEMORY = 1024;

export interface Deadlines {
  readonly judgeMs: number;
  /** For a release to be unpacked and compiled. */
  readonly prepareMs: number;
}

export interface WorksOptions {
  /** The entry of the processes. */
  readonly entry: URL;
  readonly deadlines: Deadlines;
  readonly log: Log;
  readonly environment: Readonly<Record<string, string>> | undefined;
  /** What processes that judge know of the registry, by revision. */
  readonly primer: () => { readonly key: string; value(): unknown };
}

export interface Works {
  readonly beside: Beside;
  readonly check: Check;
  close(): Promise<void>;
}

/** Work of rule sets in child processes. Judging, preparing and reading never wait for each other. */
export function openWorks({ entry, deadlines, log, environment, primer }: WorksOptions): Works {
  const program = {
    name: "rules",
    entry,
    memory: MEMORY,
    read: [XSL],
    packages: ["libxml2-wasm"],
    environment: environment ?? { HOME: homedir() },
  };
  const busy = Math.max(2, Math.min(4, availableParallelism()));
  const judges = openChildren({ program, log, busy, kept: busy });
  const others = openChildren({ program, log, busy: 2, kept: 2 });
  const readers = openChildren({ program, log, busy: 2, kept: 1 });
  const prepareMs = { deadlineMs: deadlines.prepareMs };
  const beside: Beside = {
    judge: (job, read, { signal } = {}) => {
      const request = {
        job: { judge: job },
        read,
        primer: primer(),
        deadlineMs: deadlines.judgeMs,
        signal,
      };
      return judges.run(request).catch(causeOf);
    },
    read: (job, read, { signal } = {}) =>
      readers.run({ job, read, deadlineMs: deadlines.judgeMs, signal }).catch(causeOf),
    prepare: (job, read) =>
      others.run({ job: { prepare: job }, read, primer: primer(), alone: true, ...prepareMs })
        .catch(causeOf),
  };
  const check: Check = async (manifest, files) => {
    const request = { job: { check: { manifest, files } }, read: readChecked, ...prepareMs };
    return checkedRuleSet(manifest, files, await others.run(request).catch(causeOf));
  };
  return {
    beside,
    check,
    close: async () => void await Promise.all([judges.close(), others.close(), readers.close()]),
  };
}

/** Stopped from outside, the work may be tried again; what broke down over its work would break down again. */
function causeOf(error: unknown): never {
  if (!(error instanceof ChildDied)) throw error;
  const { cause, how } = error.death;
  if (cause === "killed" || cause === "start" || cause === "budget") throw error;
  if (cause === "deadline") throw new GaveUp({ en: how, fr: late(how) });
  throw new GaveUp({
    en: `it broke down (${how}; a process may take ${MEMORY} MB of memory)`,
    fr: `le processus s'est effondré (${how} ; il dispose de ${MEMORY} Mo de mémoire)`,
  });
}

function late(how: string): string {
  return how.replace(/^it took more than/, "il a fallu plus de");
}
