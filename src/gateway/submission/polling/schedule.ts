import type { Deps } from "#src/deps.ts";
import { isPaConfigured } from "../pa/settings.ts";
import { isPollOpen } from "./views.ts";
import { pollTask, type ScheduledScope } from "../tasks.ts";

/**
 * Queues a poll unless one is open already, so that polls do not pile up while the PA is unavailable. Resolves to false
 * when no PA is configured.
 */
export async function schedulePoll(
  deps: Pick<Deps, "db" | "settings" | "tasks" | "vault">,
  scope: ScheduledScope,
): Promise<boolean> {
  if (!await isPaConfigured(deps)) return false;
  const dedupeKey = scope === "recent" ? pollTask.name : `${pollTask.name}_${scope}`;
  await deps.db.transaction(async (tx) => {
    if (await isPollOpen(tx, { name: pollTask.name, scope })) return;
    await deps.tasks.enqueue(tx, pollTask, { scope }, { dedupeKey });
  });
  return true;
}
