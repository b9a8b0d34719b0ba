import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import type { Preflight } from "#src/gateway/directory/mod.ts";
import { type Pa, PaError } from "#src/ports/pa.ts";
import { type Attempt, RetryLater } from "#src/ports/task_queue.ts";
import { attemptCall } from "../pa/attempt.ts";
import { type HeldFlow, transmit, type TransmitOutcome } from "../pa/transmit.ts";
import { chooseFlow, lookUp, type LookUpKey } from "../pa/look_up.ts";
import { nextAfter } from "../pa/next_attempt.ts";
import { findMismatch } from "../pa/verify_flow.ts";
import { type AcceptanceWriter, acceptAttempts } from "./accept.ts";
import { type Payload, toFlow } from "./payload.ts";
import { checkRecipient } from "./preflight.ts";
import { reconcileDuplicate } from "./reconcile_duplicate.ts";
import type { RetryBudget } from "./retry_budget.ts";
import {
  askLater,
  discardPayload,
  endAsDuplicate,
  park,
  refuse,
  type SettleDeps,
  waitForRetry,
  waitForSearch,
} from "./settle.ts";
import {
  beginAttempts,
  convertToTransmission,
  flowsOfOthers,
  type SubmissionAttempt,
} from "./store.ts";
import type { Together } from "./together.ts";

type SubmitDeps = SettleDeps & Pick<Deps, "pa" | "rules" | "vault"> & {
  readonly accepting: AcceptanceWriter;
  readonly together: Together;
  readonly budget: RetryBudget;
  readonly preflight: Preflight;
};

/** Attempt with the data of its steps. */
interface Sending {
  readonly pa: Pa;
  readonly begun: SubmissionAttempt;
  readonly payload: Payload;
  readonly attempt: Attempt;
  /** Deadline on the monotonic clock; after it another worker may own the task. */
  readonly mineUntil: number;
}

/**
 * Advances one submission by one step. Each attempt is committed before anything is sent. When it is unknown if the PA
 * has the invoice, the PA is queried before sending again.
 */
export function submitInvoice(
  deps: SubmitDeps,
  submissionId: string,
  attempt: Attempt,
): Promise<void> {
  return deps.accepting.during(() => submit(deps, submissionId, attempt));
}

async function submit(deps: SubmitDeps, id: string, attempt: Attempt): Promise<void> {
  const mineUntil = performance.now() + deps.settings.leaseMs;
  const pa = await deps.together.open();
  keepToBudget(deps, attempt);
  await attemptCall(deps, pa.name, {
    begin: ({ admitted }) => beginSubmission(deps, { id, pa: pa.name, admitted }),
    prepare: async (begun) => {
      const payload = await prepare(deps, begun);
      return payload && { pa, begun, payload, attempt, mineUntil };
    },
    call: (sending) => call(deps, sending),
    settle: (sending, answer) => settleAnswer(deps, sending, answer),
    fail: (sending, error) => settleFailure(deps, sending, error),
  });
}

/** Begins one submission. An admitted submission begins separately, after it could not begin in a batch. */
async function beginSubmission(
  { db, together }: SubmitDeps,
  { id, pa, admitted }: { id: string; pa: string; admitted: boolean },
): Promise<SubmissionAttempt | undefined> {
  if (!admitted) return await together.begin({ id, pa });
  return (await beginAttempts(db, [id], { pa, admitted }))[0];
}

function keepToBudget({ budget }: SubmitDeps, { number }: Attempt): void {
  if (number === 1) return budget.earn();
  const waitMs = budget.spend();
  if (waitMs) {
    throw new RetryLater(say`Retries are kept to a part of the traffic`, {
      delayMs: waitMs,
      free: true,
    });
  }
}

/**
 * Loads the payload. Returns undefined when the document was replaced, or when the directory says that the buyer cannot
 * receive it.
 */
async function prepare(deps: SubmitDeps, begun: SubmissionAttempt): Promise<Payload | undefined> {
  deps.crash("submit.afterBegin");
  const payload = await deps.together.payload(begun);
  if (!payload) return void await discardPayload(deps, begun);
  if (begun.n !== 1) return payload;
  const checked = await checkRecipient(deps, { begun, payload });
  if ("payload" in checked) return checked.payload;
  await refuse(deps, begun, new PaError(say`${checked.heldBack}`, { outcome: "not-sent" }));
  return undefined;
}

