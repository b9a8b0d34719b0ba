import type { Deps } from "#src/deps.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import { type Fact, recordEvidence } from "#src/features/evidence/mod.ts";
import { lockInvoiceById, recordStatus } from "#src/features/invoices/mod.ts";
import { appendLogs, endRunIfDone, moveItem } from "#src/features/runs/mod.ts";
import { backoff } from "#src/kernel/delay.ts";
import type { Db } from "#src/ports/db.ts";
import type { PaError } from "#src/ports/pa.ts";
import { RetryLater } from "#src/ports/task_queue.ts";
import { type AttemptEnd, type Begun, endAttempt } from "./submission_store.ts";

export type SettleNeeds = Pick<Deps, "clock" | "crash" | "db" | "live" | "log" | "settings">;

/** How often the PA may give no clear answer about a sending before a person must decide. */
const MAX_PROBES = 8;
const RETRY_CAP_MS = 3_600_000;

/** A flow the PA holds, and its words about it. */
export interface Held {
  readonly flowId: string;
  readonly told?: string | undefined;
}

/** The PA has it: pending (9906), and only now. */
export async function accept(
  needs: SettleNeeds,
  begun: Begun,
  { flowId, told }: Held,
): Promise<void> {
  await settle(needs, begun, {
    end: { state: "accepted", outcome: "accepted", flowId, told },
    status: { code: STATUS.pending, message: `PA ${flowId}`, flowId },
    item: { state: "submitted", message: flowId },
  });
}

/** It was definitely not taken, and trying again would not help: sending failed (9904). */
export async function refuse(needs: SettleNeeds, begun: Begun, error: PaError): Promise<void> {
  await settle(needs, begun, {
    end: {
      state: "rejected",
      outcome: error.outcome,
      error: error.message,
      httpStatus: error.httpStatus,
      told: error.excerpt,
    },
    status: { code: STATUS.sendFailed, message: error.message },
    item: { state: "send_failed", message: error.message },
  });
}

/** The PA may have it: it is asked later, and after too many unclear answers the sending is left to a person. */
export async function unknown(
  needs: SettleNeeds,
  begun: Begun,
  error: PaError,
): Promise<undefined> {
  const probes = begun.probes + (error.outcome === "ambiguous" ? 1 : 0);
  const parked = probes > MAX_PROBES;
  if (parked) {
    needs.log.error("submission.parked", { submission: begun.id, probes, reason: error.message });
  }
  await settle(needs, begun, {
    end: {
      state: parked ? "parked" : "ambiguous",
      outcome: error.outcome,
      error: error.message,
      httpStatus: error.httpStatus,
      probes,
    },
    item: { state: "retrying", message: error.message },
  });
  if (!parked) throw later(needs, begun, error);
  return undefined;
}

/** The PA does not have it, but so soon after a sending that may only mean that its search lags. */
export async function notYet(needs: SettleNeeds, begun: Begun, delayMs: number): Promise<never> {
  const error = "The PA does not know it yet";
  await settle(needs, begun, {
    end: { state: "ambiguous", outcome: "unknown", error },
    item: { state: "retrying", message: error },
  });
  throw new RetryLater(error, { delayMs: Math.ceil(delayMs), free: true });
}

/** Nothing of it left the house: it waits for another attempt. */
export async function giveBack(
  needs: SettleNeeds,
  begun: Begun,
  { error }: { error: PaError; pa: string },
): Promise<never> {
  await settle(needs, begun, {
    end: {
      state: "intent",
      outcome: error.outcome,
      error: error.message,
      httpStatus: error.httpStatus,
    },
    item: { state: "retrying", message: error.message },
  });
  throw later(needs, begun, error);
}

/** The document was replaced since; what replaced it has a sending of its own, or may not be sent. */
export async function dropPayload(needs: SettleNeeds, begun: Begun): Promise<void> {
  const error = "The document was replaced before it was sent";
  await settle(needs, begun, {
    end: { state: begun.probe ? "parked" : "superseded", outcome: "not-sent", error },
  });
}

/** The PA holds an earlier sending of the same document: `apply` makes that one count, this was a second copy. */
export async function giveWay(
  needs: SettleNeeds,
  begun: Begun,
  { error, flowId, apply }: {
    error: PaError;
    flowId: string;
    apply: (tx: Db) => Promise<void>;
  },
): Promise<void> {
  await settle(needs, begun, {
    end: {
      state: "duplicate",
      outcome: error.outcome,
      error: error.message,
      httpStatus: error.httpStatus,
      told: error.excerpt,
    },
    also: apply,
    item: { state: "submitted", message: flowId },
  });
}

