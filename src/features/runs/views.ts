import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { type Language, statusLabel } from "#src/domain/invoice/status.ts";
import { isGood, type ItemState } from "#src/domain/processing/run.ts";
import { delay } from "#src/kernel/delay.ts";
import { notFound } from "#src/kernel/errors.ts";
import { countByState, findRun, logsOf, outcomes, type RunRow } from "./store.ts";

const LOGS_SHOWN = 5000;
const LOOK_EVERY_MS = 1000;

/** What a run has come to, and the outcome of each of its invoices. */
export async function showRun(
  deps: Pick<Deps, "db">,
  runId: string,
  { page, language }: { page: { page: number; pageSize: number }; language: Language },
) {
  const run = await findRun(deps.db, runId);
  if (!run) throw notFound("Run", runId);
  const counts = await countByState(deps.db, runId);
  const rows = await outcomes(deps.db, runId, page);
  const error = errorOf(run, counts);
  return {
    success: isEnded(run) && error === undefined,
    ...error !== undefined && { error },
    runId,
    state: run.state,
    template: run.template,
    file: run.file,
    mode: run.mode,
    jobNumber: run.jobNumber,
    total: run.total,
    counts,
    createdAt: run.createdAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
    invoices: rows.map(({ doc, dct, kco, status, ...row }) => ({
      ...row,
      id: doc && dct && kco ? formatInvoiceKey({ doc, dct, kco }) : null,
      // A run that only checks stores nothing: a status of that key belongs to another run.
      status: run.mode === "UBL_VALIDATE" ? null : status,
      statusLabel: status && run.mode !== "UBL_VALIDATE" ? statusLabel(status, language) : null,
    })),
    logs: await logsOf(deps.db, runId, LOGS_SHOWN),
  };
}

/** Waits until the run has ended, at most `waitMs`; resolves either way. */
export async function awaitRun(
  deps: Pick<Deps, "db" | "live">,
  runId: string,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<void> {
  const over = new AbortController();
  const enough = AbortSignal.any([signal, AbortSignal.timeout(waitMs), over.signal]);
  const unsubscribe = deps.live.subscribe(({ type, data }) => {
    if (type === "run.finished" && (data as { runId?: string }).runId === runId) over.abort();
  });
  try {
    while (!enough.aborted) {
      const run = await findRun(deps.db, runId);
      if (!run || isEnded(run)) return;
      await delay(LOOK_EVERY_MS, enough);
    }
  } finally {
    unsubscribe();
    over.abort();
  }
}

export function isEnded(run: Pick<RunRow, "state">): boolean {
  return run.state === "finished" || run.state === "failed";
}

function errorOf(run: RunRow, counts: Partial<Record<ItemState, number>>): string | undefined {
  if (run.error) return run.error;
  const bad = Object.entries(counts).filter(([state]) =>
    !isGood(state as ItemState) && state !== "pending" && state !== "recorded"
  );
  if (!bad.length) return undefined;
  return `Of ${run.total} invoices ${
    bad.map(([state, n]) => `${n} ${state.replace("_", " ")}`).join(", ")
  }`;
}
