import { toColumns } from "#src/kernel/i18n/kept.ts";
import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import { calledBy } from "#src/ports/accounts.ts";
import { tellRun } from "./settle.ts";
import { abortItems, appendLogs, lockRun, updateRun } from "./store.ts";
import { isEnded } from "./views.ts";

/**
 * Ends a run: waiting invoices become `aborted`, active ones are abandoned, recorded ones stay and are sent. Throws
 * `conflict` for an ended run.
 */
export async function abortRun(
  deps: Pick<Deps, "clock" | "db" | "live">,
  runId: string,
  by: Pick<Actor, "username">,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (!run) throw notFound("Run", runId);
    if (isEnded(run)) {
      throw new AppError("conflict", say`Run ${runId} has ended already: it is ${run.state}`);
    }
    const aborted = await abortItems(tx, runId, say`Stopped by ${calledBy(by)}`);
    const error = say`Stopped by ${calledBy(by)}; invoices not started: ${aborted}`;
    const finishedAt = deps.clock.now();
    await updateRun(tx, runId, { state: "aborted", ...toColumns("error", error), finishedAt });
    await appendLogs(tx, { runId }, [
      { severity: "ERROR", module: "processing", submodule: "abort", message: error },
    ]);
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "run.aborted",
      target: runId,
      before: { state: run.state },
      after: { state: "aborted", aborted },
    });
    await tellRun(deps, tx, { runId, type: "run.aborted" });
    await tellRun(deps, tx, { runId, type: "run.finished" });
  });
}

/** Aborts when the run does; `close` ends the listening. */
export function whenAborted(
  { live }: Pick<Deps, "live">,
  runId: string,
): { signal: AbortSignal; close(): void } {
  const over = new AbortController();
  const close = live.subscribe(({ type, data }) => {
    if (type === "run.aborted" && (data as { runId?: string }).runId === runId) over.abort();
  });
  return { signal: over.signal, close };
}
