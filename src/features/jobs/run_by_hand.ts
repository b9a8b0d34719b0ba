import { recordAudit } from "#src/features/audit/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import { type StartNeeds, startRun } from "./start_run.ts";

/** A run a person asks for, with their rights. Throws what `startRun` does. Resolves to its id. */
export function runByHand(
  needs: StartNeeds,
  { name, params, by }: { name: string; params: Readonly<Record<string, unknown>>; by: Actor },
): Promise<string> {
  return needs.db.transaction(async (tx) => {
    const within = { ...needs, db: tx };
    const { runId } = await startRun(within, {
      name,
      params,
      trigger: "manual",
      requestedBy: by.username,
      actor: by,
      actingAs: by.username,
    });
    const after = { run_id: runId, params };
    await recordAudit(within, { actor: by, event: "job_run.started", target: name, after });
    return runId;
  });
}
