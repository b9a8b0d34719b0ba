import type { Deps } from "#src/deps.ts";
import { isPaConfigured } from "../pa/settings.ts";
import { isPollOpen } from "./views.ts";
import { pollTask, type ScheduledScope } from "../tasks.ts";

/**
 * Makes a poll due, unless one is open already: while the PA is away, one waits for it and not one for every turn of the
 * schedule. Resolves to false where no PA is configured, and nothing is polled.
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
