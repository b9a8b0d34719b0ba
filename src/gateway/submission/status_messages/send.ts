import { toColumns } from "#src/kernel/i18n/kept.ts";
import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { recordEvidence } from "#src/gateway/evidence/mod.ts";
import type { PaError } from "#src/ports/pa.ts";
import type { Attempt } from "#src/ports/task_queue.ts";
import { attemptCall } from "../pa/attempt.ts";
import {
  type HeldFlow,
  type Transmission,
  transmit,
  type TransmitOutcome,
} from "../pa/transmit.ts";
import { askAgain, nextAfter, NOT_YET, retryAfter } from "../pa/next_attempt.ts";
import { openPaToSend } from "../pa/settings.ts";
import {
  beginMessage,
  type BegunMessage,
  convertToTransmission,
  endMessage,
  lockMessage,
  type MessageEnd,
  updateMessage,
} from "./store.ts";
import { pollTask } from "../tasks.ts";

type SendStatusDeps = Pick<
  Deps,
  "clock" | "crash" | "db" | "live" | "log" | "pa" | "settings" | "tasks" | "vault"
>;

/** The PA judges a message a moment after it took it. */
const VERDICT_MS = 1_000;

/** Advances one status message by one step; looks it up at the PA before sending it a second time. */
export async function sendStatus(
  deps: SendStatusDeps,
  messageId: string,
  attempt: Attempt,
): Promise<void> {
  const mineUntil = performance.now() + deps.settings.leaseMs;
  const pa = await openPaToSend(deps);
  await attemptCall(deps, pa.name, {
    begin: ({ admitted }) => beginMessage(deps.db, messageId, { pa: pa.name, admitted }),
    prepare: (begun) => {
      deps.crash("status.afterBegin");
      return Promise.resolve({ pa, begun, attempt, mineUntil });
    },
    call: (sending) => transmit(pa, readTransmission(deps, sending), deps.settings.submission),
    settle: (sending, answer) => settleAnswer(deps, sending, answer),
    fail: (sending, error) => settleFailure(deps, sending, error),
  });
}

/** Attempt with the data of its steps. */
interface Sending {
  readonly begun: BegunMessage;
  readonly attempt: Attempt;
  /** Deadline on the monotonic clock; after it another worker may own the task. */
  readonly mineUntil: number;
}

function readTransmission(
  deps: SendStatusDeps,
  { begun, attempt, mineUntil }: Sending,
): Transmission {
  const { id, payload, payloadSha256: sha256, createdAt: since, probe, sinceSentMs } = begun;
  const name = getName(begun);
  const bytes = new TextEncoder().encode(payload);
  return {
    flow: { trackingId: id, name, syntax: "CDAR", bytes, sha256 },
    sought: { id, name, sha256, since, now: deps.clock.now() },
    probe,
    sinceSentMs,
    mineUntil,
    signal: attempt.signal,
    startTransmission: () => convertToTransmission(deps.db, begun),
    steps: {
      probed: () => {},
      sending: () => deps.crash("status.beforeSend"),
      sent: () => deps.crash("status.afterSend"),
    },
  };
}

function getName({ id, statusCode }: BegunMessage): string {
  return `CDV-${statusCode}-${id}.xml`;
}

async function settleAnswer(
  deps: SendStatusDeps,
  { begun, attempt }: Sending,
  answer: TransmitOutcome,
): Promise<void> {
  if (answer.kind === "held") await recordAccepted(deps, begun, answer.held);
  if (answer.kind === "unclear") await settleNext(deps, { begun, attempt }, answer.error);
  if (answer.kind === "not-yet") {
    await end(deps, begun, { state: "ambiguous", ...toColumns("lastError", NOT_YET) });
    throw askAgain(answer.waitMs, begun);
  }
}

/** Records that the PA has the file, and requests a poll at once to read its verdict. */
async function recordAccepted(
  deps: SendStatusDeps,
  begun: BegunMessage,
  receipt: HeldFlow,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    if (
      !await endMessage(tx, begun, {
        state: "sent",
        flowId: receipt.flowId,
        ...toColumns("lastError", null),
      })
    ) {
      return;
    }
    await recordEvidence(tx, {
      invoiceId: begun.invoiceId,
      kind: "receipt",
      meta: { ...receipt, trackingId: begun.id },
    });
    await deps.tasks.enqueue(tx, pollTask, { scope: "recent" }, {
      delayMs: VERDICT_MS,
      dedupeKey: "poll_verdicts",
    });
    deps.crash("status.beforeSettle");
  });
}

async function settleFailure(
  deps: SendStatusDeps,
  { begun, attempt }: Sending,
  error: PaError,
): Promise<void> {
  const { outcome, httpStatus, errorCode } = error;
  deps.log.warn("status.failed", {
    invoice: begun.invoice,
    message: begun.id,
    outcome,
    httpStatus,
    errorCode,
  });
  if (error.alreadyExists && error.existingFlowId) {
    await recordAccepted(deps, begun, { flowId: error.existingFlowId });
  } else await settleNext(deps, { begun, attempt }, error);
}

async function settleNext(
  deps: SendStatusDeps,
  { begun, attempt }: Pick<Sending, "begun" | "attempt">,
  error: PaError,
): Promise<void> {
  const { next, probes, reason } = nextAfter(error, begun, attempt);
  const why = toColumns("lastError", reason);
  if (next === "refuse") return await recordRefused(deps, begun, { error, why });
  if (next === "park") return await end(deps, begun, { state: "parked", ...why, probes });
  await end(deps, begun, { state: next === "ask" ? "ambiguous" : "intent", ...why, probes });
  throw retryAfter(error, begun, deps.settings);
}

async function recordRefused(
  deps: SendStatusDeps,
  begun: BegunMessage,
  { error, why }: { error: PaError; why: Pick<MessageEnd, "lastError" | "lastErrorFr"> },
): Promise<void> {
  const { message, httpStatus, errorCode, excerpt } = error;
  await deps.db.transaction(async (tx) => {
    if (!await endMessage(tx, begun, { state: "refused", ...why })) return;
    const meta = { trackingId: begun.id, message, httpStatus, errorCode, excerpt };
    await recordEvidence(tx, { invoiceId: begun.invoiceId, kind: "failure", meta });
  });
}

async function end({ db }: SendStatusDeps, begun: BegunMessage, how: MessageEnd): Promise<void> {
  await db.transaction((tx) => endMessage(tx, begun, how));
}

/**
 * Ends a status message whose task gave up. A person must decide if the PA may have it; otherwise it counts as not
 * sent.
 */
export async function statusDied(
  { db }: Pick<Deps, "db">,
  messageId: string,
  reason: Sentence,
): Promise<void> {
  await db.transaction(async (tx) => {
    const message = await lockMessage(tx, messageId);
    if (!message || !["intent", "sending", "ambiguous", "probing"].includes(message.state)) return;
    await updateMessage(tx, messageId, {
      state: message.state === "intent" ? "refused" : "parked",
      ...toColumns("lastError", reason),
    });
  });
}
