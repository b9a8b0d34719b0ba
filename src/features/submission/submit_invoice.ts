import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import { flowProfileOf } from "#src/domain/ubl/mod.ts";
import { lockInvoiceById, recordStatus } from "#src/features/invoices/mod.ts";
import { appendLogs, endRunIfDone, moveItem } from "#src/features/runs/mod.ts";
import { backoff } from "#src/kernel/delay.ts";
import type { Db } from "#src/ports/db.ts";
import { type Pa, PaError } from "#src/ports/pa.ts";
import { type Attempt, RetryLater } from "#src/ports/task_queue.ts";
import { openPa } from "./pa_settings.ts";
import {
  endAttempt,
  insertAttempt,
  lockSubmission,
  payloadOf,
  type SubmissionRow,
  updateSubmission,
} from "./store.ts";

type Needs = Pick<Deps, "clock" | "db" | "live" | "log" | "pa" | "settings" | "vault">;

/** How often the PA is asked about a sending whose answer was lost, before a person must decide. */
const MAX_PROBES = 8;

/**
 * Takes one generation of sending one step further. The intent to send is committed before anything leaves; when it
 * is not known whether the PA has the invoice, the PA is asked by our tracking id before anything is sent again.
 */
export async function submitInvoice(needs: Needs, submissionId: string, attempt: Attempt): Promise<void> {
  const pa = await openPa(needs);
  const step = await begin(needs, submissionId);
  if (!step) return; // accepted, refused or replaced meanwhile
  if (step.probe && !await probe(needs, { pa, step, attempt })) return;
  await send(needs, { pa, step, attempt });
}

interface Step {
  readonly submission: SubmissionRow;
  readonly n: number;
  /** An earlier attempt may have reached the PA. */
  readonly probe: boolean;
}

async function begin({ db, clock }: Needs, id: string): Promise<Step | undefined> {
  return await db.transaction(async (tx) => {
    const submission = await lockSubmission(tx, id);
    if (!submission) return undefined;
    const probe = submission.state === "sending" || submission.state === "ambiguous" || submission.state === "probing";
    if (!probe && submission.state !== "intent") return undefined;
    const n = submission.attempts + 1;
    await updateSubmission(tx, id, { state: probe ? "probing" : "sending", attempts: n });
    await insertAttempt(tx, { submissionId: id, n, kind: probe ? "probe" : "send", startedAt: clock.now() });
    return { submission, n, probe };
  });
}

/** True when the PA does not know the sending, so that it may be sent. */
async function probe(needs: Needs, { pa, step, attempt }: { pa: Pa; step: Step; attempt: Attempt }): Promise<boolean> {
  const { submission } = step;
  try {
    const page = await pa.search({ where: { trackingId: submission.id } }, { signal: attempt.signal });
    const known = page.flows.find((it) => it.trackingId === submission.id);
    if (known) {
      await accept(needs, step, known.flowId);
      return false;
    }
  } catch (error) {
    if (!(error instanceof PaError)) throw error;
    await unknown(needs, step, error);
    return false;
  }
  await needs.db.transaction((tx) => updateSubmission(tx, submission.id, { state: "sending" }));
  return true;
}

async function send(needs: Needs, { pa, step, attempt }: { pa: Pa; step: Step; attempt: Attempt }): Promise<void> {
  const payload = await payloadOf(needs.db, step.submission.invoiceId);
  if (!payload) throw new Error(`Submission ${step.submission.id} has no document`);
  try {
    const receipt = await pa.submit({
      trackingId: step.submission.id,
      name: `${formatInvoiceKey(payload)}.xml`,
      syntax: "UBL",
      profile: flowProfileOf(String(payload.verdict?.["customizationId"] ?? "")),
      processingRule: "B2B",
      bytes: new TextEncoder().encode(payload.ubl),
      sha256: payload.sha256,
    }, { signal: attempt.signal });
    await accept(needs, step, receipt.flowId);
  } catch (error) {
    if (!(error instanceof PaError)) throw error;
    await settle(needs, { step, error, attempt });
  }
}

async function settle(
  needs: Needs,
  { step, error, attempt }: { step: Step; error: PaError; attempt: Attempt },
): Promise<void> {
  needs.log.warn("submission.failed", {
    submission: step.submission.id,
    outcome: error.outcome,
    httpStatus: error.httpStatus,
    errorCode: error.errorCode,
  });
  if (error.alreadyExists && error.existingFlowId) return await accept(needs, step, error.existingFlowId);
  if (error.outcome === "refused") return await refuse(needs, step, error.message);
  if (error.outcome === "ambiguous" || error.alreadyExists) return await unknown(needs, step, error);
  if (attempt.isLast) return await refuse(needs, step, error.message);
  await needs.db.transaction(async (tx) => {
    await updateSubmission(tx, step.submission.id, { state: "intent", lastError: error.message });
    await note(needs, tx, { step, outcome: error.outcome, error });
    await tellRun(tx, step, { state: "retrying", message: error.message });
  });
  await endRun(needs, step);
  throw later(needs, { step, error });
}

