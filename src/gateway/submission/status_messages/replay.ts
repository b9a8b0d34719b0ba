import type { Deps } from "#src/deps.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { lockMessage, updateMessage } from "./store.ts";
import { statusTask } from "../tasks.ts";

/**
 * Continues a parked status message. Asks the PA for it first, so that a second replay sends nothing twice. Resolves to
 * its earlier state.
 */
export function replayStatus(
  deps: Pick<Deps, "db" | "tasks">,
  id: string,
): Promise<{ state: string; attempts: number; probes: number }> {
  return deps.db.transaction(async (tx) => {
    const message = await lockMessage(tx, id);
    if (!message) throw notFound("Status message", id);
    const { state, attempts, probes } = message;
    if (state === "ambiguous") return { state, attempts, probes };
    if (message.state !== "parked") {
      throw new AppError(
        "conflict",
        say`Status message ${id} is ${message.state}: there is nothing to replay`,
      );
    }
    await updateMessage(tx, id, { state: "ambiguous", probes: 0 });
    await deps.tasks.enqueue(tx, statusTask, { messageId: id });
    return { state, attempts, probes };
  });
}
