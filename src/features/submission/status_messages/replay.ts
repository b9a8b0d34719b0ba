import type { Deps } from "#src/deps.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { lockMessage, updateMessage } from "./store.ts";
import { statusTask } from "../tasks.ts";

/** Takes a parked status message further: the platform is asked for it first. Told twice, it is done once. */
export function replayStatus(deps: Pick<Deps, "db" | "tasks">, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const message = await lockMessage(tx, id);
    if (!message) throw notFound("Status message", id);
    if (message.state === "ambiguous") return;
    if (message.state !== "parked") {
      throw new AppError(
        "conflict",
        say`Status message ${id} is ${message.state}: there is nothing to replay`,
      );
    }
    await updateMessage(tx, id, { state: "ambiguous", probes: 0 });
    await deps.tasks.enqueue(tx, statusTask, { messageId: id });
  });
}
