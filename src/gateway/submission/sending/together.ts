import type { Deps } from "#src/deps.ts";
import { batchWork } from "#src/kernel/gather.ts";
import type { Pa } from "#src/ports/pa.ts";
import { openPaToSend } from "../pa/settings.ts";
import { loadPayloads, type Payload } from "./payload.ts";
import { beginAttempts, type SubmissionAttempt } from "./store.ts";

/** Database queries of submissions, batched: submissions that begin at the same time share one statement per step. */
export interface Together {
  open(): Promise<Pa>;
  /** Undefined where the attempt is not begun; see `beginAttempts`. */
  begin(
    attempt: { readonly id: string; readonly pa: string },
  ): Promise<SubmissionAttempt | undefined>;
  payload(begun: SubmissionAttempt): Promise<Payload | undefined>;
}

/** One per process. */
export function newTogether(deps: Pick<Deps, "db" | "pa" | "settings" | "vault">): Together {
  const open = batchWork<undefined, Pa>(async (all) => {
    const pa = await openPaToSend(deps);
    return all.map(() => pa);
  });
  return {
    open: () => open(undefined),
    begin: batchWork(async (attempts: readonly { readonly id: string; readonly pa: string }[]) => {
      const begun: (SubmissionAttempt | undefined)[] = [];
      for (const pa of new Set(attempts.map((it) => it.pa))) {
        const mine = [...attempts.keys()].filter((at) => attempts[at]?.pa === pa);
        const ids = mine.map((at) => attempts[at]?.id ?? "");
        const found = await beginAttempts(deps.db, ids, { pa, admitted: false });
        mine.forEach((at, nth) => begun[at] = found[nth]);
      }
      return begun;
    }),
    payload: batchWork((begun: readonly SubmissionAttempt[]) => loadPayloads(deps.db, begun)),
  };
}
