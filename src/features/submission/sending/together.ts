import type { Deps } from "#src/deps.ts";
import { gathered } from "#src/kernel/gather.ts";
import type { Pa } from "#src/ports/pa.ts";
import { openPa } from "../pa/settings.ts";
import { type Payload, payloadsOf } from "./payload.ts";
import { beginAttempts, type Begun } from "./store.ts";

/** What every sending asks of the database, for those that begin together in one statement each. */
export interface Together {
  open(): Promise<Pa>;
  /** Undefined where the attempt is not begun; see `beginAttempts`. */
  begin(attempt: { readonly id: string; readonly pa: string }): Promise<Begun | undefined>;
  payload(begun: Begun): Promise<Payload | undefined>;
}

/** One per process. */
export function newTogether(deps: Pick<Deps, "db" | "pa" | "settings" | "vault">): Together {
  const open = gathered<undefined, Pa>(async (all) => {
    const pa = await openPa(deps);
    return all.map(() => pa);
  });
  return {
    open: () => open(undefined),
    begin: gathered(async (attempts: readonly { readonly id: string; readonly pa: string }[]) => {
      const begun: (Begun | undefined)[] = [];
      for (const pa of new Set(attempts.map((it) => it.pa))) {
        const mine = [...attempts.keys()].filter((at) => attempts[at]?.pa === pa);
        const ids = mine.map((at) => attempts[at]?.id ?? "");
        const found = await beginAttempts(deps.db, ids, { pa, admitted: false });
        mine.forEach((at, nth) => begun[at] = found[nth]);
      }
      return begun;
    }),
    payload: gathered((begun: readonly Begun[]) => payloadsOf(deps.db, begun)),
  };
}