/** The PA may have it: asked again later, and after too many unanswered questions left to a person. */
async function unknown(needs: Needs, step: Step, error: PaError): Promise<void> {
  const probes = step.submission.probes + 1;
  const parked = probes > MAX_PROBES;
  await needs.db.transaction(async (tx) => {
    await updateSubmission(tx, step.submission.id, { state: parked ? "parked" : "ambiguous", probes, lastError: error.message });
    await note(needs, tx, { step, outcome: "ambiguous", error });
    await tellRun(tx, step, { state: "retrying", message: error.message });
  });
  await endRun(needs, step);
  if (!parked) throw later(needs, { step, error });
}

function later({ settings }: Needs, { step, error }: { step: Step; error: PaError }): RetryLater {
  const delayMs = error.retryAfter !== undefined
    ? error.retryAfter * 1000
    : backoff(step.n, { baseMs: settings.retryBaseMs, capMs: 3_600_000 });
  return new RetryLater(error.message, { delayMs, free: error.outcome === "throttled" });
}

async function accept(needs: Needs, step: Step, flowId: string): Promise<void> {
  await needs.db.transaction(async (tx) => {
    await updateSubmission(tx, step.submission.id, { state: "accepted", flowId, lastError: null });
    await note(needs, tx, { step, outcome: "accepted" });
    await moveStatus(needs, tx, { step, code: STATUS.pending, message: `PA ${flowId}`, flowId });
    await tellRun(tx, step, { state: "submitted", message: flowId });
  });
  await endRun(needs, step);
}

async function refuse(needs: Needs, step: Step, message: string): Promise<void> {
  await needs.db.transaction(async (tx) => {
    await updateSubmission(tx, step.submission.id, { state: "rejected", lastError: message });
    await note(needs, tx, { step, outcome: "refused" });
    await moveStatus(needs, tx, { step, code: STATUS.sendFailed, message });
    await tellRun(tx, step, { state: "send_failed", message });
  });
  await endRun(needs, step);
}

async function moveStatus(
  needs: Needs,
  tx: Db,
  { step, code, message, flowId }: { step: Step; code: string; message: string; flowId?: string },
): Promise<void> {
  const invoice = await lockInvoiceById(tx, step.submission.invoiceId);
  if (!invoice) return;
  const event = { code, at: needs.clock.now(), source: "pipeline", message, generation: step.submission.generation };
  await recordStatus(needs, tx, { invoice, event: { ...event, restart: step.submission.generation > 1 }, paUuid: flowId });
}

async function note(
  { clock }: Needs,
  tx: Db,
  { step, outcome, error }: { step: Step; outcome: string; error?: PaError },
): Promise<void> {
  await endAttempt(tx, { submissionId: step.submission.id, n: step.n }, {
    finishedAt: clock.now(),
    outcome,
    httpStatus: error?.httpStatus ?? null,
    detail: error?.message ?? null,
  });
}

async function tellRun(
  tx: Db,
  { submission: { runId, runItem } }: Step,
  { state, message }: { state: ItemState; message: string },
): Promise<void> {
  if (runId === null || runItem === null) return;
  const moved = await moveItem(tx, { runId, index: runItem, from: ["recorded"] }, { state });
  const severity = state === "submitted" ? "INFO" : state === "retrying" ? "WARNING" : "ERROR";
  if (moved) await appendLogs(tx, { runId, item: runItem }, [{ severity, module: "submission", submodule: state, message }]);
}

async function endRun(needs: Needs, { submission: { runId } }: Step): Promise<void> {
  if (runId !== null) await endRunIfDone(needs, runId);
}

/** The task gave up: what can still be unknown is left to a person, the rest has failed to be sent. */
export async function submissionDied(needs: Needs, submissionId: string, reason: string): Promise<void> {
  const submission = await needs.db.transaction((tx) => lockSubmission(tx, submissionId));
  if (!submission) return;
  const step = { submission, n: submission.attempts, probe: false };
  if (submission.state === "intent") return await refuse(needs, step, reason);
  await needs.db.transaction(async (tx) => {
    await updateSubmission(tx, submissionId, { state: "parked", lastError: reason });
    await tellRun(tx, step, { state: "retrying", message: reason });
  });
  await endRun(needs, step);
}