function call(deps: SubmitDeps, sending: Sending): Promise<TransmitOutcome> {
  const { pa, begun, payload, attempt: { signal }, mineUntil } = sending;
  return transmit(pa, {
    flow: toFlow(begun, payload),
    sought: getLookUpKey(deps, sending),
    probe: begun.probe,
    sinceSentMs: begun.sinceSentMs,
    mineUntil,
    signal,
    startTransmission: () => convertToTransmission(deps.db, begun),
    steps: {
      probed: () => deps.crash("submit.afterProbe"),
      sending: () => deps.crash("submit.beforeSend"),
      sent: () => deps.crash("submit.afterSend"),
    },
  }, deps.settings.submission);
}

function getLookUpKey({ clock, db }: SubmitDeps, { begun, payload }: Sending): LookUpKey {
  const { id, payloadSha256: sha256, createdAt: since } = begun;
  const ofOthers = (flowIds: readonly string[]) => flowsOfOthers(db, id, flowIds);
  return { id, name: payload.name, sha256, since, now: clock.now(), ofOthers };
}

async function settleAnswer(
  deps: SubmitDeps,
  { begun, attempt }: Sending,
  answer: TransmitOutcome,
): Promise<void> {
  if (answer.kind === "held") await deps.accepting.accept(begun, answer.held);
  if (answer.kind === "unclear") await settleNext(deps, { begun, attempt }, answer.error);
  if (answer.kind === "not-yet") await waitForSearch(deps, begun, answer.waitMs);
}

async function settleFailure(
  deps: SubmitDeps,
  sending: Sending,
  error: PaError,
): Promise<void> {
  const { begun } = sending;
  const { outcome, httpStatus, errorCode } = error;
  deps.log.warn("submission.failed", {
    invoice: begun.invoice,
    submission: begun.id,
    attempt: begun.n,
    outcome,
    httpStatus,
    errorCode,
  });
  if (error.alreadyExists) await settleConflict(deps, sending, error);
  else await settleNext(deps, sending, error);
}

async function settleNext(
  deps: SubmitDeps,
  { begun, attempt }: Pick<Sending, "begun" | "attempt">,
  error: PaError,
): Promise<void> {
  const { next, probes, reason } = nextAfter(error, begun, attempt);
  if (next === "refuse") await refuse(deps, begun, error, reason);
  if (next === "park") await park(deps, begun, { error, probes });
  if (next === "ask") await askLater(deps, begun, { error, probes });
  if (next === "again") await waitForRetry(deps, begun, error);
}

/** Settles a conflict: the PA has this very submission, an earlier copy of it, or another sender's invoice. */
async function settleConflict(deps: SubmitDeps, sending: Sending, error: PaError): Promise<void> {
  const { pa, begun } = sending;
  const unclear = (why: Sentence) =>
    settleNext(deps, sending, new PaError(why, { outcome: "ambiguous" }));
  const held = await heldAs(deps, sending, error);
  if (held && "flowId" in held) {
    return await acceptAttempts(deps, [{ answer: error.excerpt, ...held, begun }]);
  }
  if (held) return await unclear(held.why);
  const { id, invoiceId } = begun;
  const word = { invoiceId, paEventId: `${id}#conflict`, message: error.sentence };
  const found = await reconcileDuplicate(deps, pa, word);
  if (found.kind === "ours") return await endAsDuplicate(deps, begun, { error, ...found });
  if (found.kind === "foreign") return await refuse(deps, begun, error);
  await unclear(found.why);
}

/**
 * Returns the PA's flow of this submission, or the reason why it is unclear. Returns undefined when the conflict
 * concerns another submission.
 */
async function heldAs(
  deps: SubmitDeps,
  sending: Sending,
  { existingFlowId }: PaError,
): Promise<HeldFlow | { why: Sentence } | undefined> {
  const { pa, begun: { id }, attempt: { signal } } = sending;
  const sought = getLookUpKey(deps, sending);
  if (existingFlowId !== undefined) {
    if ((await flowsOfOthers(deps.db, id, [existingFlowId])).size) return undefined;
    const mismatch = await findMismatch(pa, existingFlowId, { ...sought, signal });
    return mismatch === undefined ? { flowId: existingFlowId } : undefined;
  }
  const found = await lookUp(pa, sought, signal);
  return found.kind === "known"
    ? chooseFlow(found.flows)
    : found.kind === "unclear"
    ? found
    : undefined;
}