function later({ settings }: SettleNeeds, begun: Begun, error: PaError): RetryLater {
  const delayMs = error.retryAfter !== undefined
    ? error.retryAfter * 1000
    : backoff(begun.n, { baseMs: settings.retryBaseMs, capMs: RETRY_CAP_MS });
  return new RetryLater(error.message, { delayMs, free: error.outcome === "throttled" });
}

interface Settlement {
  readonly end: AttemptEnd;
  readonly status?: { readonly code: string; readonly message: string; readonly flowId?: string };
  readonly item?: { readonly state: ItemState; readonly message: string };
  /** What else commits with it. */
  readonly also?: (tx: Db) => Promise<void>;
}

/** Writes the end of an attempt with all it means, in one transaction; nothing where the attempt is no longer ours. */
async function settle(
  needs: SettleNeeds,
  begun: Begun,
  { end, status, item, also }: Settlement,
): Promise<void> {
  const mine = await needs.db.transaction(async (tx) => {
    if (!await endAttempt(tx, begun, end)) return false;
    if (status) await moveStatus(needs, tx, { begun, status });
    if (item) await tellRun(tx, begun, item);
    await also?.(tx);
    await recordEvidence(tx, factsOf(begun, end));
    needs.crash("submit.beforeSettle");
    return true;
  });
  needs.crash("submit.afterSettle");
  if (!mine) {
    const { id: submission, n: attempt } = begun;
    needs.log.info("submission.fenced", { submission, attempt, outcome: end.outcome });
  }
  if (begun.runId !== null && item) await endRunIfDone(needs, begun.runId);
}

/** Of an attempt by which something may have left the house, what left and what came back. */
export function factsOf(begun: Begun, end: AttemptEnd): Fact[] {
  const { outcome, flowId, error, httpStatus, told } = end;
  if (outcome === "not-sent" || outcome === "throttled" || outcome === "unknown") return [];
  const { id: trackingId, invoiceId, generation, n: attempt, payloadSha256: contentSha256, probe } =
    begun;
  const meta = { trackingId, generation, attempt };
  const sent: Fact[] = probe ? [] : [{ invoiceId, kind: "sent", contentSha256, meta }];
  if (outcome !== "accepted") {
    const failure = { ...meta, outcome, error, httpStatus };
    return [...sent, { invoiceId, kind: "failure", content: told, meta: failure }];
  }
  // Where its sending was never heard of again the receipt stands for what was sent, too.
  const found = probe ? { contentSha256 } : { content: told };
  return [...sent, {
    invoiceId,
    kind: "receipt",
    ...found,
    meta: { ...meta, flowId, lookedUp: probe, ...probe && { told } },
  }];
}

async function moveStatus(
  needs: SettleNeeds,
  tx: Db,
  { begun, status: { flowId, ...status } }: {
    begun: Pick<Begun, "invoiceId" | "generation">;
    status: NonNullable<Settlement["status"]>;
  },
): Promise<void> {
  const invoice = await lockInvoiceById(tx, begun.invoiceId);
  if (!invoice) return;
  const { generation } = begun;
  const event = {
    ...status,
    at: needs.clock.now(),
    source: "pipeline",
    generation,
    restart: generation > 1,
  };
  await recordStatus(needs, tx, { invoice, event, paUuid: flowId });
}

/** The run, which waits for the first attempt only, hears what came of it, and of a later one what it led to. */
export async function tellRun(
  tx: Db,
  { runId, runItem }: Pick<Begun, "runId" | "runItem">,
  { state, message }: { state: ItemState; message: string },
): Promise<void> {
  if (runId === null || runItem === null) return;
  const from: ItemState[] = state === "retrying" ? ["recorded"] : ["recorded", "retrying"];
  const moved = await moveItem(tx, { runId, index: runItem, from }, { state });
  const severity = state === "submitted" ? "INFO" : state === "retrying" ? "WARNING" : "ERROR";
  if (moved) {
    await appendLogs(tx, { runId, item: runItem }, [{
      severity,
      module: "submission",
      submodule: state,
      message,
    }]);
  }
}
