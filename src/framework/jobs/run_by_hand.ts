import { recordAudit } from "#src/platform/audit/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import { type StartDeps, startRun } from "./start_run.ts";

/** Starts a run at a user's request, with the user's rights. Throws the errors of `startRun`. Resolves to its id. */
export function runByHand(
  deps: StartDeps,
  { name, params, by }: { name: string; params: Readonly<Record<string, unknown>>; by: Actor },
): Promise<string> {
  return deps.db.transaction(async (tx) => {
    const within = { ...deps, db: tx };
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
