import type { Deps } from "#src/deps.ts";
import { isOpenSubmission } from "#src/domain/submission/state.ts";
import { updateInvoice } from "#src/features/invoices/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import { insertSubmission, latestSubmission, supersede } from "./store.ts";
import { submitTask } from "./tasks.ts";

export interface SubmissionRequest {
  readonly invoice: { readonly id: number; readonly generation: number };
  readonly payloadSha256: string;
  /** The run that waits for the first attempt. */
  readonly run?: { readonly id: string; readonly item: number } | undefined;
}

/**
 * Opens the next generation of sending an invoice whose row is locked: the intent and its task commit with whatever
 * made them necessary. Refused while an earlier one may still reach the PA.
 */
export async function startSubmission(
  deps: Pick<Deps, "tasks">,
  tx: Db,
  { invoice, payloadSha256, run }: SubmissionRequest,
): Promise<string> {
  const latest = invoice.generation ? await latestSubmission(tx, invoice.id) : undefined;
  if (latest && isOpenSubmission(latest.state) && latest.state !== "intent") {
    throw new AppError("conflict", `Sending number ${latest.generation} of this invoice is under way (${latest.state})`);
  }
  if (latest) await supersede(tx, invoice.id);
  const id = crypto.randomUUID();
  const generation = (latest?.generation ?? 0) + 1;
  await insertSubmission(tx, {
    id,
    invoiceId: invoice.id,
    generation,
    state: "intent",
    payloadSha256,
    runId: run?.id ?? null,
    runItem: run?.item ?? null,
  });
  await updateInvoice(tx, invoice.id, { generation });
  await deps.tasks.enqueue(tx, submitTask, { submissionId: id });
  return id;
}
