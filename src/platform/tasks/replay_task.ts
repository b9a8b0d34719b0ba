import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Actor } from "#src/ports/access.ts";

/** Queues a quarantined or dead task again, like a new one. Its handler decides if any work is left. */
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
