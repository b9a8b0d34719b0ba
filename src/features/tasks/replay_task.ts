import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Actor } from "#src/ports/access.ts";

/** Makes a task that was set aside, or died, due once more as if it were new. What it was for decides whether anything is left to do. */
export function replayTask(
  deps: Pick<Deps, "clock" | "db" | "tasks">,
  { id, by }: { id: number; by: Actor },
): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const found = await deps.tasks.replay(tx, id);
    if (!found) throw notFound("Task", String(id));
    const { name, ...before } = found;
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "task.replayed",
      target: `${name} ${id}`,
      before,
    });
  });
}
