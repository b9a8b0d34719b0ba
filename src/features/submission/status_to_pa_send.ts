import type { Deps } from "#src/deps.ts";
import { recordEvidence } from "#src/features/evidence/mod.ts";
import { backoff } from "#src/kernel/delay.ts";
import { type FlowReceipt, type Pa, PaError } from "#src/ports/pa.ts";
import { type Attempt, RetryLater } from "#src/ports/task_queue.ts";
import { admit, isPeerFailure, reportAnswer, reportFailure, withdraw } from "./breaker.ts";
import { bestOf, lookUp } from "./look_up.ts";
import { openPa } from "./pa_settings.ts";
import {
  beginMessage,
  type BegunMessage,
  endMessage,
  lockMessage,
  type MessageEnd,
  updateMessage,
} from "./status_to_pa_store.ts";
import { pollTask } from "./tasks.ts";

export type SendStatusNeeds = Pick<
  Deps,
  "clock" | "crash" | "db" | "live" | "log" | "pa" | "settings" | "tasks" | "vault"
>;

/** How often the platform may give no clear answer before a person must decide. */
const MAX_PROBES = 8;
const RETRY_CAP_MS = 3_600_000;
/** The platform judges a message a moment after it took it. */
const VERDICT_MS = 1_000;

/** Takes a status message one step further; asks the platform for it before it is ever sent a second time. */
export async function sendStatus(
  needs: SendStatusNeeds,
  messageId: string,
  attempt: Attempt,
): Promise<void> {
  const pa = await openPa(needs);
  const admission = await admit(needs, pa.name);
  const begun = await beginMessage(needs.db, messageId);
  needs.crash("status.afterBegin");
  if (!begun) return await withdraw(needs, pa.name, admission);
  try {
    const receipt = begun.probe
      ? await ask(needs, { pa, begun, attempt })
      : await send(needs, { pa, begun, attempt });
    await reportAnswer(needs, pa.name, { ...admission, troubled: true });
    if (receipt) await accepted(needs, begun, receipt);
  } catch (error) {
    if (!(error instanceof PaError)) {
      await withdraw(needs, pa.name, admission);
      throw error;
    }
    if (isPeerFailure(error)) await reportFailure(needs, pa.name, error);
    else await reportAnswer(needs, pa.name, { ...admission, troubled: true });
    await failed(needs, { begun, attempt }, error);
  }
}

interface Hand {
  readonly pa: Pa;
  readonly begun: BegunMessage;
  readonly attempt: Attempt;
}

async function ask(
  needs: SendStatusNeeds,
  hand: Hand,
): Promise<Pick<FlowReceipt, "flowId"> | undefined> {
  const { pa, begun, attempt } = hand;
  const sought = {
    id: begun.id,
    name: nameOf(begun),
    sha256: begun.payloadSha256,
    since: begun.createdAt,
  };
  const found = await lookUp(needs, pa, sought, attempt.signal);
  if (found.kind === "known") return bestOf(found.flows);
  if (found.kind === "unclear") {
    throw new PaError(`${pa.name} cannot tell: ${found.why}`, { outcome: "ambiguous" });
  }
  const lagMs = needs.settings.submission.settleMs - begun.sinceLastMs;
  if (lagMs > 0) {
    const error = "The platform does not know it yet";
    await end(needs, begun, { state: "ambiguous", lastError: error });
    throw new RetryLater(error, { delayMs: Math.ceil(lagMs), free: true });
  }
  return await send(needs, hand);
}

async function send(needs: SendStatusNeeds, { pa, begun, attempt }: Hand): Promise<FlowReceipt> {
  needs.crash("status.beforeSend");
  const receipt = await pa.submit({
    trackingId: begun.id,
    name: nameOf(begun),
    syntax: "CDAR",
    bytes: new TextEncoder().encode(begun.payload),
    sha256: begun.payloadSha256,
  }, { signal: attempt.signal });
  needs.crash("status.afterSend");
  return receipt;
}

function nameOf({ id, statusCode }: BegunMessage): string {
  return `CDV-${statusCode}-${id}.xml`;
}

/** The platform has the file; its verdict is read by the next poll, which is asked for at once. */
async function accepted(
  needs: SendStatusNeeds,
  begun: BegunMessage,
  receipt: Pick<FlowReceipt, "flowId">,
): Promise<void> {
  await needs.db.transaction(async (tx) => {
    if (!await endMessage(tx, begun, { state: "sent", flowId: receipt.flowId, lastError: null })) {
      return;
    }
    await recordEvidence(tx, {
      invoiceId: begun.invoiceId,
      kind: "receipt",
      meta: { ...receipt, trackingId: begun.id },
    });
    await needs.tasks.enqueue(tx, pollTask, { scope: "recent" }, {
      delayMs: VERDICT_MS,
      dedupeKey: "poll_verdicts",
    });
    needs.crash("status.beforeSettle");
  });
}

async function failed(
  needs: SendStatusNeeds,
  { begun, attempt }: Pick<Hand, "begun" | "attempt">,
  error: PaError,
): Promise<void> {
  const { outcome, httpStatus, errorCode, message } = error;
  needs.log.warn("status.failed", { message: begun.id, outcome, httpStatus, errorCode });
  if (error.alreadyExists && error.existingFlowId) {
    return await accepted(needs, begun, { flowId: error.existingFlowId });
  }
  if (outcome === "refused") return await refused(needs, begun, error);
  const uncertain = outcome === "ambiguous" || begun.probe;
  const probes = begun.probes + (outcome === "ambiguous" ? 1 : 0);
  if (uncertain && probes > MAX_PROBES) {
    return await end(needs, begun, { state: "parked", lastError: message, probes });
  }
  if (!uncertain && attempt.isLast && outcome !== "throttled") {
    return await refused(needs, begun, error);
  }
  await end(needs, begun, {
    state: uncertain ? "ambiguous" : "intent",
    lastError: message,
    probes,
  });
  const delayMs = error.retryAfter !== undefined
    ? error.retryAfter * 1000
    : backoff(begun.n, { baseMs: needs.settings.retryBaseMs, capMs: RETRY_CAP_MS });
  throw new RetryLater(message, { delayMs, free: outcome === "throttled" });
}

async function refused(needs: SendStatusNeeds, begun: BegunMessage, error: PaError): Promise<void> {
  const { message, httpStatus, errorCode, excerpt } = error;
  await needs.db.transaction(async (tx) => {
    if (!await endMessage(tx, begun, { state: "refused", lastError: message })) return;
    const meta = { trackingId: begun.id, message, httpStatus, errorCode, excerpt };
    await recordEvidence(tx, { invoiceId: begun.invoiceId, kind: "failure", meta });
  });
}

async function end({ db }: SendStatusNeeds, begun: BegunMessage, how: MessageEnd): Promise<void> {
  await db.transaction((tx) => endMessage(tx, begun, how));
}

/** The task gave up: what the platform may have is left to a person, what never left the house was not told. */
export async function statusDied(
  { db }: Pick<Deps, "db">,
  messageId: string,
  reason: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const message = await lockMessage(tx, messageId);
    if (!message || !["intent", "sending", "ambiguous", "probing"].includes(message.state)) return;
    await updateMessage(tx, messageId, {
      state: message.state === "intent" ? "refused" : "parked",
      lastError: reason,
    });
  });
}
