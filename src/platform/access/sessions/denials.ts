import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import type { Access, Actor, Denial } from "#src/ports/access.ts";

/** Counting begins with the first refusal of a caller and ends after so long. */
const WINDOW_MS = 60_000;
/** Number of codes per caller and window that are recorded separately; further ones are counted together. */
const CODES = 20;
const OTHERS = "(others)";

/** Refusals of one caller since the last record, by code. */
interface Window {
  readonly actor: Actor;
  readonly timer: ReturnType<typeof setTimeout>;
  readonly counted: Map<string, { readonly last: Denial; readonly times: number }>;
}

/**
 * Records refusals so that a flood neither fills the audit nor hides other entries. Records the first refusal of each
 * caller and code immediately. Records repetitions within a minute as one entry with their number.
 */
export function recordDenials(
  deps: Pick<Deps, "clock" | "db" | "log">,
): Required<Pick<Access, "denied" | "settle">> {
  const windows = new Map<string, Window>();
  return {
    async denied(actor, denial) {
      const { counted } = windows.get(actor.username) ?? open(actor);
      const known = counted.has(denial.code) || counted.size < CODES;
      const code = known ? denial.code : OTHERS;
      const before = counted.get(code);
      counted.set(code, { last: { ...denial, code }, times: before ? before.times + 1 : 0 });
      if (before) return;
      const { method, path } = denial;
      deps.log.info("access.denied", { user: actor.username, permission: code, method, path });
      await write(actor, { ...denial, code });
    },
    async settle() {
      for (const username of [...windows.keys()]) await close(username);
    },
  };

  function open(actor: Actor): Window {
    const timer = setTimeout(() => void close(actor.username), WINDOW_MS);
    const opened = { actor, timer, counted: new Map() };
    windows.set(actor.username, opened);
    return opened;
  }

  async function close(username: string): Promise<void> {
    const window = windows.get(username);
    if (!window) return;
    clearTimeout(window.timer);
    windows.delete(username);
    for (const { last, times } of window.counted.values()) {
      if (times) await write(window.actor, last, times);
    }
  }

  async function write(actor: Actor, denial: Denial, times = 1): Promise<void> {
    const { code, method, path } = denial;
    const after = { method, path, ...times > 1 && { times } };
    await recordAudit(deps, { actor, event: "access.denied", target: code, after })
      .catch((error) => deps.log.error("audit.failed", { error }));
  }
}
