import type { Deps } from "#src/deps.ts";
import { isOpenSubmission } from "#src/domain/submission/state.ts";
import { updateInvoice, updateInvoices } from "#src/gateway/invoices/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import type { EnqueueOptions } from "#src/ports/task_queue.ts";
import { insertSubmissions, latestSubmission, type SubmissionRow, supersede } from "./store.ts";
import { submitTask } from "../tasks.ts";

type Turn = NonNullable<EnqueueOptions["turn"]>;

interface SubmissionRequest {
  readonly invoice: { readonly id: number; readonly generation: number };
  readonly payloadSha256: string;
  /** Sender and origin of the submission. Large batches of one sender do not delay small ones of others. */
  readonly turn: Turn;
  /** The run that waits for the first attempt. */
  readonly run?: { readonly id: string; readonly item: number } | undefined;
  /** True to replace a waiting submission that was never sent, when its document is replaced. */
  readonly replaceWaiting?: boolean | undefined;
}

/** Starts many submissions at once. Most of them are first submissions, which take three statements together. */
export async function startSubmissions(
  deps: Pick<Deps, "tasks">,
  tx: Db,
  requests: readonly SubmissionRequest[],
): Promise<void> {
  const firsts = requests.filter((it) => it.invoice.generation === 0);
  const rows = firsts.map(({ invoice, payloadSha256, run }) => ({
    id: crypto.randomUUID(),
    invoiceId: invoice.id,
    generation: 1,
    state: "intent" as const,
    payloadSha256,
    runId: run?.id ?? null,
    runItem: run?.item ?? null,
  }));
  if (rows.length) {
    await insertSubmissions(tx, rows);
    await updateInvoices(tx, rows.map((it) => it.invoiceId), { generation: 1 });
    await enqueueInBatches(
      deps,
      tx,
      firsts.map(({ turn }, at) => ({ turn, id: rows[at]?.id ?? "" })),
    );
  }
  for (const request of requests) {
    if (request.invoice.generation) await startSubmission(deps, tx, request);
  }
}

async function enqueueInBatches(
  { tasks }: Pick<Deps, "tasks">,
  tx: Db,
  sendings: readonly { readonly id: string; readonly turn: Turn }[],
): Promise<void> {
  const byRun = new Map<string, { turn: Turn; payloads: { submissionId: string }[] }>();
  for (const { id, turn } of sendings) {
    const key = JSON.stringify([turn.of, turn.in]);
    const group = byRun.get(key) ?? { turn, payloads: [] };
    group.payloads.push({ submissionId: id });
    byRun.set(key, group);
  }
  for (const { turn, payloads } of byRun.values()) {
    await tasks.enqueueAll(tx, submitTask, payloads, { turn });
  }
}

/**
 * Opens the next generation for an invoice whose row is locked: the submission and its task commit with their cause.
 * Refused while an earlier submission may still reach the PA.
 */
export async function startSubmission(
  deps: Pick<Deps, "tasks">,
  tx: Db,
  { invoice, payloadSha256, turn, run, replaceWaiting = false }: SubmissionRequest,
): Promise<{ readonly id: string; readonly generation: number }> {
  const latest = await supersedeEarlier(tx, invoice.id, { replaceWaiting });
  const id = crypto.randomUUID();
  const generation = (latest?.generation ?? 0) + 1;
  await insertSubmissions(tx, [{
    id,
    invoiceId: invoice.id,
    generation,
    state: "intent",
    payloadSha256,
    runId: run?.id ?? null,
    runItem: run?.item ?? null,
  }]);
  await updateInvoice(tx, invoice.id, { generation });
  await deps.tasks.enqueue(tx, submitTask, { submissionId: id }, { turn });
  return { id, generation };
}

/** Stops waiting submissions of invoices whose new document must not be sent. */
export async function stopSubmissions(tx: Db, invoiceIds: readonly number[]): Promise<void> {
  for (const id of invoiceIds) await supersedeEarlier(tx, id, { replaceWaiting: true });
}

/** Supersedes the earlier submission; refused while it may still reach the PA. */
async function supersedeEarlier(
  tx: Db,
  invoiceId: number,
  { replaceWaiting }: { replaceWaiting: boolean },
): Promise<SubmissionRow | undefined> {
  const latest = await latestSubmission(tx, invoiceId);
  if (!latest) return undefined;
  if (isOpenSubmission(latest.state) && !(replaceWaiting && latest.state === "intent")) {
    throw new AppError(
      "conflict",
      say`Sending number ${latest.generation} of this invoice is under way (${latest.state})`,
    );
  }
  await supersede(tx, invoiceId);
  return latest;
}
