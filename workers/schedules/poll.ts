import type { Deps } from "#src/deps.ts";
import { type ScheduledScope, schedulePoll } from "#src/gateway/submission/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { toMessage } from "#src/kernel/errors.ts";

/** Going through the last day again is for what PAs list late; it need not be often. */
const STATUSES_EVERY = 120;

/** Makes a poll due every `POLL_SECONDS`, once however many processes do so. Without a PA it does nothing. */
export async function schedulePolls(deps: Deps, signal: AbortSignal): Promise<void> {
  const everyMs = deps.settings.pollSeconds * 1000;
  if (!everyMs) return;
  let isIdle = false;
  for (let round = 0; !signal.aborted; round++) {
    const wasIdle = isIdle;
    isIdle = !await makeDue(deps, "recent");
    if (isIdle && !wasIdle) deps.log.debug("schedule.poll.idle", { why: "no PA is configured" });
    if (round % STATUSES_EVERY === STATUSES_EVERY - 1) await makeDue(deps, "statuses");
    await delay(everyMs, signal);
  }
}

async function makeDue(deps: Deps, scope: ScheduledScope): Promise<boolean> {
  try {
    return await schedulePoll(deps, scope);
  } catch (error) {
    deps.log.warn("schedule.poll.failed", { scope, error: toMessage(error) });
    return true;
  }
}
