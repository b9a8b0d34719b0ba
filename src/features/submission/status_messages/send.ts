import { kept } from "#src/kernel/sentences/kept.ts";
import type { Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { recordEvidence } from "#src/features/evidence/mod.ts";
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
import { openPa } from "../pa/settings.ts";
import {
  beginMessage,
  type BegunMessage,
  endMessage,
  lockMessage,
  type MessageEnd,
  turnIntoSending,
  updateMessage,
} from "./store.ts";
import { pollTask } from "../tasks.ts";

type SendStatusNeeds = Pick<
  Deps,
  "clock" | "crash" | "db" | "live" | "log" | "pa" | "settings" | "tasks" | "vault"
>;

/** The PA judges a message a moment after it took it. */
const VERDICT_MS = 1_000;

/** Takes a status message one step further; asks the PA for it before it is ever sent a second time. */
export async function sendStatus(
  needs: SendStatusNeeds,
  messageId: string,
  attempt: Attempt,
): Promise<void> {
  const mineUntil = performance.now() + needs.settings.leaseMs;
  const pa = await openPa(needs);
  await attemptCall(needs, pa.name, {
    begin: ({ admitted }) => beginMessage(needs.db, messageId, { pa: pa.name, admitted }),
    prepare: (begun) => {
      needs.crash("status.afterBegin");
      return Promise.resolve({ pa, begun, attempt, mineUntil });
    },
    call: (sending) => transmit(pa, transmissionOf(needs, sending), needs.settings.submission),
    settle: (sending, answer) => settleAnswer(needs, sending, answer),
    fail: (sending, error) => settleFailure(needs, sending, error),
  });
}

/** One attempt, with what its steps work with. */
interface Sending {
  readonly begun: BegunMessage;
  readonly attempt: Attempt;
  /** On the monotonic clock: later than this the task may be another worker's. */
  readonly mineUntil: number;
}

function transmissionOf(
  needs: SendStatusNeeds,
  { begun, attempt, mineUntil }: Sending,
): Transmission {
  const { id, payload, payloadSha256: sha256, createdAt: since, probe, sinceSentMs } = begun;
  const name = nameOf(begun);
  const bytes = new TextEncoder().encode(payload);
  return {
    flow: { trackingId: id, name, syntax: "CDAR", bytes, sha256 },
    sought: { id, name, sha256, since, now: needs.clock.now() },
    probe,
    sinceSentMs,
    mineUntil,
    signal: attempt.signal,
    turnIntoSending: () => turnIntoSending(needs.db, begun),
    steps: {
      probed: () => {},
      sending: () => needs.crash("status.beforeSend"),
      sent: () => needs.crash("status.afterSend"),
    },
  };
}

function nameOf({ id, statusCode }: BegunMessage): string {
  return `CDV-${statusCode}-${id}.xml`;
}

async function settleAnswer(
  needs: SendStatusNeeds,
  { begun, attempt }: Sending,
  answer: TransmitOutcome,
): Promise<void> {
  if (answer.kind === "held") await accepted(needs, begun, answer.held);
  if (answer.kind === "unclear") await settleNext(needs, { begun, attempt }, answer.error);
  if (answer.kind === "not-yet") {
    await end(needs, begun, { state: "ambiguous", ...kept("lastError", NOT_YET) });
    throw askAgain(answer.waitMs);
  }
}

/** The PA has the file; its verdict is read by the next poll, which is asked for at once. */
async function accepted(
  needs: SendStatusNeeds,
  begun: BegunMessage,
  receipt: HeldFlow,
): Promise<void> {
  await needs.db.transaction(async (tx) => {
    if (
      !await endMessage(tx, begun, {
        state: "sent",
        flowId: receipt.flowId,
        ...kept("lastError", null),
      })
    ) {
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

async function settleFailure(
  needs: SendStatusNeeds,
  { begun, attempt }: Sending,
  error: PaError,
): Promise<void> {
  const { outcome, httpStatus, errorCode } = error;
  needs.log.warn("status.failed", { message: begun.id, outcome, httpStatus, errorCode });
  if (error.alreadyExists && error.existingFlowId) {
    await accepted(needs, begun, { flowId: error.existingFlowId });
  } else await settleNext(needs, { begun, attempt }, error);
}

async function settleNext(
  needs: SendStatusNeeds,
  { begun, attempt }: Pick<Sending, "begun" | "attempt">,
  error: PaError,
): Promise<void> {
  const { next, probes, reason } = nextAfter(error, begun, attempt);
  const why = kept("lastError", reason);
  if (next === "refuse") return await refused(needs, begun, { error, why });
  if (next === "park") return await end(needs, begun, { state: "parked", ...why, probes });
  await end(needs, begun, { state: next === "ask" ? "ambiguous" : "intent", ...why, probes });
  throw retryAfter(error, begun, needs.settings);
}

async function refused(
  needs: SendStatusNeeds,
  begun: BegunMessage,
  { error, why }: { error: PaError; why: Pick<MessageEnd, "lastError" | "lastErrorFr"> },
): Promise<void> {
  const { message, httpStatus, errorCode, excerpt } = error;
  await needs.db.transaction(async (tx) => {
    if (!await endMessage(tx, begun, { state: "refused", ...why })) return;
    const meta = { trackingId: begun.id, message, httpStatus, errorCode, excerpt };
    await recordEvidence(tx, { invoiceId: begun.invoiceId, kind: "failure", meta });
  });
}

async function end({ db }: SendStatusNeeds, begun: BegunMessage, how: MessageEnd): Promise<void> {
  await db.transaction((tx) => endMessage(tx, begun, how));
}

/** The task gave up: what the PA may have is left to a person, what never left the house was not told. */
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
      ...kept("lastError", reason),
    });
  });
}
